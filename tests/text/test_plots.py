"""Histories grow turn by turn, and charts of them have room for every line and name."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.text.reports.report import (
    LEFT,
    RIGHT,
    ROW,
    charts,
    extend_history,
    nice_step,
    spread_labels,
)

POINTS = {"Points": {"red": 1, "white": 0}}


def test_a_history_grows_by_one_turn() -> None:
    one = extend_history(None, 1, POINTS)

    assert one == {"turns": [1], "plots": {"Points": {"red": [1], "white": [0]}}}
    assert extend_history(one, 2, {"Points": {"red": 4, "white": 2}}) == {
        "turns": [1, 2],
        "plots": {"Points": {"red": [1, 4], "white": [0, 2]}},
    }
    assert one["turns"] == [1]


def test_nothing_is_counted_before_the_deal() -> None:
    assert extend_history({}, 0, {}) == {"turns": [], "plots": {}}


def test_what_comes_or_goes_later_has_a_gap() -> None:
    grown = extend_history(
        extend_history({}, 1, POINTS), 2, {"Points": {"red": 3, "blue": 5}, "Cards": {"pile": 9}}
    )

    assert grown["plots"] == {
        "Points": {"red": [1, 3], "white": [0, None], "blue": [None, 5]},
        "Cards": {"pile": [None, 9]},
    }
    drawn = charts(grown)
    assert [(line.name, line.last, len(line.dots)) for line in drawn[0].lines] == [
        ("red", 3, 2),
        ("white", 0, 1),
        ("blue", 5, 1),
    ]


@pytest.mark.parametrize("history", [None, {}, extend_history(None, 1, POINTS)])
def test_there_is_nothing_to_draw_of_less_than_two_turns(history: dict[str, object]) -> None:
    assert charts(history) == ()  # type: ignore[arg-type]


def test_a_chart_reaches_from_the_first_turn_to_the_last_and_from_nought_to_the_most() -> None:
    (chart,) = charts(extend_history(extend_history({}, 3, POINTS), 5, {"Points": {"red": 12, "white": 3}}))

    assert [(x, turn) for x, turn in chart.turns] == [(LEFT, 3), ((LEFT + RIGHT) / 2, 4), (RIGHT, 5)]
    assert [number for _, number in chart.ticks] == [0, 5, 10, 15]
    assert (chart.ticks[0][0], chart.ticks[-1][0]) == (chart.low, chart.high)


def test_what_is_below_nought_is_drawn_below_it() -> None:
    (chart,) = charts(extend_history(extend_history({}, 1, {"Points": {"a": -7}}), 2, {"Points": {"a": 3}}))

    assert [number for _, number in chart.ticks] == [-8, -6, -4, -2, 0, 2, 4]
    assert all(chart.high <= y <= chart.low for _, y in chart.lines[0].dots)


@pytest.mark.parametrize(
    ("span", "step"), [(0, 1), (1, 1), (5, 1), (6, 2), (10, 2), (11, 5), (26, 10), (100, 20), (101, 50)]
)
def test_ticks_are_round_numbers_and_few(span: int, step: int) -> None:
    assert nice_step(span) == step


@given(st.lists(st.integers(0, 300), min_size=1, max_size=12))
def test_names_stand_apart_and_in_the_order_of_their_lines(wanted: list[int]) -> None:
    names = {str(number): height for number, height in enumerate(wanted)}

    placed = spread_labels(names, 0, 300)

    assert all(0 <= height <= 300 for height in placed.values())
    ordered = sorted(placed.values())
    assert all(below - above >= ROW for above, below in pairwise(ordered))
    by_line = sorted(names, key=names.__getitem__)
    assert [placed[name] for name in by_line] == ordered


def test_names_that_have_room_stand_at_their_lines() -> None:
    assert spread_labels({"a": 100, "b": 50}, 0, 300) == {"a": 100, "b": 50}
