"""Hush, for two to five: sealed bids from secret purses for one lot after the other."""

from hush.rules import load
from pbem.core.events import Seat
from pbem.core.interface import System
from pbem.rules.kit.ruled import first_of

SYSTEM = System(
    "hush",
    1,
    range(2, 6),
    first_of(tuple(map(Seat, ("red", "blue", "green", "black", "white")))),
    load,
    "hush",
    options={"purse": 20},
    plots={"Points": lambda view: view.points},
)
