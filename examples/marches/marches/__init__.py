"""Marches, for two to four: armies march from region to region, and who holds the most regions wins."""

from marches.rules import COLOURS, Marches
from pbem.core.interface import System
from pbem.rules.kit.ruled import first_of

SYSTEM = System(
    name="marches",
    version=1,
    seats=range(2, 5),
    seat_names=first_of(COLOURS),
    load=Marches,
    package="marches",
    options={"turns": 10},
    plots={"Regions": lambda view: view.regions},
)
