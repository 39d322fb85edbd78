"""Whether a value fits a schema, for the keywords that orders and data use; jsonschema decides the rest.

Most orders are right. To say so takes a small part of the time here, and jsonschema need not be imported;
what is wrong is found and worded by jsonschema alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

# Schemas and values are any JSON; what is asked of them is asked with isinstance.
Test: TypeAlias = Callable[[Any], bool]
Rule: TypeAlias = Callable[[Any, Any, "_Whole"], Test]

_KINDS: Final[Mapping[str, type]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": int,
    "boolean": bool,
    "null": type(None),
}
_SAYS_NOTHING: Final = frozenset(["$schema", "$defs", "title", "description", "examples", "default"])
_NOTHING: Final[frozenset[str]] = frozenset()
_BESIDE_IF: Final = frozenset(["then", "else"])


class NotKnownError(Exception):
    """A keyword or a kind of value that is not decided here."""


class _Whole:
    """A whole schema, whose parts refer to each other."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self.made: dict[str, Test] = {}

    def test(self, schema: Any) -> Test:
        """Return the test of a schema or of a part of it."""
        if isinstance(schema, bool):
            return lambda value: schema
        rules = schema.keys() - _SAYS_NOTHING - (_BESIDE_IF if "if" in schema else _NOTHING)
        if strange := rules - _RULES.keys():
            return _unknown(min(strange))
        return _all([_RULES[name](rule, schema, self) for name, rule in schema.items() if name in rules])

    def named(self, name: str, value: Any) -> bool:
        """Tell whether a value fits a definition; it is made when it is first met, for it may name itself."""
        if name not in self.made:
            self.made[name] = self.test(self.schema["$defs"][name])
        return self.made[name](value)


def compiled(schema: Any) -> Test:
    """Return what tells whether a value fits a schema (JSON Schema, draft 2020-12).

    Args:
        schema: The schema, with the definitions that it refers to.

    Returns:
        The test; it raises NotKnownError where that is not decided here.
    """
    return _Whole(schema).test(schema)


def _unknown(what: str) -> Test:
    def test(value: Any) -> bool:
        raise NotKnownError(what)

    return test


def _all(tests: Sequence[Test]) -> Test:
    """Return the test of several keywords; one after the other, without a generator for each value."""
    if len(tests) == 1:
        return tests[0]

    def test(value: Any) -> bool:
        for one in tests:  # noqa: SIM110 - all() would cost more than most tests
            if not one(value):
                return False
        return True

    return test


def _type(rule: Any, schema: Any, whole: _Whole) -> Test:
    kinds = [_kind(name) for name in (rule if isinstance(rule, list) else [rule])]
    return kinds[0] if len(kinds) == 1 else lambda value: any(kind(value) for kind in kinds)


def _kind(name: str) -> Test:
    kind, is_truth = _KINDS[name], name == "boolean"

    def test(value: Any) -> bool:
        if type(value) is kind:
            return True
        if isinstance(value, float):
            raise NotKnownError("1.0 is a whole number to JSON Schema")
        return isinstance(value, kind) and (is_truth or not isinstance(value, bool))

    return test


_is_number: Final = _kind("number")


def _properties(rule: Any, schema: Any, whole: _Whole) -> Test:
    tests = [(name, whole.test(below)) for name, below in rule.items()]

    def test(value: Any) -> bool:
        if isinstance(value, dict):
            for name, below in tests:
                if name in value and not below(value[name]):
                    return False
        return True

    return test


def _additional(rule: Any, schema: Any, whole: _Whole) -> Test:
    known, below = frozenset(schema.get("properties", {})), whole.test(rule)
    if rule is False:
        return lambda value: not isinstance(value, dict) or value.keys() <= known

    def test(value: Any) -> bool:
        return not isinstance(value, dict) or all(below(value[name]) for name in value.keys() - known)

    return test


def _same(one: Any, other: Any) -> bool:
    """Tell whether two values are the same, at least one of them single; 1 and true are not."""
    are_many = isinstance(one, dict | list) and isinstance(other, dict | list)
    if are_many or isinstance(one, float) or isinstance(other, float):
        raise NotKnownError("only single values are compared here")
    return type(one) is type(other) and one == other


def _enum(rule: Any, schema: Any, whole: _Whole) -> Test:
    words = frozenset(rule) if all(isinstance(one, str) for one in rule) else None

    def test(value: Any) -> bool:
        if words is not None and type(value) is str:
            return value in words
        return any(_same(one, value) for one in rule)

    return test


def _unique(rule: Any, schema: Any, whole: _Whole) -> Test:
    def test(value: Any) -> bool:
        if not rule or not isinstance(value, list):
            return True
        if any(isinstance(one, dict | list | float) for one in value):
            raise NotKnownError("only single values are compared here")
        return len({(type(one), one) for one in value}) == len(value)

    return test


def _if(rule: Any, schema: Any, whole: _Whole) -> Test:
    condition = whole.test(rule)
    then, other = (whole.test(schema.get(name, True)) for name in ("then", "else"))
    return lambda value: then(value) if condition(value) else other(value)


def _ref(rule: Any, schema: Any, whole: _Whole) -> Test:
    start, _, name = rule.rpartition("/")
    return _unknown(rule) if start != "#/$defs" else lambda value: whole.named(name, value)


def _for(kind: type, test: Callable[[Any, Any], bool]) -> Rule:
    """Return a keyword that asks something of one kind of value and lets all others pass."""
    return lambda rule, schema, whole: lambda value: not isinstance(value, kind) or test(rule, value)


def _for_each(kind: type[dict[Any, Any]] | type[list[Any]]) -> Rule:
    """Return a keyword whose schema all items of a list, or all names of an object, must fit."""

    def make(rule: Any, schema: Any, whole: _Whole) -> Test:
        below = whole.test(rule)
        return lambda value: not isinstance(value, kind) or all(below(one) for one in value)

    return make


def _for_numbers(test: Callable[[Any, Any], bool]) -> Rule:
    return lambda rule, schema, whole: lambda value: not _is_number(value) or test(rule, value)


def _of_several(decide: Callable[[Sequence[Test], Any], bool]) -> Rule:
    """Return a keyword that holds several schemas."""

    def make(rule: Any, schema: Any, whole: _Whole) -> Test:
        tests = [whole.test(one) for one in rule]
        return lambda value: decide(tests, value)

    return make


def _not(rule: Any, schema: Any, whole: _Whole) -> Test:
    below = whole.test(rule)
    return lambda value: not below(value)


_RULES: Final[Mapping[str, Rule]] = {
    "type": _type,
    "additionalProperties": _additional,
    "uniqueItems": _unique,
    "if": _if,
    "$ref": _ref,
    "properties": _properties,
    "propertyNames": _for_each(dict),
    "required": _for(dict, lambda rule, value: all(name in value for name in rule)),
    "minProperties": _for(dict, lambda rule, value: len(value) >= rule),
    "maxProperties": _for(dict, lambda rule, value: len(value) <= rule),
    "items": _for_each(list),
    "minItems": _for(list, lambda rule, value: len(value) >= rule),
    "maxItems": _for(list, lambda rule, value: len(value) <= rule),
    "minLength": _for(str, lambda rule, value: len(value) >= rule),
    "maxLength": _for(str, lambda rule, value: len(value) <= rule),
    "pattern": _for(str, lambda rule, value: re.search(rule, value) is not None),
    "minimum": _for_numbers(lambda rule, value: value >= rule),
    "maximum": _for_numbers(lambda rule, value: value <= rule),
    "enum": _enum,
    "const": lambda rule, schema, whole: _enum([rule], schema, whole),
    "not": _not,
    "allOf": lambda rule, schema, whole: _all([whole.test(one) for one in rule]),
    "anyOf": _of_several(lambda tests, value: any(one(value) for one in tests)),
    "oneOf": _of_several(lambda tests, value: sum(one(value) for one in tests) == 1),
}
