"""Every printed example of the game, and what follows from printed sentences."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.rules.rose_king.scoring import decide, find_lands, points_of, sizes
from pbem.rules.rose_king.state import SEATS, Square
from tests.written import yaml_beside

from .table import drawn, rose_king

EXAMPLES: dict[str, Any] = yaml_beside(__file__, "examples.yaml")


def rows(name: str) -> list[Any]:
    return [pytest.param(row, id=row["id"]) for row in EXAMPLES[name]]


@pytest.mark.paragraph("example", "territory-points", "total", "tie")
@pytest.mark.parametrize("row", rows("scores"))
def test_territories_score_their_squares_and_decide_the_game(row: dict[str, Any]) -> None:
    for seat in SEATS:
        assert [points_of([size]) for size in row[seat]["territories"]] == row[seat]["squares"]
        assert points_of(row[seat]["territories"]) == row[seat]["points"]
    winners, decided_by = decide({seat: row[seat]["territories"] for seat in SEATS})
    assert winners == (() if row["winner"] == "nobody" else (row["winner"],))
    assert decided_by == row["decided_by"]


@pytest.mark.paragraph("example", "territories")
@pytest.mark.parametrize("row", rows("boards"))
def test_a_board_has_the_territories_of_the_example(row: dict[str, Any]) -> None:
    tokens = {Square(square): Seat(holder) for square, holder in drawn(row["board"]).items()}
    lands = find_lands(rose_king().facts, tokens)
    for seat in SEATS:
        assert list(sizes(lands, tokens, seat)) == row[seat]["territories"]
        assert points_of(sizes(lands, tokens, seat)) == row[seat]["points"]


@pytest.mark.paragraph("table", "territory-points")
@pytest.mark.parametrize(("size", "points"), EXAMPLES["table"].items())
def test_the_printed_table_of_points_holds(size: int, points: int) -> None:
    assert points_of([size]) == points
