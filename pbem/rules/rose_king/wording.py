"""Orders and facts in words, and orders that fit a position as examples for the form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.interface import Choices, Draft, Json
from pbem.core.wording import Wording
from pbem.rules.rose_king.conditions import conditions
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.moves import read_move
from pbem.rules.rose_king.planning import lines_ahead
from pbem.rules.rose_king.state import SEATS, Draw, Play
from pbem.rules.rose_king.view import View

FACT_WORDS: Final[Mapping[str, str]] = {
    "crown": "the square of the crown",
    "lost_token": "the last turn of your opponent turned over a token of yours",
    "to_move": "the seat on turn",
    "board.*": "what stands on {0}",
    "pile": "the number of cards in the pile",
    "supply": "the number of tokens left",
    "discards": "the discards",
    "*.hand": "the hand of {0}",
    "*.heroes": "the number of heroes of {0}",
    "*.roses": "the number of tokens of {0} on the board",
    "*.points": "the points of {0}",
    "*.largest": "the largest territory of {0}",
    "*.tokens_left": "the number of tokens that {0} has left",
    "*.turned": "the last turn of {0} turned over a token",
}


def wording(facts: Facts) -> Wording:
    """Return how this game says orders, facts and names."""
    return Wording(FACT_WORDS, {}, order_words, name_words, conditions(facts))


def order_words(order: Json) -> str:
    """Return an order as a sentence has it: "play N2 with a hero"."""
    match read_move(order):
        case Play(card, hero):
            return f"play {card}{' with a hero' if hero else ''}"
        case Draw():
            return "draw a card"


def name_words(name: str) -> str:
    """Return a seat with its capital letter; squares and cards as they are."""
    return name.capitalize() if name in SEATS else name


def draft(facts: Facts, view: View, choices: Choices) -> Draft:
    """Return an order for now, and the ready line for a reply that the opponent can make after it."""
    if view.me is None:
        return Draft()
    written = next(choices.whole(), None)
    stop: Mapping[str, Json] = {"lost_token": True}
    keep: Json = {"draw": True}
    now = read_move(written) if written is not None else None
    first = None
    for line in lines_ahead(facts, view, now, 1):
        if line.when.keys() != {"crown"}:
            continue
        if isinstance(read_move(line.do), Play):
            return Draft(written, line.when, line.do, keep, stop)
        first = first or line
    return Draft(written, first.when, first.do, keep, stop) if first else Draft(written, {}, keep, keep, stop)
