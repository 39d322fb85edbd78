"""Hills, for the contract: menus by place, words and numbers, one field named luck, and no bots."""

from pbem.core.interface import System
from pbem.rules.kit.ruled import first_of

from .rules import SEATS, load

SYSTEM = System(
    name="hills", version=1, seats=range(2, 4), seat_names=first_of(SEATS), load=load, package="hills"
)
