"""Schemas: every mistake once, at its place, with what was read and what would do."""

from __future__ import annotations

from typing import Final

import pytest

from pbem.core.interface import Json
from pbem.core.remedies import Meant
from pbem.text.envelope import full_schema, start_schema
from pbem.text.schema import Schema, near
from tests.facts import tells

MOVE: Final[dict[str, Json]] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "play": {"enum": ["N1", "N2", "SE3"]},
        "hero": {"const": True},
        "bid": {"type": "integer", "minimum": 1, "maximum": 6},
        "to": {"type": ["string", "array"], "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
        "name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 5, "description": "Lower case."},
        "what": {"oneOf": [{"type": "object", "required": ["gold"]}, {"const": "all"}]},
    },
    "required": ["play"],
}


def test_an_order_in_words_stands_for_its_fields() -> None:
    (found,) = Schema(MOVE).problems("bid 3")

    assert (found.kind, found.path, found.remedies) == ("schema", (), (Meant({"bid": 3}),))


def test_a_field_that_cannot_stand_beside_others_is_of_a_kind_of_its_own() -> None:
    (found,) = Schema({"properties": {"skip": False}}).problems({"skip": True})

    assert (found.kind, found.path, found.at_key) == ("fields-together", (), True)


def test_the_message_of_an_alternative_is_that_of_the_nearest() -> None:
    bid: Json = {"type": "object", "properties": {"bid": {"type": "integer"}}}
    gift: Json = {"type": "object", "properties": {"bid": {"type": "array", "items": {"type": "string"}}}}
    schema = Schema({"anyOf": [bid, gift]})

    assert [problem.path for problem in schema.problems({"bid": "x"})] == [("bid",)]
    assert len([problem.text for problem in schema.problems("x")]) == 1


@pytest.mark.parametrize(
    ("word", "words", "expected"),
    [
        ("brug", ["bruges", "ghent"], "bruges"),
        ("GHENT", ["bruges", "ghent"], "ghent"),
        ("x", ["bruges", "ghent"], "bruges, ghent"),
        ("x", [], ""),
        ("x", ["a" * 61], ""),
    ],
)
def test_a_near_word_is_guessed_or_a_short_list_is_given(word: str, words: list[str], expected: str) -> None:
    hint = near(word, words).hint
    assert hint == "" if not expected else tells(hint, expected)


def test_long_values_are_not_repeated() -> None:
    problems = Schema({"type": "integer"})

    assert tells(problems.problems("x" * 41)[0].text, "41")
    assert problems.problems(["x" * 41])[0].text == "expected a whole number, got a list"


@pytest.mark.parametrize(
    ("value", "valid"),
    [
        ({"game": "g", "seat": "red", "orders": [{"do": {"play": "N1"}}]}, True),
        ({"game": "g", "seat": "red", "orders": [{"do": {"play": "W9"}}]}, False),
        ({"game": "g", "seat": "red", "orders": [{"do": {"luck": "rain", "house": "lion"}}]}, True),
        ({"game": "g", "seat": "red", "orders": [{"do": {"luck": "rain", "hous": "lion"}}]}, False),
        ({"game": "g", "seat": "red", "orders": [{"at": "red-1"}]}, False),
        ({"game": "g", "seat": "red", "ordres": []}, False),
    ],
)
def test_editors_get_one_schema_of_the_whole_file(value: Json, valid: bool) -> None:
    start = start_schema({"house": {"enum": ["lion"]}})

    problems = Schema(full_schema(MOVE, start)).problems(value)

    assert (problems == []) is valid


@pytest.mark.parametrize(
    ("line", "valid"),
    [
        ({"at": "start", "do": {"luck": "rain"}}, True),
        ({"at": "start", "do": {"luck": 3}}, False),
        ({"at": "red-1", "do": {"luck": 3}}, True),
        ({"do": {"luck": "rain"}}, False),
    ],
)
def test_editors_know_a_start_form_by_its_label_where_orders_have_a_field_luck(
    line: Json, valid: bool
) -> None:
    hills: dict[str, Json] = {"type": "object", "properties": {"luck": {"type": "integer"}}}

    problems = Schema(full_schema(hills, start_schema({}))).problems(
        {"game": "g", "seat": "red", "orders": [line]}
    )

    assert (problems == []) is valid
