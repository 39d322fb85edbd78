"""The graph of a replay: points as the public saw them, from a view or from what is kept of one."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.archive.story import lines_of, points_of
from pbem.core.interface import Plot
from pbem.rules.kit.plots import of_players

PLOTS: dict[str, Plot] = {"Points": of_players(lambda side: side.points)}


@dataclass(frozen=True)
class Side:
    points: int


@dataclass(frozen=True)
class View:
    players: dict[str, Side]


def test_what_is_kept_of_a_view_has_the_points_of_the_view() -> None:
    view = View({"red": Side(3), "white": Side(4)})
    kept = {"players": {"red": {"points": 3}, "white": {"points": 4}}}

    assert points_of(PLOTS, view) == points_of(PLOTS, kept) == {"red": 3, "white": 4}


@pytest.mark.parametrize("view", [None, {}, {"players": {"red": {}}}, {"players": []}, "damaged"])
def test_a_view_in_which_there_are_no_points_has_none(view: object) -> None:
    assert points_of(PLOTS, view) == {}
    assert points_of({}, view) == {}


@given(st.lists(st.dictionaries(st.sampled_from(["red", "white"]), st.integers(-99, 999)), min_size=1))
def test_a_line_has_each_change_at_its_moment_and_more_points_stand_higher(
    points: list[dict[str, int]],
) -> None:
    lines = lines_of(points)

    assert [line.seat for line in lines] == list(dict.fromkeys(seat for one in points for seat in one))
    for line in lines:
        first = re.match(r"M(\d+) (\d+)", line.path)
        assert first is not None
        steps = [(int(first[1]), int(first[2]))]
        steps += ((int(x), int(y)) for x, y in re.findall(r"H(\d+)V(\d+)", line.path))
        told = [(moment, one[line.seat]) for moment, one in enumerate(points) if line.seat in one]
        changes = [one for n, one in enumerate(told) if n == 0 or told[n - 1][1] != one[1]]
        assert [moment for moment, _ in steps] == [moment for moment, _ in changes]
        for (_, y), (_, number) in zip(steps, changes, strict=True):
            for (_, other_y), (_, other) in zip(steps, changes, strict=True):
                assert 0 <= y <= 100 and (number <= other or y <= other_y)
