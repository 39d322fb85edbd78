"""Turns that a player is likely to try in the form page: cards in any order, and stones on any card."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.choices import list_hauls
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.state import Card
from pbem.rules.web_of_power_cards.view import View

MOST: Final = 250
"""So many turns are tried; what goes beyond is left to the host."""


def list_trials(rules: WebOfPowerCards, view: View) -> tuple[Json, ...]:
    """Return turns for the owner of a view: every card by itself, what can be taken together, and stones."""
    lying = [card for card, place in view.cards.items() if place.depth is not None]
    singles: list[Json] = [{"take": [card]} for card in lying]
    hauls = [haul.order for haul in list_hauls(rules.facts, view)]
    together = [order for haul in hauls for order in _in_any_order(haul)]
    soonest = sorted(lying, key=lambda card: view.cards[card].depth or 0)
    claims = [order for card in soonest for haul in hauls for order in _with_stone(view, haul, card)]
    return (*singles, *together[:MOST], *claims[:MOST])


def _in_any_order(haul: dict[str, Json]) -> Iterator[Json]:
    cards = haul["take"]
    assert isinstance(cards, list), "a haul is a list of cards"
    if len(cards) <= 3:
        for order in permutations(cards):
            yield {**haul, "take": list[Json](order)}


def _with_stone(view: View, haul: dict[str, Json], card: Card) -> Iterator[Json]:
    """Yield a haul with a stone on a card, from the reserve and moved from each card of the seat."""
    cards = haul["take"]
    assert isinstance(cards, list) and view.me is not None, "only seats take cards"
    if card not in cards and view.cards[card].stone is None:
        yield {**haul, "claim": [card]}
        for source in view.players[view.me].stones:
            if source not in cards:
                yield {**haul, "claim": [card], "from": [source]}
