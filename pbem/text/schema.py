"""JSON Schema (draft 2020-12) with errors that say what was read, what is wrong and what would do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.core.interface import Json
from pbem.core.wording import did_you_mean
from pbem.text.fastschema import NotKnownError, Test, compiled

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

_GLUED = r"\w+:\S"

_FEW = 8
"""So many values are all named where one of them must be written."""

_COMMA = "A comma begins a new field: write whole numbers, without one."

ONLY_TRUE = "Write true"
"""How what is told begins where only `true` can stand."""

Path = tuple[str | int, ...]

_TYPES = {
    "object": "fields (name: value)",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


class SchemaProblem(NamedTuple):
    """One thing that a schema forbids.

    Attributes:
        path: Where, keys and list positions.
        at_key: The key at the path is wrong, not its value.
        text: What was read and what is wrong.
        hint: What would do; may be empty.
        is_missing: Something is missing, and nothing that is there is wrong.
    """

    path: Path
    at_key: bool
    text: str
    hint: str = ""
    is_missing: bool = False


class Schema:
    """A schema, compiled when it is first used."""

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self.schema = schema

    @cached_property
    def _validator(self) -> Draft202012Validator:
        from jsonschema import Draft202012Validator

        return Draft202012Validator(dict(self.schema))

    @cached_property
    def _fits(self) -> Test:
        return compiled(self.schema)

    def takes(self, value: Json) -> bool:
        """Tell whether the schema forbids nothing in a value; quicker than to say what it forbids."""
        try:
            return self._fits(value)
        except NotKnownError:
            return self._validator.is_valid(value)

    def problems(self, value: Json) -> list[SchemaProblem]:
        """Return everything the schema forbids in a value; empty when it is valid."""
        if self.takes(value):
            return []
        found: dict[tuple[Path, bool, str], SchemaProblem] = {}
        for error in self._validator.iter_errors(value):
            for problem in _problems(error):
                found.setdefault((problem.path, problem.at_key, problem.text), problem)
        meant = {(one.path[:-1], _missing(_meant(one.hint))) for one in found.values() if one.at_key}
        return [one for one in found.values() if (one.path, one.text) not in meant]


def near(word: str, words: list[str]) -> str:
    """Return "Did you mean X?" for a misspelt word, or the list of words if it is short, or nothing."""
    listed = ", ".join(words)
    return did_you_mean(word, words) or (f"It can be {listed}." if words and len(listed) <= 60 else "")


def _unlisted(got: Json, values: list[Json]) -> tuple[str, str]:
    """Say of what is none of some values what is wrong, and which of them would do: all, or of many a few."""
    if got is not None:
        return f"{shown(got)} is not possible here", near(str(got), [str(one) for one in values])
    few = values if len(values) <= _FEW else values[:3]
    listed = ", ".join(one if isinstance(one, str) else shown(one) for one in few)
    more = f" and {len(values) - len(few)} more" if len(values) > len(few) else ""
    return "nothing is written here", f"Write {'one of ' if len(values) > 1 else ''}{listed}{more}."


def _problems(error: ValidationError) -> Iterator[SchemaProblem]:
    from jsonschema.exceptions import best_match

    if error.context:
        deeper = best_match(error.context)
        if error.validator in ("oneOf", "anyOf") and deeper is not None and len(deeper.absolute_path):
            yield from _problems(deeper)
            return
    path = tuple(error.absolute_path)
    got, rule, schema = _facts(error)
    if error.schema is False:
        name = shown(path[-1]) if path else "this"
        yield SchemaProblem(path, True, f"{name} cannot stand here with the others", "Leave one of them out.")
    elif error.validator == "additionalProperties" and isinstance(got, dict):
        known = [str(name) for name in schema.get("properties", {})]
        for name in got:
            if name not in known:
                hint = _COMMA if str(name).isdigit() else near(name, known)
                yield SchemaProblem((*path, name), True, f"unknown field {shown(name)}", hint)
    elif error.validator == "required" and isinstance(got, dict):
        for name in rule:
            if name not in got:
                yield SchemaProblem(path, False, _missing(name), is_missing=True)
    elif error.validator == "enum" or (error.validator == "const" and got is None):
        text, hint = _unlisted(got, rule if error.validator == "enum" else [rule])
        yield SchemaProblem(path, False, text, hint or str(schema.get("description", "")))
    elif error.validator == "type":
        wanted = " or ".join(_TYPES[name] for name in ([rule] if isinstance(rule, str) else rule))
        hint = (_as_fields(got, schema) or _as_list(schema)) if isinstance(got, str) else ""
        yield SchemaProblem(path, False, f"expected {wanted}, got {shown(got)}", hint)
    else:
        quoted = error.validator == "const" and rule is True and isinstance(got, str)
        said = f"{ONLY_TRUE}, without quotes." if got == "true" else f"{ONLY_TRUE}."
        hint = said if quoted else str(schema.get("description", ""))
        yield SchemaProblem(path, False, _worded(error), hint)


def _as_list(schema: Mapping[str, Any]) -> str:
    """Return how some of a few known texts are written as a list; "" where any text would do."""
    few = schema.get("items", {}).get("enum", [])[:2]
    return f"Write a list, such as [{', '.join(map(str, few))}]." if few else ""


def _as_fields(got: str, schema: Mapping[str, Any]) -> str:
    """Say how a text would be written as fields, if it can be told: `play N2` is `{play: N2}`."""
    if re.match(_GLUED, got):
        return "Write a space after the colon."
    name, space, value = got.strip().partition(" ")
    known = schema.get("properties", {})
    return f"Did you mean {{{name}: {value.strip()}}}?" if space and name in known else ""


def _missing(name: str) -> str:
    return f"the field {name!r} is missing"


def _meant(hint: str) -> str:
    """Return the word that `near` guessed; a field that was misspelt is not missing as well."""
    return hint.removeprefix("Did you mean ").removesuffix("?")


def _facts(error: ValidationError) -> tuple[Json, Any, Mapping[str, Any]]:
    """Return what was read, the rule it broke, and the schema around the rule."""
    schema: Any = error.schema
    got: Any = error.instance
    return got, error.validator_value, schema if isinstance(schema, Mapping) else {}


def _worded(error: ValidationError) -> str:
    got, rule, _ = _facts(error)
    read = shown(got)
    words = {
        "const": f"{read} is not possible here, only {shown(rule)}",
        "minimum": f"{read} is less than {rule}",
        "maximum": f"{read} is more than {rule}",
        "minLength": "the text is too short",
        "maxLength": f"the text is longer than {rule} characters",
        "minItems": f"the list has fewer than {rule} entries" if got else "the list is empty",
        "uniqueItems": "the list names something twice",
        "maxItems": f"the list has more than {rule} entries",
        "minProperties": "it is still empty",
        "maxProperties": f"it has more than {rule} fields",
        "pattern": f"{read} does not have the right form",
        "oneOf": f"{read} does not fit exactly one of the possible forms",
        "anyOf": f"{read} fits none of the possible forms",
        "not": f"{read} is not possible here",
        "dependentRequired": error.message,
    }
    return words.get(str(error.validator), error.message)


def shown(value: Json) -> str:
    """Return what was read as a mistake names it."""
    if isinstance(value, str):
        return repr(value) if len(value) <= 40 else f"a text of {len(value)} characters"
    if isinstance(value, dict | list) and len(json.dumps(value)) > 40:
        return "fields" if isinstance(value, dict) else "a list"
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)
