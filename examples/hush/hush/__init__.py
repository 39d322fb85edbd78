"""Hush, for two to five: sealed bids from secret purses for one lot after the other."""

from hush.rules import load
from pbem.core.events import Seat
from pbem.core.interface import System
from pbem.rules.kit.ruled import first_of

COLOURS = (Seat("red"), Seat("blue"), Seat("green"), Seat("black"), Seat("white"))


SYSTEM = System(
    name="hush",
    version=1,
    seats=range(2, 6),
    seat_names=first_of(COLOURS),
    load=load,
    package="hush",
    options={"purse": 20},
    plots={"Points": lambda view: view.points},
)
