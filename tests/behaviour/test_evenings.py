"""Evenings: what comes of each step is what its row says."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.behaviour.evenings import FILES, Row, facts_in, outcomes, rows

ROWS = [row for name in FILES for row in rows(name)]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_what_comes_of_each_step_is_what_its_row_says(row: Row) -> None:
    assert outcomes(row) == (row.start, [facts_in(step) for step in row.steps])


def test_there_are_evenings_of_every_kind_and_no_row_stands_twice() -> None:
    names = [row.name for row in ROWS]
    verbs = Counter(step["do"][0] for row in ROWS for step in row.steps if "do" in step)

    assert len(names) == len(set(names))
    assert len(names) >= 150
    assert verbs.keys() >= {
        *[
            "run",
            "send",
            "undo",
            "replace",
            "seat",
            "away",
            "vote",
            "pause",
            "resume",
            "extend",
            "cancel",
            "hold",
            "announce",
        ]
    }
