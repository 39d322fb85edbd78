"""Marches, for two to four: armies march from region to region, and who holds the most regions wins."""

from marches.rules import Marches
from pbem.core.events import Seat
from pbem.core.interface import System
from pbem.rules.kit.ruled import first_of

NAMES = first_of((Seat("red"), Seat("blue"), Seat("green"), Seat("black")))
PLOTS = {"Regions": lambda view: view.regions}
SYSTEM = System("marches", 1, range(2, 5), NAMES, Marches, "marches", options={"turns": 10}, plots=PLOTS)
