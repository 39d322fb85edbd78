"""Whether a value fits a schema, for the keywords that orders and data use; jsonschema decides the rest.

Most orders are right. To say so takes a tenth of the time here, and jsonschema need not be imported; what is
wrong is found and worded by jsonschema alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

# Schemas and values are any JSON; what is asked of them is asked with isinstance.
Rule: TypeAlias = Callable[[Any, Any, Any, Any], bool]

_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_SAYS_NOTHING: Final = frozenset(["$schema", "$defs", "title", "description", "examples", "default"])
_NOTHING: Final[frozenset[str]] = frozenset()
_BESIDE_IF: Final = frozenset(["then", "else"])


class NotKnownError(Exception):
    """A keyword or a kind of value that is not decided here."""


def fits(schema: Any, value: Any, root: Any = None) -> bool:
    """Tell whether a value fits a schema (JSON Schema, draft 2020-12).

    Args:
        schema: The schema.
        value: The value.
        root: The whole schema that references are looked up in; the schema itself if left out.

    Raises:
        NotKnownError: That is not decided here.
    """
    if isinstance(schema, bool):
        return schema
    whole = schema if root is None else root
    rules = schema.keys() - _SAYS_NOTHING - (_BESIDE_IF if "if" in schema else _NOTHING)
    if strange := rules - _RULES.keys():
        raise NotKnownError(min(strange))
    return all(_RULES[name](rule, value, schema, whole) for name, rule in schema.items() if name in rules)


def _type(rule: Any, value: Any, schema: Any, root: Any) -> bool:
    return any(_is(kind, value) for kind in (rule if isinstance(rule, list) else [rule]))


def _is(kind: str, value: Any) -> bool:
    if isinstance(value, float):
        raise NotKnownError("1.0 is a whole number to JSON Schema")
    return isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _additional(rule: Any, value: Any, schema: Any, root: Any) -> bool:
    known = schema.get("properties", {})
    rest = [item for name, item in value.items() if name not in known] if isinstance(value, dict) else []
    return all(fits(rule, item, root) for item in rest)


def _same(one: Any, other: Any) -> bool:
    """Tell whether two single values are the same; 1 and true are not."""
    if isinstance(one, dict | list | float) or isinstance(other, dict | list | float):
        raise NotKnownError("only single values are compared here")
    return type(one) is type(other) and one == other


def _unique(rule: Any, value: Any, schema: Any, root: Any) -> bool:
    if not rule or not isinstance(value, list):
        return True
    if any(isinstance(one, dict | list | float) for one in value):
        raise NotKnownError("only single values are compared here")
    return len({(type(one), one) for one in value}) == len(value)


def _if(rule: Any, value: Any, schema: Any, root: Any) -> bool:
    return fits(schema.get("then" if fits(rule, value, root) else "else", True), value, root)


def _ref(rule: Any, value: Any, schema: Any, root: Any) -> bool:
    start, _, name = rule.rpartition("/")
    if start != "#/$defs":
        raise NotKnownError(rule)
    return fits(root["$defs"][name], value, root)


def _for(kind: type, test: Callable[[Any, Any, Any], bool]) -> Rule:
    """Return a keyword that asks something of one kind of value and lets all others pass."""
    return lambda rule, value, schema, root: not isinstance(value, kind) or test(rule, value, root)


def _for_numbers(test: Callable[[Any, Any], bool]) -> Rule:
    return lambda rule, value, schema, root: not _is("number", value) or test(rule, value)


_RULES: Final[Mapping[str, Rule]] = {
    "type": _type,
    "additionalProperties": _additional,
    "uniqueItems": _unique,
    "if": _if,
    "$ref": _ref,
    "properties": _for(
        dict,
        lambda rule, value, root: all(
            fits(below, value[name], root) for name, below in rule.items() if name in value
        ),
    ),
    "propertyNames": _for(dict, lambda rule, value, root: all(fits(rule, name, root) for name in value)),
    "required": _for(dict, lambda rule, value, root: all(name in value for name in rule)),
    "minProperties": _for(dict, lambda rule, value, root: len(value) >= rule),
    "maxProperties": _for(dict, lambda rule, value, root: len(value) <= rule),
    "items": _for(list, lambda rule, value, root: all(fits(rule, item, root) for item in value)),
    "minItems": _for(list, lambda rule, value, root: len(value) >= rule),
    "maxItems": _for(list, lambda rule, value, root: len(value) <= rule),
    "minLength": _for(str, lambda rule, value, root: len(value) >= rule),
    "maxLength": _for(str, lambda rule, value, root: len(value) <= rule),
    "pattern": _for(str, lambda rule, value, root: re.search(rule, value) is not None),
    "minimum": _for_numbers(lambda rule, value: value >= rule),
    "maximum": _for_numbers(lambda rule, value: value <= rule),
    "enum": lambda rule, value, schema, root: any(_same(one, value) for one in rule),
    "const": lambda rule, value, schema, root: _same(rule, value),
    "not": lambda rule, value, schema, root: not fits(rule, value, root),
    "allOf": lambda rule, value, schema, root: all(fits(one, value, root) for one in rule),
    "anyOf": lambda rule, value, schema, root: any(fits(one, value, root) for one in rule),
    "oneOf": lambda rule, value, schema, root: sum(fits(one, value, root) for one in rule) == 1,
}
