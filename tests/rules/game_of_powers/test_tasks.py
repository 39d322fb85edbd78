"""Tasks: what played cards entitle to, who comes first, and that nothing is claimed by itself."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.rules.game_of_powers.state import Task
from pbem.rules.game_of_powers.tasks import missing

from .table import cards, game, hold, position, view_of

TAKE: dict[str, Json] = {"sail": 1, "take_tokens": ["any", "any"]}
FAR = hold("", at="haithabu clockwise")


@pytest.mark.paragraph(
    "task-four-sites", "task-five-of-a-site", "task-six", "task-four-of-a-category", "task-pairs"
)
@pytest.mark.parametrize(
    ("task", "played", "lacking"),
    [
        ("four_sites", "", 4),
        ("four_sites", "1 2 3 14 27", 1),
        ("four_sites", "1 14 27 40", 0),
        ("five_owidz", "27 28 29 30", 1),
        ("five_owidz", "27 28 29 30 31", 0),
        ("five_owidz", "1 2 3 4 5", 5),
        ("six_categories", "1 3 5 8 10", 1),
        ("six_categories", "1 3 5 8 10 12", 0),
        ("four_of_a_category", "1 2 14", 1),
        ("four_of_a_category", "1 2 14 15", 0),
        ("three_pairs", "1 2 3 4 5", 1),
        ("three_pairs", "1 2 3 4 5 6", 0),
        ("three_pairs", "1 2 14 15 27 28", 4),
    ],
)
def test_so_many_cards_are_missing_for_a_task(task: str, played: str, lacking: int) -> None:
    facts = game().facts

    assert missing(facts, facts.tasks[Task(task)], cards(played)) == lacking
    view = view_of(position(hold("", played=cards(played)), FAR))
    assert view.own.lacking[Task(task)] == lacking
