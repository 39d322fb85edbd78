"""What the guide says of the sets of alliances that fit what is known, counted anew."""

from __future__ import annotations

from tests.benchmarks import alliances
from tests.benchmarks.alliances import INFERRED, OVER_SEA, STATED


def test_three_sets_are_of_pairs_that_a_road_joins_or_the_sea() -> None:
    found = alliances.by_road_or_sea(STATED | INFERRED)

    assert found == {alliances.shipped()[name] for name in ("sea", "sea_2", "sea_3")}
    assert all(("aragon", "england") in one for one in found)


def test_the_shipped_set_has_two_pairs_that_neither_joins() -> None:
    joined = alliances.joined()

    assert alliances.shipped()["land"] - joined - OVER_SEA == {
        ("aragon", "burgund"),
        ("frankreich", "schwaben"),
    }


def test_of_all_pairs_thirteen_sets_have_no_crossing_lines() -> None:
    found = alliances.without_crossings(STATED | INFERRED)

    assert len(found) == 13
    assert found >= set(alliances.shipped().values())
