"""The Rose King (Rosenkönig, Dirk Henn 1999), for two, after the Thames & Kosmos edition of 2015.

Red and white move one crown over a board of 9 x 9 squares with cards of direction and distance, and leave a
rose where it stops. A territory counts the square of its size.
"""

from pbem.core.interface import System
from pbem.rules.kit.ruled import first_of
from pbem.rules.rose_king.hints import list_hints
from pbem.rules.rose_king.rules import load
from pbem.rules.rose_king.state import SEATS

SYSTEM = System(
    name="rose-king",
    version=1,
    seats=range(2, 3),
    seat_names=first_of(SEATS),
    load=load,
    package="pbem.rules.rose_king",
    options={"own_tokens": 0},
    hints=list_hints,
    plots={
        "Points": lambda view: {seat: getattr(view, seat).points for seat in SEATS},
        "Heroes left": lambda view: {seat: getattr(view, seat).heroes for seat in SEATS},
    },
)
