"""Orders and conditions in words: of rules that have words of their own, and of those that have none."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.core.wording import Wording, plain_value_text, wording_of
from tests.core.small_rules import Stones
from tests.facts import tells
from tests.subjects import subject
from tests.written import rows_of

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
    ("condition", "words"), rows_of(__file__, "a_condition_is_said_in_the_words_of_the_rules")
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


@pytest.mark.parametrize(("rules", "order"), rows_of(__file__, "names_that_nothing_has_are_said_as_they_are"))
def test_names_that_nothing_has_are_said_as_they_are(rules: str, order: Json) -> None:
    assert wording_of(subject(rules).rules).order(order)


def test_what_is_empty_is_told_as_nothing() -> None:
    assert plain_value_text({"luck": "", "target": 250}) == "luck nothing, target 250"
