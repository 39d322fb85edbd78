"""Game of Powers (ArchaeoBalt, Interreg South Baltic), for 2 to 5; board and cards are reconstructed.

Ships sail round the Baltic Sea, gather influence and finds from four archaeological sites, play them where
they come from, complete tasks, and trade with each other.
"""

from pbem.core.interface import System
from pbem.rules.game_of_powers.hints import list_hints
from pbem.rules.game_of_powers.rules import load
from pbem.rules.game_of_powers.state import SEATS
from pbem.rules.game_of_powers.tally import tally
from pbem.rules.kit.plots import of_players
from pbem.rules.kit.ruled import first_of

SYSTEM = System(
    name="game-of-powers",
    version=1,
    seats=range(2, 6),
    seat_names=first_of(SEATS),
    load=load,
    package="pbem.rules.game_of_powers",
    options={"start_points": False, "tasks": True, "trade": True},
    tally=tally,
    hints=list_hints,
    plots={
        "Points if it ended now": of_players(lambda side: side.points + side.bonus),
        "Cards played": of_players(lambda side: len(side.played)),
    },
)
