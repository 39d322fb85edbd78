"""Web of Power (Kardinal & König, Michael Schacht 2000), the board game, for three to five.

With cards, seats found cloisters in nine countries of Europe and send advisors there. Cloisters score twice,
alliances of advisors and chains of cloisters along the roads at the end. The map is partly reconstructed.
"""

from pbem.core.interface import System
from pbem.rules.kit.plots import of_players
from pbem.rules.kit.ruled import first_of
from pbem.rules.web_of_power.book import tell
from pbem.rules.web_of_power.hints import list_hints
from pbem.rules.web_of_power.orders import renew
from pbem.rules.web_of_power.rules import load
from pbem.rules.web_of_power.state import SEATS
from pbem.rules.web_of_power.tally import tally

SYSTEM = System(
    name="web-of-power",
    version=2,
    seats=range(3, 6),
    seat_names=first_of(SEATS),
    load=load,
    package="pbem.rules.web_of_power",
    options={"alliances": "land", "next_in_turn": False, "start_player": "first"},
    tally=tally,
    hints=list_hints,
    book=tell,
    renew=renew,
    plots={
        "Points if it ended now": of_players(lambda side: side.now),
        "Pieces left": of_players(lambda side: side.cloisters + side.advisors),
    },
)
