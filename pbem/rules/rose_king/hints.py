"""What the form page needs to play ahead on the board: where cards lead, and how many a hand may hold."""

from __future__ import annotations

from pbem.core.interface import Json
from pbem.rules.rose_king.rules import RoseKing
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
    ways: dict[str, Json] = {card: list[Json](rules.facts.ways[card]) for card in held}
    return {"ways": ways, "limit": rules.facts.hand_limit}
