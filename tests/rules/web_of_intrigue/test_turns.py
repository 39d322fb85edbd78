"""A turn, phase by phase: order of action, bids, specials, guesses, moves."""

from __future__ import annotations

import pytest

from pbem.rules.web_of_intrigue.state import Square
from tests.behaviour import turns

from .table import A, B, C, D, do, loaded, position, seen_by, woi

AT_HOME = {A: "d5", B: "d5", C: "d5", D: "d5"}


@pytest.mark.paragraph("bid-known")
def test_a_bidder_is_told_the_same_whatever_the_house_of_the_owner() -> None:
    tiles = {"d5": "rick_blacken", "d4": "peace_movement"}
    told = set()
    for house in ("leo", "virgo", "libra", "cancer"):
        houses = {A: "capricorn", B: house, C: "taurus", D: "gemini"}
        state = position(tiles=tiles, squares=AT_HOME, houses=houses, owners={"rick_blacken": B})
        orders = {
            A: {
                "special_1": {"enact": "peace_movement", "points": 1},
                "bid_1": {"for": "rick_blacken", "points": 5},
            }
        }
        after, events = do(state, orders, loaded(bid_1_die_1=1))
        told.add(str((seen_by(events, A), woi().view(after, A))))
    assert len(told) == 1


@pytest.mark.paragraph("bid-distance", "intro-web")
@pytest.mark.parametrize(
    ("here", "there", "steps"),
    [
        ("a1", "j1", 1),
        ("a1", "a10", 1),
        ("a1", "j10", 2),
        ("b10", "b2", 2),
        ("j5", "b5", 2),
        ("a1", "f6", 10),
    ],
)
def test_distance_counts_round_every_edge(here: str, there: str, steps: int) -> None:
    grid = woi().facts.grid
    assert grid.distance(Square(here), Square(there)) == grid.distance(Square(there), Square(here)) == steps


@pytest.mark.paragraph(
    "points-order",
    "example-5",
    "example-7",
    "points-others",
    "special-row",
    "special-column",
    "intro-web",
    "special-fog",
    "special-tile",
    "guess-basis",
    "bid-public",
    "victory-points",
    "guess-bonus",
    "tiles-memory",
)
@pytest.mark.parametrize("row", turns.named("web-of-intrigue"))
def test_a_turn_comes_to_what_its_row_says(row: turns.Row) -> None:
    assert turns.played(row) == row["steps"]
