"""Turns that a player is likely to try in the form page: cards in any order, and a stone on another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.choices import Haul, list_hauls
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.state import Card
from pbem.rules.web_of_power_cards.view import View

MOST: Final = 300
"""So many turns are tried; what goes beyond is left to the host."""


def list_trials(rules: WebOfPowerCards, view: View) -> tuple[Json, ...]:
    """Return turns for the owner of a view: cards by themselves, what can be taken together, and stones."""
    lying, hauls = [*view.table().depths()], list_hauls(rules.facts, view)
    singles: list[Json] = [{"take": [card]} for card in view.can_take]
    together: list[Json] = [order for haul in hauls for order in _in_any_order(haul)]
    claims: list[Json] = [order for haul in hauls for order in _with_stones(view, haul, lying)]
    return (*singles, *together[:MOST], *claims[:MOST])


def _in_any_order(haul: Haul) -> Iterator[Json]:
    if len(haul.cards) <= 3:
        for cards in permutations(haul.cards):
            yield {**haul.order, "take": list[Json](cards)}


def _with_stones(view: View, haul: Haul, lying: Sequence[Card]) -> Iterator[Json]:
    """Yield a haul with a stone on a free card, from the reserve and moved from each card of the seat.

    On any other free card a stone would do the same, which the form page knows.
    """
    stones = view.table().stones
    for card in [card for card in lying if card not in haul.cards and card not in stones][:1]:
        yield {**haul.order, "claim": [card]}
        for source in (one for one in lying if stones.get(one) == view.me and one not in haul.cards):
            yield {**haul.order, "claim": [card], "from": [source]}
