"""Every printed example of the game, and what follows from printed sentences."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.rules.rose_king.scoring import decide, find_lands, points_of, sizes
from pbem.rules.rose_king.state import RED, SEATS, WHITE, Square
from tests.written import yaml_beside

from .table import do, drawn, position, rose_king

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


@pytest.mark.paragraph("play", "hero-turns")
@pytest.mark.parametrize("row", rows("plays"))
def test_a_play_is_legal_as_the_rules_say(row: dict[str, Any]) -> None:
    state = position(tokens=row["board"], crown=row["crown"])
    rules = rose_king()
    problems = rules.check(rules.view(state, RED), rules.read(row["order"]))
    assert (problems == ()) == row["legal"]


@pytest.mark.paragraph("hero-turns")
@pytest.mark.parametrize(
    "row", [row for row in EXAMPLES["plays"] if "after" in row], ids=lambda row: row["id"]
)
def test_a_play_has_the_effect_that_the_rules_say(row: dict[str, Any]) -> None:
    after, _ = do(position(tokens=row["board"], crown=row["crown"]), row["order"])
    found: dict[str, Any] = {
        **{str(square): seat for square, seat in after.tokens.items()},
        "crown": after.crown,
        "heroes": after.players[RED].heroes,
        "supply": after.supply,
        "discards": list(after.discards),
    }
    assert found == row["after"]
    assert after.to_move == WHITE
