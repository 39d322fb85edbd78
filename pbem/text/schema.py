"""JSON Schema (draft 2020-12) with errors in words, and a quick judge for the keywords that orders use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from pbem.core.interface import Json
from pbem.core.remedies import Advice, Meant, Missing, Remedy
from pbem.core.wording import did_you_mean
from pbem.text.strictyaml import YamlProblem, parse

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError


# Schemas and values are any JSON; what is asked of them is asked with isinstance.
Test: TypeAlias = Callable[[Any], bool]
Rule: TypeAlias = Callable[[Any, Any, "_RootSchema"], Test]

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


class _RootSchema:
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
            return _refuse_unknown(min(strange))
        return _all_tests(
            [_RULES[name](rule, schema, self) for name, rule in schema.items() if name in rules]
        )

    def named(self, name: str, value: Any) -> bool:
        """Tell whether a value fits a definition; it is made when it is first met, for it may name itself."""
        if name not in self.made:
            self.made[name] = self.test(self.schema["$defs"][name])
        return self.made[name](value)


def compile_test(schema: Any) -> Test:
    """Return what tells whether a value fits a schema (JSON Schema, draft 2020-12).

    Args:
        schema: The schema, with the definitions that it refers to.

    Returns:
        The test; it raises NotKnownError where that is not decided here.
    """
    return _RootSchema(schema).test(schema)


def _refuse_unknown(what: str) -> Test:
    def test(value: Any) -> bool:
        raise NotKnownError(what)

    return test


def _all_tests(tests: Sequence[Test]) -> Test:
    """Return the test of several keywords; one after the other, without a generator for each value."""
    if len(tests) == 1:
        return tests[0]

    def test(value: Any) -> bool:
        for one in tests:  # noqa: SIM110 - all() would cost more than most tests
            if not one(value):
                return False
        return True

    return test


def _type(rule: Any, schema: Any, whole: _RootSchema) -> Test:
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


def _properties(rule: Any, schema: Any, whole: _RootSchema) -> Test:
    tests = [(name, whole.test(below)) for name, below in rule.items()]

    def test(value: Any) -> bool:
        if isinstance(value, dict):
            for name, below in tests:
                if name in value and not below(value[name]):
                    return False
        return True

    return test


def _additional(rule: Any, schema: Any, whole: _RootSchema) -> Test:
    known, below = frozenset(schema.get("properties", {})), whole.test(rule)
    if rule is False:
        return lambda value: not isinstance(value, dict) or value.keys() <= known

    def test(value: Any) -> bool:
        return not isinstance(value, dict) or all(below(value[name]) for name in value.keys() - known)

    return test


def _is_same(one: Any, other: Any) -> bool:
    """Tell whether two values are the same, at least one of them single; 1 and true are not."""
    are_many = isinstance(one, dict | list) and isinstance(other, dict | list)
    if are_many or isinstance(one, float) or isinstance(other, float):
        raise NotKnownError("only single values are compared here")
    return type(one) is type(other) and one == other


def _enum(rule: Any, schema: Any, whole: _RootSchema) -> Test:
    words = frozenset(rule) if all(isinstance(one, str) for one in rule) else None

    def test(value: Any) -> bool:
        if words is not None and type(value) is str:
            return value in words
        return any(_is_same(one, value) for one in rule)

    return test


def _unique(rule: Any, schema: Any, whole: _RootSchema) -> Test:
    def test(value: Any) -> bool:
        if not rule or not isinstance(value, list):
            return True
        if any(isinstance(one, dict | list | float) for one in value):
            raise NotKnownError("only single values are compared here")
        return len({(type(one), one) for one in value}) == len(value)

    return test


def _if(rule: Any, schema: Any, whole: _RootSchema) -> Test:
    condition = whole.test(rule)
    then, other = (whole.test(schema.get(name, True)) for name in ("then", "else"))
    return lambda value: then(value) if condition(value) else other(value)


def _ref(rule: Any, schema: Any, whole: _RootSchema) -> Test:
    start, _, name = rule.rpartition("/")
    return _refuse_unknown(rule) if start != "#/$defs" else lambda value: whole.named(name, value)


def _kind_rule(kind: type, test: Callable[[Any, Any], bool]) -> Rule:
    """Return a keyword that asks something of one kind of value and lets all others pass."""
    return lambda rule, schema, whole: lambda value: not isinstance(value, kind) or test(rule, value)


def _for_each(kind: type[dict[Any, Any]] | type[list[Any]]) -> Rule:
    """Return a keyword whose schema all items of a list, or all names of an object, must fit."""

    def make(rule: Any, schema: Any, whole: _RootSchema) -> Test:
        below = whole.test(rule)
        return lambda value: not isinstance(value, kind) or all(below(one) for one in value)

    return make


def _for_numbers(test: Callable[[Any, Any], bool]) -> Rule:
    return lambda rule, schema, whole: lambda value: not _is_number(value) or test(rule, value)


def _of_several(decide: Callable[[Sequence[Test], Any], bool]) -> Rule:
    """Return a keyword that holds several schemas."""

    def make(rule: Any, schema: Any, whole: _RootSchema) -> Test:
        tests = [whole.test(one) for one in rule]
        return lambda value: decide(tests, value)

    return make


def _not(rule: Any, schema: Any, whole: _RootSchema) -> Test:
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
    "required": _kind_rule(dict, lambda rule, value: all(name in value for name in rule)),
    "minProperties": _kind_rule(dict, lambda rule, value: len(value) >= rule),
    "maxProperties": _kind_rule(dict, lambda rule, value: len(value) <= rule),
    "items": _for_each(list),
    "minItems": _kind_rule(list, lambda rule, value: len(value) >= rule),
    "maxItems": _kind_rule(list, lambda rule, value: len(value) <= rule),
    "minLength": _kind_rule(str, lambda rule, value: len(value) >= rule),
    "maxLength": _kind_rule(str, lambda rule, value: len(value) <= rule),
    "pattern": _kind_rule(str, lambda rule, value: re.search(rule, value) is not None),
    "minimum": _for_numbers(lambda rule, value: value >= rule),
    "maximum": _for_numbers(lambda rule, value: value <= rule),
    "enum": _enum,
    "const": lambda rule, schema, whole: _enum([rule], schema, whole),
    "not": _not,
    "allOf": lambda rule, schema, whole: _all_tests([whole.test(one) for one in rule]),
    "anyOf": _of_several(lambda tests, value: any(one(value) for one in tests)),
    "oneOf": _of_several(lambda tests, value: sum(one(value) for one in tests) == 1),
}


_GLUED = r"\w+:\S"

_FEW = 8
"""So many values are all named where one of them must be written."""

_COMMA = "A comma begins a new field: write whole numbers, without one."

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


SchemaKind: TypeAlias = Literal["schema", "field-unknown", "field-missing", "fields-together"]
"""What is wrong: a value, a field that there is not, one that is not there, or one beside another."""


class SchemaProblem(NamedTuple):
    """One thing that a schema forbids.

    Attributes:
        path: Where, keys and list positions.
        at_key: The key at the path is wrong, not its value.
        text: What was read and what is wrong.
        hint: What would do; may be empty.
        remedies: The same for programs.
        kind: Its kind.
    """

    path: Path
    at_key: bool
    text: str
    hint: str = ""
    remedies: tuple[Remedy, ...] = ()
    kind: SchemaKind = "schema"


def _jsonschema() -> ModuleType:
    """Return the package that tells what is wrong with a value; few values are wrong."""
    import jsonschema

    return jsonschema


class Schema:
    """A schema, compiled when it is first used."""

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self.schema = schema

    @cached_property
    def _validator(self) -> Draft202012Validator:
        made: Draft202012Validator = _jsonschema().Draft202012Validator(dict(self.schema))
        return made

    @cached_property
    def _fits(self) -> Test:
        return compile_test(self.schema)

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
        misspelt = {
            (*one.path[:-1], remedy.value)
            for one in found.values()
            for remedy in one.remedies
            if one.at_key and isinstance(remedy, Meant) and isinstance(remedy.value, str)
        }
        return [
            one
            for one in found.values()
            if not any(
                isinstance(remedy, Missing) and (*one.path, remedy.name) in misspelt
                for remedy in one.remedies
            )
        ]


def near(word: str, words: list[str]) -> Advice:
    """Ask "Did you mean X?" for a misspelt word, or give the list of words if it is short, or say nothing."""
    if meant := did_you_mean(word, words):
        return meant
    listed = ", ".join(words)
    return Advice(f"It can be {listed}.") if words and len(listed) <= 60 else Advice()


def _unlisted_advice(got: Json, values: list[Json]) -> tuple[str, Advice]:
    """Say of what is none of some values what is wrong, and which of them would do: all, or of many a few."""
    if got is not None:
        return f"{shown(got)} is not possible here", near(str(got), [str(one) for one in values])
    few = values if len(values) <= _FEW else values[:3]
    listed = ", ".join(one if isinstance(one, str) else shown(one) for one in few)
    more = f" and {len(values) - len(few)} more" if len(values) > len(few) else ""
    hint = f"Write {'one of ' if len(values) > 1 else ''}{listed}{more}."
    return "nothing is written here", Advice(hint)


def _problems(error: ValidationError) -> Iterator[SchemaProblem]:
    if error.context:
        deeper = _jsonschema().exceptions.best_match(error.context)
        if error.validator in ("oneOf", "anyOf") and deeper is not None and len(deeper.absolute_path):
            yield from _problems(deeper)
            return
    path = tuple(error.absolute_path)
    got, rule, schema = _facts(error)
    if error.schema is False:
        name = shown(path[-1]) if path else "this"
        text, hint = f"{name} cannot stand here with the others", "Leave one of them out."
        yield SchemaProblem(path, True, text, hint, kind="fields-together")
    elif error.validator == "additionalProperties" and isinstance(got, dict):
        known = [str(name) for name in schema.get("properties", {})]
        for name in got:
            if name not in known:
                advice = Advice(_COMMA) if str(name).isdigit() else near(name, known)
                text = f"unknown field {shown(name)}"
                yield SchemaProblem((*path, name), True, text, *advice, kind="field-unknown")
    elif error.validator == "required" and isinstance(got, dict):
        for name in rule:
            if name not in got:
                text, missing = f"the field {name!r} is missing", (Missing(name),)
                yield SchemaProblem(path, False, text, remedies=missing, kind="field-missing")
    elif error.validator == "enum" or (error.validator == "const" and got is None):
        text, advice = _unlisted_advice(got, rule if error.validator == "enum" else [rule])
        yield SchemaProblem(path, False, text, *(advice or _description_advice(schema)))
    elif error.validator == "type":
        wanted = " or ".join(_TYPES[name] for name in ([rule] if isinstance(rule, str) else rule))
        advice = (_fields_advice(got, schema) or _list_advice(schema)) if isinstance(got, str) else Advice()
        yield SchemaProblem(path, False, f"expected {wanted}, got {shown(got)}", *advice)
    else:
        quoted = error.validator == "const" and rule is True and isinstance(got, str)
        only = Advice("Write true, without quotes." if got == "true" else "Write true.", (Meant(True),))
        yield SchemaProblem(
            path, False, _error_text(error), *(only if quoted else _description_advice(schema))
        )


def _description_advice(schema: Mapping[str, Any]) -> Advice:
    return Advice(str(schema.get("description", "")))


def _list_advice(schema: Mapping[str, Any]) -> Advice:
    """Return how some of a few known texts are written as a list; nothing where any text would do."""
    few = schema.get("items", {}).get("enum", [])[:2]
    return Advice(f"Write a list, such as [{', '.join(map(str, few))}].") if few else Advice()


def _fields_advice(got: str, schema: Mapping[str, Any]) -> Advice:
    """Say how a text would be written as fields, if it can be told: `play N2` is `{play: N2}`."""
    if re.match(_GLUED, got):
        return Advice("Write a space after the colon.")
    name, space, value = got.strip().partition(" ")
    known = schema.get("properties", {})
    if not space or name not in known:
        return Advice()
    fields = f"{{{name}: {value.strip()}}}"
    try:
        return Advice(f"Did you mean {fields}?", (Meant(parse(fields).value),))
    except YamlProblem:
        return Advice(f"Did you mean {fields}?")


def _facts(error: ValidationError) -> tuple[Json, Any, Mapping[str, Any]]:
    """Return what was read, the rule it broke, and the schema around the rule."""
    schema: Any = error.schema
    got: Any = error.instance
    return got, error.validator_value, schema if isinstance(schema, Mapping) else {}


def _error_text(error: ValidationError) -> str:
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
