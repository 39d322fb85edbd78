"""Magpies, for two to four: all go for one treasure at once, and those with equal cards get nothing."""

from magpies.rules import load
from pbem.core.events import Seat
from pbem.core.interface import System


def seat_names(count: int) -> tuple[Seat, ...]:
    """Return the colours of the first seats."""
    return (Seat("red"), Seat("blue"), Seat("green"), Seat("black"))[:count]


SYSTEM = System(
    name="magpies",
    version=1,
    seats=range(2, 5),
    seat_names=seat_names,
    load=load,
    package="magpies",
    options={"hand": 4},
)
