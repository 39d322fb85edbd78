"""Orders of people who see a game for the first time: taken at once, and read back as they were meant."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.play.home import Home
from pbem.play.lodging import checked
from pbem.text.verdicts import in_words
from tests.homes import a_demo
from tests.written import yaml_beside

WRITTEN: list[dict[str, Any]] = yaml_beside(__file__, "first_orders.yaml")
READ_BACK = re.compile(r"order \d|Stop:|Message| {2}\|")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with the sample games, a turn after they were saved."""
    return a_demo(tmp_path_factory.mktemp("demo") / "home")


def test_what_was_written_first_is_taken_and_read_back_as_it_was_meant(demo: Home) -> None:
    for row in WRITTEN:
        found = checked(demo, row["written"].encode())

        if "refused" in row:
            assert isinstance(found, list) and row["refused"] in str(found[0]), row["wanted"]
            continue
        assert not isinstance(found, list), (row["wanted"], [str(fault) for fault in found])
        told = in_words(found.verdict) if found.submission.orders.lines else found.verdict.besides
        assert [line.strip() for line in told if READ_BACK.match(line)] == row["means"], row["wanted"]


def test_the_table_has_orders_of_every_game_with_plans_messages_and_stops() -> None:
    games = {row["written"].split()[1] for row in WRITTEN}
    parts = {
        part for row in WRITTEN for part in ("when:", "keep:", "press:", "stop_if:") if part in row["written"]
    }

    assert games == {"rose-1", "web-1", "powers-1", "cards-1", "wop-1"}
    assert len(parts) == 4
