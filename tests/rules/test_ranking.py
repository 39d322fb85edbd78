"""Points by rank: the first rank earns all, each rank below what one seat of the rank above holds."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.rules.kit.ranking import find_ahead, score_by_rank, without
from tests.written import rows_of


@pytest.mark.parametrize(("most", "held", "points"), rows_of(__file__, "points_follow_the_ranks"))
def test_points_follow_the_ranks(most: int, held: list[int], points: list[int]) -> None:
    seats = [Seat(name) for name in "abcde"[: len(held)]]

    found = score_by_rank(most, dict(zip(seats, held, strict=True)))

    assert found == dict(zip(seats, points, strict=True))


@pytest.mark.parametrize(("points", "coins", "ahead", "decided_by"), rows_of(__file__, "who_is_ahead"))
def test_who_is_ahead(points: tuple[int, ...], coins: tuple[int, ...], ahead: str, decided_by: str) -> None:
    seats = tuple(map(Seat, "abc"))
    counts = [dict(zip(seats, found, strict=True)) for found in (points, coins)]

    found = find_ahead(seats, ("points", counts[0]), ("coins left", counts[1]))

    assert found == (tuple(ahead), decided_by)


def test_each_of_some_things_takes_one_like_it_away() -> None:
    assert without(("a", "b", "a", "c"), ("a", "c", "d")) == ("b", "a")
