"""The end: the last round, the points, and who wins."""

from __future__ import annotations

from typing import Any

from pbem.core.interface import Json
from pbem.rules.game_of_powers.state import State

from .table import hold, position

CARDS: dict[str, Json] = {"sail": 1, "take_cards": ["any", "any"]}
FAR: dict[str, Json] = {**CARDS, "sail": 3, "extra": 1}
TOKENS: Json = {"sail": 1, "take_tokens": ["any", "any"]}


def table(pile: str, *, to_move: str = "white", **more: Any) -> State:
    return position(*[hold("", at="haithabu clockwise")] * 3, pile=pile, to_move=to_move, **more)
