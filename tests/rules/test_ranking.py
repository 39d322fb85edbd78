"""Points by rank: the first rank earns all, each rank below what one seat of the rank above holds."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.rules.kit.ranking import find_ahead, score_by_rank, without


@pytest.mark.parametrize(
    ("most", "held", "points"),
    [
        pytest.param(7, [4, 2, 1], [7, 4, 2], id="each-rank-earns-what-the-one-above-holds"),
        pytest.param(5, [2, 2, 1], [5, 5, 2], id="a-shared-rank-counts-as-one"),
        pytest.param(7, [3, 3, 1], [7, 7, 3], id="the-next-rank-earns-one-holders-count"),
        pytest.param(9, [4, 2, 2, 1], [9, 4, 4, 2], id="a-shared-second-rank"),
        pytest.param(1, [1, 0], [1, 0], id="nothing-earns-nothing"),
        pytest.param(0, [0, 0, 0], [0, 0, 0], id="nobody-holds-anything"),
        pytest.param(4, [1, 2], [2, 4], id="in-any-order-of-seats"),
    ],
)
def test_points_follow_the_ranks(most: int, held: list[int], points: list[int]) -> None:
    seats = [Seat(name) for name in "abcde"[: len(held)]]

    found = score_by_rank(most, dict(zip(seats, held, strict=True)))

    assert found == dict(zip(seats, points, strict=True))


@pytest.mark.parametrize(
    ("points", "coins", "ahead", "decided_by"),
    [
        ((3, 2, 1), (0, 0, 9), "a", "points"),
        ((3, 3, 1), (0, 5, 9), "b", "coins left"),
        ((3, 3, 1), (5, 5, 9), "ab", "points"),
        ((3, 3, 3), (5, 5, 1), "ab", "coins left"),
        ((3, 3, 3), (5, 5, 5), "abc", ""),
    ],
)
def test_who_is_ahead(points: tuple[int, ...], coins: tuple[int, ...], ahead: str, decided_by: str) -> None:
    seats = tuple(map(Seat, "abc"))
    counts = [dict(zip(seats, found, strict=True)) for found in (points, coins)]

    found = find_ahead(seats, ("points", counts[0]), ("coins left", counts[1]))

    assert found == (tuple(ahead), decided_by)


def test_each_of_some_things_takes_one_like_it_away() -> None:
    assert without(("a", "b", "a", "c"), ("a", "c", "d")) == ("b", "a")
