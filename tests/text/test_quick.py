"""The quick validator agrees with jsonschema wherever it decides."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import pbem.rules
from pbem.text.envelope import ENVELOPE
from pbem.text.schema import _RULES, NotKnownError, compile_test

SCHEMAS = {"envelope": ENVELOPE} | {
    str(path.relative_to(Path(pbem.rules.__file__).parent)): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(Path(pbem.rules.__file__).parent.glob("*/*.schema.json"))
}
single: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 40), st.floats(-2, 2), st.text(max_size=4), st.just("special_1")
)


def known_names(schema: Any) -> set[str]:
    """Return every name and word that stands in a schema, so that values can come near to it."""
    if isinstance(schema, dict):
        return {*schema, *(name for below in schema.values() for name in known_names(below))}
    if isinstance(schema, list):
        return {name for below in schema for name in known_names(below)}
    return {schema} if isinstance(schema, str) else set()


@cache
def values(name: str) -> st.SearchStrategy[Any]:
    names = st.sampled_from(sorted(known_names(SCHEMAS[name])))
    leaves = st.one_of(single, names)
    return st.recursive(
        leaves,
        lambda below: st.one_of(
            st.lists(below, max_size=4),
            st.dictionaries(st.one_of(names, st.text(max_size=3)), below, max_size=5),
        ),
        max_leaves=12,
    )


@pytest.mark.parametrize("name", SCHEMAS)
@given(data=st.data())
@settings(max_examples=30)
def test_it_says_what_jsonschema_says_of_the_shipped_schemas(name: str, data: st.DataObject) -> None:
    schema = SCHEMAS[name]
    value = data.draw(values(name))
    try:
        quick = compile_test(schema)(value)
    except NotKnownError:
        return
    assert quick == Draft202012Validator(schema).is_valid(value)


KEYWORDS: list[tuple[Any, list[Any]]] = [
    ({"type": "integer"}, [1, True, "1", None]),
    ({"type": ["string", "null"]}, ["a", None, 1]),
    ({"type": "number"}, [1, True, "x"]),
    ({"properties": {"a": {"type": "string"}}}, [{}, {"a": "x"}, {"a": 1}, {"b": 1}, 3]),
    ({"properties": {"a": True}, "additionalProperties": False}, [{}, {"a": "x"}, {"b": 1}, 3]),
    ({"additionalProperties": {"type": "integer"}}, [{"a": 1}, {"a": "x"}, []]),
    ({"propertyNames": {"pattern": "^a"}}, [{"a": 1}, {"b": 1}, 1]),
    ({"required": ["a"]}, [{"a": 1}, {}, 1]),
    ({"minProperties": 1, "maxProperties": 2}, [{}, {"a": 1}, {"a": 1, "b": 2, "c": 3}]),
    ({"items": {"type": "string"}, "minItems": 1, "maxItems": 2}, [[], ["a"], [1], ["a", "b", "c"]]),
    ({"uniqueItems": True}, [["a", "a"], ["a", "b"], [1, True], []]),
    ({"uniqueItems": False}, [["a", "a"]]),
    ({"minLength": 2, "maxLength": 3}, ["a", "ab", "abcd", 7]),
    ({"pattern": "b"}, ["abc", "xyz", 3]),
    ({"minimum": 2, "maximum": 4}, [1, 2, 5, "x", True]),
    ({"enum": ["a", 1]}, ["a", 1, True, "b", ["a"], {"a": 1}]),
    ({"enum": [[1], "a"]}, ["a", 1]),
    ({"const": True}, [True, 1, "true", [True], {}]),
    ({"not": {"required": ["a"]}}, [{"a": 1}, {}]),
    ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, [0, 1, 3]),
    ({"anyOf": [{"type": "string"}, {"minimum": 3}]}, ["a", 2, 3]),
    ({"oneOf": [{"minimum": 1}, {"minimum": 3}]}, [0, 1, 4]),
    ({"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 5}}, ["a", "ab", 3, 6]),
    ({"if": {"type": "string"}, "then": False}, ["a", 3]),
    ({"$defs": {"x": {"type": "string"}}, "items": {"$ref": "#/$defs/x"}}, [["a"], [1]]),
    ({"$defs": {"x": {"items": {"$ref": "#/$defs/x"}, "type": "array"}}, "$ref": "#/$defs/x"}, [[[]], [[1]]]),
    ({"title": "anything"}, [1, None]),
    (True, [1]),
    (False, [1]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "tried"), KEYWORDS, ids=lambda one: json.dumps(one)[:40])
def test_every_keyword_means_what_it_means_to_jsonschema(schema: Any, tried: list[Any]) -> None:
    for value in tried:
        assert compile_test(schema)(value) == Draft202012Validator(schema).is_valid(value), value


def test_every_keyword_is_tried() -> None:
    assert set(_RULES) <= {name for schema, _ in KEYWORDS for name in known_names(schema)}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"contains": {"type": "string"}}, ["a"]),
        ({"not": {"additionalProperties": False, "patternProperties": {"^a": True}}}, {"a": 1}),
        ({"type": "integer"}, 1.0),
        ({"enum": [[1]]}, [1]),
        ({"$ref": "#/properties/a"}, 1),
        ({"then": False}, 1),
    ],
)
def test_what_it_does_not_know_it_leaves_to_jsonschema(schema: Any, value: Any) -> None:
    with pytest.raises(NotKnownError):
        compile_test(schema)(value)
