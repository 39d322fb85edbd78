"""Tic-tac-toe: x and o mark squares in turn, and three in a line win."""

from pbem.core.interface import System
from pbem.rules.kit.ruled import first_of
from tic_tac_toe.rules import SEATS, load

SYSTEM = System(
    name="tic-tac-toe",
    version=1,
    seats=range(2, 3),
    seat_names=first_of(SEATS),
    load=load,
    package="tic_tac_toe",
)
