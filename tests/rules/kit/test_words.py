"""Small parts of sentences."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.core.wording import did_you_mean, order_as_yaml
from pbem.rules.kit.words import count, in_turn, listing, unknown
from tests.facts import tells

SITES = ("mainz", "bremen", "hirsau")
TITLES = {"mainz": "Mainz", "hirsau": "Hirsau"}


def test_things_are_listed_as_sentences_do() -> None:
    assert listing([]) == ""
    assert listing(["a"]) == "a"
    assert listing(["a", "b"]) == "a and b"
    assert listing([1, 2, 3], "or") == "1, 2 or 3"
    assert in_turn(["Mainz", "Bremen"]) == "Mainz, else Bremen"


def test_a_number_has_its_noun() -> None:
    assert [count(number, "point") for number in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [count(number, "city", "cities") for number in (1, 2)] == ["1 city", "2 cities"]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("maniz", ("Mainz",)),
        ("MANIZ", ("Mainz",)),
        ("bermen", ("bremen",)),
    ],
)
def test_a_name_that_is_like_the_word_is_offered(word: str, said: tuple[str, ...]) -> None:
    assert tells(did_you_mean(word, SITES, TITLES).hint, *said)


def test_names_of_two_letters_need_to_be_less_alike() -> None:
    assert did_you_mean("N3", ["N2", "SE1"]).hint == ""
    assert did_you_mean("york", SITES, TITLES).hint == ""
    assert tells(did_you_mean("N3", ["N2", "SE1"], cutoff=0.5).hint, "N2")


def test_a_name_with_the_same_letters_in_another_order_is_nearest() -> None:
    assert did_you_mean("ES2", ["S2", "SE1", "SE2"]).hint.rstrip("?").endswith(" SE2")
    assert did_you_mean("ab", ["ba", "AB1"]).hint.rstrip("?").endswith(" ba")


def test_a_name_that_nothing_has_is_a_lasting_mistake() -> None:
    (problem,) = unknown(("place", 1), "site", "maniz", SITES, TITLES)

    assert problem.path == ("place", 1) and tells(str(problem), "Mainz")
    assert problem.lasting
    assert list(unknown((), "site", "bremen", SITES)) == []


def test_few_names_are_listed_and_many_are_not() -> None:
    (few,) = unknown((), "site", "x", SITES, TITLES)
    (many,) = unknown((), "site", "x", [f"place{number}" for number in range(13)])

    assert few.hint == "It can be Mainz, bremen or Hirsau."
    assert many.hint == ""


def test_an_order_is_spelled_as_players_write_it() -> None:
    order: Json = {"take": ["Fr3", 5], "hero": True, "at": {"pile": False}}

    assert order_as_yaml(order) == "{take: [Fr3, 5], hero: true, at: {pile: false}}"
