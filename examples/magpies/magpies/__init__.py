"""Magpies, for two to four: all go for one treasure at once, and those with equal cards get nothing."""

from magpies.rules import COLOURS, load
from pbem.core.interface import System
from pbem.rules.kit.ruled import first_of

SYSTEM = System(
    name="magpies",
    version=1,
    seats=range(2, 5),
    seat_names=first_of(COLOURS),
    load=load,
    package="magpies",
    options={"hand": 4},
)
