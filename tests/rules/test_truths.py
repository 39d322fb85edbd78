"""Conditions in the words of each game hold where their sentences are so, on positions of played games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from types import ModuleType
from typing import Any, Final

import pytest

from pbem.core.wording import wording_of
from tests.behaviour import judged
from tests.rules.drawn import compare
from tests.rules.game_of_powers import truths as powers
from tests.rules.rose_king import truths as rose
from tests.rules.web_of_intrigue import truths as intrigue
from tests.rules.web_of_power import truths as power
from tests.rules.web_of_power_cards import truths as cards

DRAWS: Final[Mapping[str, tuple[ModuleType, int, int]]] = {
    "game-of-powers": (powers, 8, 40),
    "rose-king": (rose, 1, 20),
    "web-of-intrigue": (intrigue, 8, 120),
    "web-of-power": (power, 10, 40),
    "web-of-power-cards": (cards, 8, 60),
}
"""What the conditions of each of the rules say, and how often each is drawn in a position: few and many."""


@pytest.mark.parametrize("rules", DRAWS)
@pytest.mark.parametrize("is_thorough", [False, pytest.param(True, marks=pytest.mark.worlds)])
def test_each_condition_holds_where_its_sentence_is_so(rules: str, is_thorough: bool) -> None:
    said, few, many = DRAWS[rules]
    system: Any = judged.RULES[rules][0]()
    seen = Counter[tuple[str, bool]]()
    for number, state in enumerate(said.positions()):
        for seat in state.players:
            seen += compare(system, state, seat, said.TRUTHS, Random(number), many if is_thorough else few)

    assert said.TRUTHS.keys() == wording_of(system).predicates.keys()
    assert seen.keys() == {(name, is_so) for name in said.TRUTHS for is_so in (True, False)}
    assert not is_thorough or seen.total() >= 20_000
