"""Lines for later turns are called what their rows say; what is called impossible or sure turns out so."""

from __future__ import annotations

import pytest

from tests.behaviour.later import Row, judged, rows
from tests.benchmarks import never
from tests.benchmarks.pace import SEATS

ROWS = rows()
ENOUGH, MANY, FILED = 2500, 20_000, 500
"""So many lines called impossible, so many in all, and so many of whole files are judged for each rules."""


@pytest.mark.parametrize("row", ROWS, ids=[row["position"] for row in ROWS])
def test_each_line_is_called_what_its_row_says(row: Row) -> None:
    assert judged(row) == row["lines"]


def test_lines_of_all_kinds_are_judged_in_each_of_the_rules() -> None:
    for rules in {row["rules"] for row in ROWS}:
        lines = [line for row in ROWS if row["rules"] == rules for line in row["lines"]]
        counts = {
            kind: sum(kind in line for line in lines)
            for kind in ("never", "sure", "provided", "unknown", "besides")
        }
        assert counts["never"] >= 20
        assert counts["sure"]
        assert counts["provided"]


@pytest.mark.worlds
@pytest.mark.parametrize("rules", [*SEATS, "web-of-intrigue"])
def test_of_lines_of_games_of_bots_none_was_never_and_played_or_sure_and_refused(rules: str) -> None:
    found = never.judged(rules, *((ENOUGH, MANY) if rules in SEATS else (0, 0)), FILED)

    assert not found.breaches, found.breaches[:5]
    assert rules not in SEATS or found.never >= ENOUGH
    assert rules not in SEATS or found.lines_ahead >= MANY
    assert found.file_lines >= FILED
    assert (bool(found.vain), bool(found.stops)) == (True, rules in SEATS)
    assert (found.wrongly_never, found.wrongly_sure) == (0, 0)
