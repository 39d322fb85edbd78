"""Who has nothing to answer an ask with."""

from __future__ import annotations

import pytest

from pbem.core.book import owing
from pbem.core.interface import Ask, Json, Label
from tests.core.small_rules import ANN, Pile, Stones, lodged

RULES = Stones()
PILE = Pile(stones=5)
ASK = Ask("take", Label("ann-1"), frozenset([ANN]))
TAKE: dict[str, Json] = {"do": {"take": 1}}


@pytest.mark.parametrize(
    ("stop_if", "fresh", "waits"),
    [
        pytest.param({}, False, False, id="nothing-stops-it"),
        pytest.param({"stones": 4}, False, False, id="what-would-stop-it-is-not-there"),
        pytest.param({"stones": 5}, False, True, id="older-lines-are-stopped"),
        pytest.param({"stones": 5}, True, False, id="fresh-ones-answer-the-ask-they-were-sent-for"),
    ],
)
def test_a_seat_whose_lines_are_stopped_is_waited_for(
    stop_if: dict[str, Json], fresh: bool, waits: bool
) -> None:
    orders = lodged(TAKE, stop_if=stop_if)._replace(fresh=fresh)

    found = owing(RULES, PILE, ASK, {ANN: orders}, bots=(), forced=False)

    assert found == (frozenset([ANN]) if waits else frozenset())
