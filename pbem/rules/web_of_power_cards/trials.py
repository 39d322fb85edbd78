"""Turns that a player is likely to try in the form page: cards in any order, and a stone on another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.choices import list_hauls
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.view import View

MOST: Final = 300
"""So many turns are tried; what goes beyond is left to the host."""


def list_trials(rules: WebOfPowerCards, view: View) -> tuple[Json, ...]:
    """Return turns for the owner of a view: every card by itself, what can be taken together, and stones."""
    lying = [card for card, place in view.cards.items() if place.depth is not None]
    singles: list[Json] = [{"take": [card]} for card in lying]
    hauls = [haul.order for haul in list_hauls(rules.facts, view)]
    together = [order for haul in hauls for order in _in_any_order(haul)]
    claims = [order for haul in hauls for order in _with_stones(view, haul, [str(card) for card in lying])]
    return (*singles, *together[:MOST], *claims[:MOST])


def _in_any_order(haul: dict[str, Json]) -> Iterator[Json]:
    cards = haul["take"]
    assert isinstance(cards, list), "a haul is a list of cards"
    if len(cards) <= 3:
        for order in permutations(cards):
            yield {**haul, "take": list[Json](order)}


def _with_stones(view: View, haul: dict[str, Json], lying: list[str]) -> Iterator[Json]:
    """Yield a haul with a stone on a free card, from the reserve and moved from each card of the seat.

    On any other free card a stone would do the same, which the form page knows.
    """
    cards = haul["take"]
    assert isinstance(cards, list) and view.me is not None, "only seats take cards"
    mine = [str(card) for card in view.players[view.me].stones if card not in cards]
    free = [card for card in lying if card not in cards and view.cards[card].stone is None]  # type: ignore[index]
    for card in free[:1]:
        yield {**haul, "claim": [card]}
        for source in mine:
            yield {**haul, "claim": [card], "from": [source]}
