"""What the guide says of the sets of alliances that fit what is known, counted anew."""

from __future__ import annotations

import pytest

from pbem.play.books import book_of_rules
from tests.benchmarks import alliances
from tests.benchmarks.alliances import INFERRED, OVER_SEA, STATED, Pair

WORDS = {3: "three", 4: "four", 5: "five", 13: "thirteen", 14: "fourteen", 16: "sixteen"}
GUESS = "If any two countries may be allied, {} sets have no crossing lines in our picture"
LESS = "Without Burgund-Italien it would be {} and {} sets"


def told() -> str:
    """Return the game book, from which the guide has the sentences."""
    return " ".join(book_of_rules("web-of-power").markup.split())


@pytest.mark.wording("compares sentences still")
def test_three_sets_are_of_pairs_that_a_road_joins_or_the_sea() -> None:
    found = alliances.by_road_or_sea(STATED | INFERRED)

    assert found == {alliances.shipped()[name] for name in ("sea", "sea_2", "sea_3")}
    assert all(("aragon", "england") in one for one in found)
    assert "Of these, three sets have the right numbers, all with England-Aragon" in told()


@pytest.mark.wording("compares sentences still")
def test_the_shipped_set_has_two_pairs_that_neither_joins() -> None:
    joined = alliances.joined()

    assert alliances.shipped()["land"] - joined - OVER_SEA == {
        ("aragon", "burgund"),
        ("frankreich", "schwaben"),
    }
    assert "It has Frankreich-Schwaben and Aragon-Burgund, which no road of our map joins." in told()
    by_road, by_sea = WORDS[len(joined)].capitalize(), WORDS[len(OVER_SEA)]
    assert f"{by_road} pairs are joined by a road, and {by_sea} over the sea" in told()


@pytest.mark.wording("compares sentences still")
def test_of_all_pairs_thirteen_sets_have_no_crossing_lines() -> None:
    found = alliances.without_crossings(STATED | INFERRED)

    assert GUESS.format(WORDS[len(found)]) in told()
    assert found >= set(alliances.shipped().values())


@pytest.mark.wording("compares sentences still")
def test_with_the_two_stated_pairs_alone_there_are_more_sets() -> None:
    """The pair that is inferred makes four sets three, and sixteen thirteen."""
    found = alliances.by_road_or_sea(STATED), alliances.without_crossings(STATED)

    assert LESS.format(*(WORDS[len(sets)] for sets in found)) in told()


@pytest.mark.parametrize("known", [STATED, STATED | INFERRED])
def test_every_set_has_what_is_known(known: frozenset[Pair]) -> None:
    assert all(known <= one for one in alliances.without_crossings(known))
