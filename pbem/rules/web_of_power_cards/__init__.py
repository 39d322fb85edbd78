"""Web of Power: the card game (Kardinal & König: Das Kartenspiel, Michael Schacht 2001), for 3 to 5.

Orders struggle for the countries of Europe in the 12th century: players take land cards from the ends of four
rows, claim others with stones, and score countries, circle symbols, ships and carriages. The cards' faces are
reconstructed.
"""

from pbem.core.interface import System
from pbem.rules.kit.plots import of_players
from pbem.rules.kit.ruled import first_of
from pbem.rules.web_of_power_cards.hints import list_hints, list_trials
from pbem.rules.web_of_power_cards.rules import load, load_first
from pbem.rules.web_of_power_cards.state import SEATS
from pbem.rules.web_of_power_cards.tally import tally

SYSTEM = System(
    name="web-of-power-cards",
    version=2,
    seats=range(3, 6),
    seat_names=first_of(SEATS),
    load=load,
    older={1: load_first},
    package="pbem.rules.web_of_power_cards",
    options={"own_claim_free": False},
    tally=tally,
    trials=list_trials,
    hints=list_hints,
    plots={
        "Points if it ended now": of_players(lambda side: side.points),
        "Land cards": of_players(lambda side: len(side.cards)),
    },
)
