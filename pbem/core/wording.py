"""Orders and conditions in words, so that whoever wrote them can see what was understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Protocol, runtime_checkable

from pbem.core.interface import Json

_COMPARED: Final = {"at_least": "is at least", "at_most": "is at most"}


@runtime_checkable
class Worded(Protocol):
    """Rules that say orders and facts in their own words; without them, names are said as they are written.

    Attributes:
        fact_words: What paths of conditions mean, by path; `*` stands for any one name, and {0}, {1} are
            the names that it stood for. A fact that is true or false is a sentence ("you lost a rose"), any
            other a thing ("the square of the crown").
        names: What orders name by an id that reports call otherwise, by id: "Cîteaux" for citeaux.
    """

    fact_words: Mapping[str, str]
    names: Mapping[str, str]

    def order_words(self, order: Json) -> str:
        """Return what an order that fits the schema says, as "play N2 with a hero"; total."""

    def name_words(self, name: str) -> str:
        """Return a name of the rules as reports write it, as "Red" for red; others as they are."""


def order_in_words(rules: object, order: Json) -> str:
    """Return what an order says, in the rules' words if they have any."""
    return rules.order_words(order) if isinstance(rules, Worded) else as_written(order)


def condition_in_words(rules: object, condition: Mapping[str, Json]) -> str:
    """Return a condition in words, without the "if": "the crown is on E5, and Red's heroes is at most 1"."""
    return ", and ".join(_fact_in_words(rules, path, wanted) for path, wanted in condition.items())


def name_in_words(rules: object, name: str) -> str:
    """Return a name of the rules as reports write it."""
    return rules.name_words(name) if isinstance(rules, Worded) else name


def names_of(rules: object) -> Mapping[str, str]:
    """Return the names of what orders name by an id, by id."""
    return rules.names if isinstance(rules, Worded) else {}


def as_written(value: Json) -> str:
    """Return a value without the marks of YAML: `{play: N2, hero: true}` is "play N2, hero"."""
    if isinstance(value, dict):
        return ", ".join(
            name if part is True else f"{name} {as_written(part)}" for name, part in value.items()
        )
    if isinstance(value, list):
        return " and ".join(
            f"({as_written(part)})" if isinstance(part, dict) else as_written(part) for part in value
        )
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value is None else str(value)


def listed(items: Iterable[str], last: str = "and") -> str:
    """Return items as a sentence lists them: "a, b and c"."""
    *head, tail = list(items) or ["nothing"]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def _fact_in_words(rules: object, path: str, wanted: Json) -> str:
    thing = _thing(rules, path)
    if isinstance(wanted, bool):
        return thing if wanted else f"it is not so that {thing}"
    if isinstance(wanted, dict):
        return " and ".join(_compared(rules, thing, operator, value) for operator, value in wanted.items())
    return f"{thing} is {_any_of(rules, wanted)}"


def _compared(rules: object, thing: str, operator: str, value: Json) -> str:
    if operator == "not":
        if isinstance(value, dict) and list(value) == ["has"]:
            return f"{_several(rules, value['has'])} is not among {thing}"
        if isinstance(value, dict):
            parts = (_compared(rules, thing, inner, one) for inner, one in value.items())
            return f"it is not so that {' and '.join(parts)}"
        return f"it is not so that {thing}" if value is True else f"{thing} is not {_any_of(rules, value)}"
    if operator == "has":
        return f"{_several(rules, value)} is among {thing}"
    return f"{thing} {_COMPARED.get(operator, operator)} {_value(rules, value)}"


def _several(rules: object, value: Json) -> str:
    return listed(_value(rules, one) for one in (value if isinstance(value, list) else [value]))


def _any_of(rules: object, wanted: Json) -> str:
    return (
        listed((_value(rules, one) for one in wanted), "or")
        if isinstance(wanted, list)
        else _value(rules, wanted)
    )


def _value(rules: object, value: Json) -> str:
    return name_in_words(rules, value) if isinstance(value, str) else as_written(value)


def _thing(rules: object, path: str) -> str:
    """Return what a path means: the words of the pattern that it fits, or the path itself."""
    names = path.split(".")
    for pattern, words in (rules.fact_words if isinstance(rules, Worded) else {}).items():
        parts = pattern.split(".")
        if len(parts) == len(names) and all(
            part in ("*", name) for part, name in zip(parts, names, strict=True)
        ):
            stood = [
                name_in_words(rules, name) for part, name in zip(parts, names, strict=True) if part == "*"
            ]
            return words.format(*stood)
    return path
