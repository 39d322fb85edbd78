"""Tasks: what played cards entitle to, who comes first, and that nothing is claimed by itself."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.rules.game_of_powers.state import Task
from pbem.rules.game_of_powers.tasks import missing
from tests.written import rows_of

from .table import cards, game, hold, position, view_of

TAKE: dict[str, Json] = {"sail": 1, "take_tokens": ["any", "any"]}
FAR = hold("", at="haithabu clockwise")


@pytest.mark.paragraph(
    "task-four-sites", "task-five-of-a-site", "task-six", "task-four-of-a-category", "task-pairs"
)
@pytest.mark.parametrize(
    ("task", "played", "lacking"), rows_of(__file__, "so_many_cards_are_missing_for_a_task")
)
def test_so_many_cards_are_missing_for_a_task(task: str, played: str, lacking: int) -> None:
    facts = game().facts

    assert missing(facts, facts.tasks[Task(task)], cards(played)) == lacking
    view = view_of(position(hold("", played=cards(played)), FAR))
    assert view.own.lacking[Task(task)] == lacking
