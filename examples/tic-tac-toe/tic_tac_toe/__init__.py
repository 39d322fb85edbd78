"""Tic-tac-toe: x and o mark squares in turn, and three in a line win."""

from pbem.core.events import Seat
from pbem.core.interface import System
from tic_tac_toe.rules import SEATS, load


def seat_names(count: int) -> tuple[Seat, ...]:
    """Return x and o; the count of seats is always two."""
    return SEATS[:count]


SYSTEM = System(
    name="tic-tac-toe",
    version=1,
    seats=range(2, 3),
    seat_names=seat_names,
    load=load,
    package="tic_tac_toe",
)
