"""Slips that people make in orders: what can mean one thing is taken, else what would do is offered."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from pbem.play.home import Home
from pbem.play.lodging import checked
from pbem.text.canonical import canonical
from pbem.text.orders import Faults
from tests.homes import a_game, a_home, sample_games, top
from tests.written import yaml_beside

SLIPS: list[dict[str, Any]] = yaml_beside(__file__, "slips.yaml")
NOTHING = "(nothing: the lines before are withdrawn)"
TAKEN = [row for row in SLIPS if "means" in row]
REFUSED = [row for row in SLIPS if "said" in row]
OFFERED = [row for row in REFUSED if row["offered"]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The sample games as they are saved, and one that was not dealt yet."""
    home = a_home(tmp_path_factory.mktemp("slips"))
    shutil.copytree(sample_games(), top(home) / "games", dirs_exist_ok=True)
    a_game(home, "new-1", deal=False)
    return home


def text_of(row: dict[str, Any]) -> str:
    """Return the whole file that a row of the table writes."""
    return f"{row['head']}{row['written'].rstrip(chr(10))}\n"


def corrected(text: str, offered: list[dict[str, Any]]) -> str:
    """Return a file with the lines in place that are offered."""
    lines = text.split("\n")
    for one in reversed(offered):
        start = one["line"] - 1
        lines[start : start + one["count"]] = one["lines"].rstrip("\n").split("\n")
    return "\n".join(lines)


def test_the_table_holds_more_than_a_hundred_slips_of_each_game() -> None:
    games = {row["slip"].partition(":")[0] for row in SLIPS}

    assert len(SLIPS) > 120
    assert games == {"rose-1", "web-1", "powers-1", "cards-1", "wop-1", "new-1"}
    assert len({row["slip"] for row in SLIPS}) == len(SLIPS)


@pytest.mark.parametrize("row", TAKEN, ids=lambda row: row["slip"])
def test_a_slip_that_means_one_thing_only_is_taken_for_it_and_told(home: Home, row: dict[str, Any]) -> None:
    found = checked(home, text_of(row).encode())

    assert not isinstance(found, list), [str(fault) for fault in found]
    assert [f"{one.line}: {one.text}" for one in found.notes] == row["taken"]
    assert (canonical(found.submission.orders) or NOTHING) == row["means"].rstrip("\n")


@pytest.mark.parametrize("row", TAKEN, ids=lambda row: row["slip"])
def test_what_a_slip_was_taken_for_is_read_strictly_and_means_the_same(
    home: Home, row: dict[str, Any]
) -> None:
    found = checked(home, text_of(row).encode())
    assert not isinstance(found, list)

    again = checked(home, found.data)

    assert not isinstance(again, list)
    assert again.notes == ()
    assert again.data == found.data
    assert again.submission.orders == found.submission.orders


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["slip"])
def test_of_any_other_mistake_is_said_where_and_what_and_what_could_be_written(
    home: Home, row: dict[str, Any]
) -> None:
    found = checked(home, text_of(row).encode())

    assert isinstance(found, Faults)
    assert [str(fault) for fault in found] == row["said"]
    assert [f"{line}: {text}" for text, line in found.notes] == row.get("taken", [])
    assert (found.is_example, found.is_less) == (row.get("example", False), row.get("less", False))
    assert [*found.done] == row.get("done", [])
    offered = [(one.line, one.count, "\n".join(one.lines)) for one in found.offer]
    assert offered == [(one["line"], one["count"], one["lines"].rstrip("\n")) for one in row["offered"]]


@pytest.mark.parametrize("row", OFFERED, ids=lambda row: row["slip"])
def test_the_lines_that_are_offered_are_accepted_as_they_stand(home: Home, row: dict[str, Any]) -> None:
    text = corrected(text_of(row), row["offered"])

    found = checked(home, text.encode())

    assert row["offered"], "something must be offered"
    assert not isinstance(found, list), [str(fault) for fault in found]
    assert found.notes == ()
