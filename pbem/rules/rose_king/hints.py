"""What the form page needs to play ahead on the board: where cards lead, and how many a hand may hold."""

from __future__ import annotations

from math import isqrt

from pbem.core.interface import Json
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.rules import RoseKing
from pbem.rules.rose_king.state import Card
from pbem.rules.rose_king.view import View


def list_hints(rules: RoseKing, view: View) -> Json:
    """Return the hints for the owner of a view, on turn or not; None for a spectator.

    Returns:
        `ways`: of each card in a hand, the columns and rows that the crown moves, to the right and down;
        `limit`: the most cards that a hand can hold.
    """
    if view.me is None:
        return None
    held = dict.fromkeys((*view.red.hand, *view.white.hand))
    ways: dict[str, Json] = {card: list[Json](_way(rules.facts, card)) for card in held}
    return {"ways": ways, "limit": rules.facts.hand_limit}


def _way(facts: Facts, card: Card) -> tuple[int, int]:
    """Return the columns and rows by which a card moves the crown, to the right and down."""
    size = isqrt(len(facts.squares))
    here, there = next((square, leaps[card]) for square, leaps in facts.leaps.items() if card in leaps)
    (y, x), (row, column) = (divmod(facts.squares.index(one), size) for one in (here, there))
    return column - x, row - y
