"""Every worked example of the rules, and what follows from stated numbers."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.rules.game_of_powers.rules import load
from pbem.rules.game_of_powers.scoring import bonuses
from tests.written import yaml_beside

from .table import game, shipped_data

EXAMPLES: dict[str, Any] = yaml_beside(__file__, "examples.yaml")


def rows(name: str) -> list[Any]:
    return [pytest.param(row, id=row["id"]) for row in EXAMPLES[name]]


@pytest.mark.paragraph(
    "task-tokens", "task-five-of-a-site", "task-six", "task-four-of-a-category", "task-pairs"
)
@pytest.mark.parametrize("row", rows("task_tokens"))
def test_there_are_twelve_task_tokens_of_these_values(row: dict[str, Any]) -> None:
    tasks = {str(name): list(task.values) for name, task in game().facts.tasks.items()}
    same_site = [value for name, values in tasks.items() if name.startswith("five_") for value in values]
    found = {name: values for name, values in tasks.items() if not name.startswith("five_")}

    assert {**found, "five_same_site": same_site} == row["tokens"]
    assert sum(len(values) for values in tasks.values()) == row["total"]


@pytest.mark.paragraph("task-tokens")
@pytest.mark.parametrize("number", [11, 13])
def test_tables_with_another_number_of_task_tokens_are_refused(number: int) -> None:
    data = copy.deepcopy(shipped_data())
    first, *others = data["tasks"]["list"]
    total = data["tasks"]["total"]
    first["values"] = [6] * (number - sum(len(task["values"]) for task in others))
    with pytest.raises(ValueError, match=f"{total}.*{number}|{number}.*{total}"):
        load(data)
    assert total == 12


@pytest.mark.paragraph("end-bonus")
@pytest.mark.parametrize("row", rows("bonus"))
def test_the_bonus_is_for_most_unplayed_cards_and_tokens(row: dict[str, Any]) -> None:
    assets = {Seat(seat): count for seat, count in row["assets"].items()}

    assert bonuses(game().facts, assets) == row["expect"]
