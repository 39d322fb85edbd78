"""Refusals: each ends as its row says, names its places, and changes nothing but what its row says."""

from __future__ import annotations

import pytest

from tests.behaviour.corpus import OURS
from tests.behaviour.refusals import ASKED, Row, play, rows

ROWS = rows()


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row["refusal"], marks=OURS if "shows ours" in row else ()) for row in ROWS]
)
def test_what_is_refused_comes_to_what_its_row_says(row: Row) -> None:
    facts, words = play(row)

    assert facts == {name: value for name, value in row.items() if name not in ASKED}
    assert "Traceback" not in words


def test_there_are_refusals_of_every_exit_code_and_no_row_stands_twice() -> None:
    names = [row["refusal"] for row in ROWS]

    assert len(names) == len(set(names)) >= 150
    assert {row["exit"] for row in ROWS} >= {1, 2, 3}
