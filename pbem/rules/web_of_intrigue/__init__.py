"""Web of Intrigue, rules v0.1, for 2 to 12 players, best with 12; its missing tables are reconstructed.

Secret Houses of the Zodiac bid for the persons, countries, entities, discoveries and organizations of a Web
of 100 tiles, bend it with specials, and guess at each other's identity. All give orders at the same time.
"""

from collections import Counter

from pbem.core.events import Seat
from pbem.core.interface import System
from pbem.rules.kit.plots import of_players
from pbem.rules.web_of_intrigue.book import tell
from pbem.rules.web_of_intrigue.hints import list_hints
from pbem.rules.web_of_intrigue.moves import PLACES
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue, load
from pbem.rules.web_of_intrigue.tally import tally
from pbem.rules.web_of_intrigue.view import View
from pbem.rules.web_of_intrigue.whole import show_whole


def seat_names(count: int) -> tuple[Seat, ...]:
    """Return the players' numbers from 1."""
    return tuple(Seat(str(number)) for number in range(1, count + 1))


def count_controlled(view: View) -> dict[str, int]:
    """Return how many objects of each category are controlled."""
    held = Counter(owned.category for owned in view.owners.values())
    return {category: held[category] for category in view.categories}


SYSTEM = System(
    name="web-of-intrigue",
    version=1,
    seats=range(2, 13),
    seat_names=seat_names,
    load=load,
    package="pbem.rules.web_of_intrigue",
    most_steps=1,
    actions=frozenset([*PLACES, "guess", "move"]),
    options={
        "vp": "total",
        "turns": 0,
        "target": "secret",
        "reveal_reach": "anywhere",
        "guess_pays": "table",
        "free_wrong_guesses": "all",
        "sieve": "seats",
    },
    tally=tally,
    plots={
        "Points from objects": of_players(lambda face: face.points),
        "Controlled objects": count_controlled,
    },
    hints=list_hints,
    book=tell,
    stages=WebOfIntrigue.stages,
    whole=show_whole,
)
