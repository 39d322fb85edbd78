"""What views reach: tables that are worked out when they are read hold nothing hidden from their reader."""

from __future__ import annotations

import gc
import sys
import types
from typing import Any

import pytest

from tests.pictures import RULES, course

Kept = (type, types.ModuleType)
"""What is no part of a view: classes and modules, which any value leads to."""


def kinds_in_reach(value: object) -> set[type]:
    """Return the classes of all that a value leads to: fields, entries, and what functions in it hold."""
    seen: set[int] = set()
    kinds: set[type] = set()
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, Kept):
            continue
        seen.add(id(one))
        kinds.add(type(one))
        if isinstance(one, types.FunctionType):  # but not the module that it stands in
            waiting += [*(one.__closure__ or ()), *(one.__defaults__ or ()), one.__kwdefaults__]
        else:
            waiting += gc.get_referents(one)
    return kinds


@pytest.mark.parametrize("rules", RULES)
def test_no_view_leads_to_a_state_or_to_a_part_of_one(rules: str) -> None:
    """Wherever a state could be reached, a template or a condition could say what is hidden."""
    scenes = course(rules)
    for scene in scenes[1 :: max(1, len(scenes) // 6)]:
        state: Any = scene.run.position.game.state  # type: ignore[union-attr]
        hidden = {type(state)} | {type(side) for side in getattr(state, "players", {}).values()}
        assert {kind.__module__ for kind in hidden} <= set(sys.modules)
        for seat in (*scene.names, None):
            assert not kinds_in_reach(scene.opening.view(scene.run.position.game, seat)) & hidden
