"""Orders and conditions in words: of rules that have words of their own, and of those that have none."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.core.wording import Wording, as_written, wording_of
from tests.core.small_rules import Stones
from tests.facts import tells
from tests.subjects import subject

SPOKEN = Wording(
    facts={
        "crown": "the square of the crown",
        "lost": "you lost a rose",
        "*.hand": "the hand of {0}",
        "*.points": "the points of {0}",
        "land.*.*": "what {1} has in {0}",
    },
    name=lambda one: f"No. {one}" if one.isdigit() else one.capitalize(),
)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ({"crown": "e5"}, ("E5",)),
        ({"crown": ["e5", "e6"]}, ("E5", "E6")),
        ({"lost": True}, ()),
        ({"lost": False}, ()),
        ({"lost": {"not": True}}, ()),
        ({"red.hand": {"has": ["n1", "n2"]}}, ("N1", "N2", "Red")),
        ({"land.york.red": {"at_least": 1, "at_most": 3}}, ("Red", "York", "1", "3")),
        ({"red.points": {"at_most": 6}}, ("Red", "6")),
        ({"red.points": {"not": 6}}, ("Red", "6")),
        ({"crown": {"not": ["e5", "e6"]}}, ("E5", "E6")),
        ({"red.hand": {"not": {"has": "n1"}}}, ("N1", "Red")),
        ({"red.hand": {"has": [2, "n1"]}}, ("2", "N1", "Red")),
        ({"red.hand": {"not": {"has": 2}}}, ("2", "Red")),
        ({"pile": 3, "lost": True}, ("3",)),
        ({"some.other.path": None}, ("some.other.path",)),
    ],
)
def test_a_condition_is_said_in_the_words_of_the_rules(
    condition: dict[str, Json], words: tuple[str, ...]
) -> None:
    assert tells(SPOKEN.condition(condition), *words)


def test_rules_without_words_are_said_as_they_are_written() -> None:
    order: Json = {"take": [{"n": 1}, 2], "hard": True, "soft": False}

    assert wording_of(Stones()).order(order) == "take (n 1) and 2, hard, soft no"
    assert wording_of(Stones()).name("red") == "red"
    assert wording_of(Stones()).condition({"stones": {"at_most": 3}}) == "stones is at most 3"


@pytest.mark.parametrize(
    ("rules", "order"),
    [
        ("rose-king", {"play": "X9"}),
        ("web-of-power", {"place": {"country": "x", "pieces": ["y"], "pay": ["z"]}, "discard": ["q"]}),
        ("web-of-power-cards", {"take": ["Zz9"], "use": ["three_symbols"], "claim": ["x"], "from": ["y"]}),
        ("game-of-powers", {"place": "atlantis", "facing": "x"}),
        (
            "game-of-powers",
            {
                "sail": "atlantis", "extra": 999, "play_cards": ["x"], "claim": "y",
                "trade": {"with": "nobody", "give": ["dragon"], "want": ["egg", {"category": "dragons"}]},
            },
        ),
        (
            "web-of-intrigue",
            {
                "special_1": {"enact": "x", "points": 1}, "bid_1": {"for": "y", "points": 2},
                "guess": {"player": "z", "house": "w"},
            },
        ),
    ],
)  # fmt: skip
def test_names_that_nothing_has_are_said_as_they_are(rules: str, order: Json) -> None:
    assert wording_of(subject(rules).rules).order(order)


def test_what_is_empty_is_told_as_nothing() -> None:
    assert as_written({"luck": "", "target": 250}) == "luck nothing, target 250"
