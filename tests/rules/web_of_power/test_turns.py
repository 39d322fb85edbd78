"""Turns: placing, drawing, the two halves and the end, as rows of `tests/behaviour/turns.yaml`."""

from __future__ import annotations

import pytest

from tests.behaviour import turns


@pytest.mark.paragraph(
    "first-run-out",
    "second-half",
    "score-track",
    "clockwise",
    "second-run-out",
    "final-scoring",
    "alliances",
    "scoring-order",
    "seals",
    "one-piece-a-card",
    "empty-country",
    "example-johanna",
    "cloisters",
    "sites",
    "advisor-limit",
    "example-italien",
    "advisors-anywhere",
    "discard",
    "change",
    "draw",
)
@pytest.mark.parametrize("row", turns.named("web-of-power"))
def test_a_turn_comes_to_what_its_row_says(row: turns.Row) -> None:
    assert turns.played(row) == row["steps"]
