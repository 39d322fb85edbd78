"""Terms: what is tested on a view, as data. Conditions of orders come to terms (`pbem.core.predicates`).

Each entry of a term is a path into the owner's own view with what must be found there, or one of these:

- `all`, `any`: a list of terms, of which all, or at least one, must hold.
- `not`: a term that must not hold.
- `count`: `[path, wanted, test]`: the number of entries of the table or list at the path that are as wanted
  passes the test.
- `difference`: `[path, path, test]`: the number at the first path less that at the second passes the test.

All entries of a term must hold.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from numbers import Rational
from typing import Any, Final, TypeGuard

from pbem.core.interface import Json

OPERATORS: Final = ("has", "at_least", "at_most", "not")
JOINTS: Final = ("all", "any", "not")
"""What joins terms, or turns one round: players write these too."""


class _Missing(Enum):
    MISSING = "missing"


_MISSING: Final = _Missing.MISSING


def is_term_met(term: Mapping[str, Json], view: object) -> bool:
    """Tell whether every entry of a term holds on a view; a path that is not there does not hold."""
    return all(
        _TESTS[name](wanted, view) if name in _TESTS else _is_match(_value_at(view, name), wanted)
        for name, wanted in term.items()
    )


def paths_of(term: Mapping[str, Json]) -> dict[str, Json]:
    """Return the entries of a term that are paths, without those that join terms, count or compare."""
    return {path: wanted for path, wanted in term.items() if path not in _TESTS}


def counts_in(term: Mapping[str, Json]) -> Iterator[Any]:
    """Yield what must be counted where a term holds: what stands behind each `count`."""
    if "count" in term:
        yield term["count"]
    parts: Any = term.get("all", ())
    for part in parts:
        yield from counts_in(part)


def as_list(found: Json) -> list[Json]:
    """Return a list as it stands, and one thing that was written without brackets as a list of it."""
    return found if isinstance(found, list) else [found]


def is_reserved(name: str) -> bool:
    """Tell whether a name has its own meaning in terms, so that it is no path."""
    return name in _TESTS


def _has_count(told: Any, view: object) -> bool:
    path, wanted, test = told
    found = _value_at(view, path)
    entries = found.values() if isinstance(found, Mapping) else found if isinstance(found, tuple) else ()
    return _is_match(sum(_is_match(one, wanted) for one in entries), test)


def _has_difference(told: Any, view: object) -> bool:
    first, second, test = told
    one, other = _value_at(view, first), _value_at(view, second)
    return _is_count(one) and _is_count(other) and _is_match(one - other, test)


def _is_count(found: object) -> TypeGuard[int]:
    return isinstance(found, int) and not isinstance(found, bool)


_TESTS: Final[Mapping[str, Callable[[Any, object], bool]]] = {
    "all": lambda terms, view: all(is_term_met(one, view) for one in terms),
    "any": lambda terms, view: any(is_term_met(one, view) for one in terms),
    "not": lambda term, view: not is_term_met(term, view),
    "count": _has_count,
    "difference": _has_difference,
}


def is_implied_by(condition: Mapping[str, Json], given: Mapping[str, Json]) -> bool:
    """Tell whether a condition holds wherever another one does, as far as their words alone show it."""
    known = {path.casefold(): wanted for path, wanted in given.items()}
    return all(
        path.casefold() in known and _implies(known[path.casefold()], wanted)
        for path, wanted in condition.items()
    )


def _implies(given: Json, wanted: Json) -> bool:
    if given == wanted and type(given) is type(wanted):
        return True
    if not isinstance(given, dict):
        values = as_list(given)
        return bool(values) and all(_is_match(one, wanted) for one in values)
    if not isinstance(wanted, dict):
        return False
    return all(one in given and _is_within(one, given[one], value) for one, value in wanted.items())


def _is_within(operator: str, given: Json, wanted: Json) -> bool:
    """Tell whether what passes an operator with one value passes it with another."""
    return given == wanted or (operator in ("at_least", "at_most") and _is_passing(given, operator, wanted))


def is_blank_value(view: object, path: str, wanted: Json) -> bool:
    """Tell whether it is not filled in what must stand at a path.

    An empty text is a value only where one stands in this view now.
    """
    return _holds_empty(wanted) and _value_at(view, path) != ""


def _holds_empty(wanted: Json) -> bool:
    if isinstance(wanted, dict | list):
        return any(map(_holds_empty, wanted.values() if isinstance(wanted, dict) else wanted))
    return wanted == ""


def find_duplicate_path(condition: Mapping[str, Json], path: str) -> str | None:
    """Return the path of a condition before this one that is the same with other capitals, or None."""
    before = (one for one in condition if one.casefold() == path.casefold())
    first = next(before)
    return None if first == path else first


def unknown_path(view: object, path: str) -> str | None:
    """Say why a path can never be found in views of this kind, or None.

    Fields are fixed, so a wrong one is a mistake; the keys of a table (squares, cards) may come and go.
    """
    here = view
    walked: list[str] = []
    for name in path.split("."):
        place = ".".join(walked) or "your view"
        if dataclasses.is_dataclass(here) and name not in _fields_of(here):
            return f"{path}: {place} has no {name!r} (it has {', '.join(sorted(_fields_of(here)))})"
        if isinstance(here, str | int | float | Rational):
            return f"{path}: {place} is a single value, nothing stands below it"
        here = _child_value(here, name)
        if here is _MISSING:
            return None
        walked.append(name)
    return None


def records(view: object) -> tuple[tuple[str, ...], ...]:
    """Return the paths below a view where fields are fixed, "*" for keys of tables and places of lists."""
    return tuple(sorted({path for path in _records(view, ()) if path}))


def _records(here: object, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if dataclasses.is_dataclass(here):
        yield path
        for name in _fields_of(here):
            yield from _records(getattr(here, name), (*path, name))
    elif isinstance(here, Mapping | tuple):
        for one in here.values() if isinstance(here, Mapping) else here:
            yield from _records(one, (*path, "*"))


def is_pattern_match(names: Sequence[str], pattern: str) -> bool:
    """Tell whether a path, split at its dots, fits a pattern, in which `*` stands for any one name."""
    parts = _parts(pattern)
    return len(parts) == len(names) and all(
        part in ("*", name) for part, name in zip(parts, names, strict=True)
    )


@cache
def _parts(pattern: str) -> tuple[str, ...]:
    """Return the parts of a pattern; rules have few."""
    return tuple(pattern.split("."))


def explain_mismatch(view: object, path: str, wanted: Json) -> str | None:
    """Say why what is wanted at a path can never be found there, or None.

    Kinds of values do not change from view to view: a list stays a list, a number a number. A path that is
    not in this view, or holds nothing now, is not judged.
    """
    found = _value_at(view, path)
    if found is _MISSING or found is None:
        return None
    if isinstance(wanted, dict):
        wrong = (_why_unfit(found, operator, value) for operator, value in wanted.items())
    else:
        wrong = (_why_unequal(found, one) for one in as_list(wanted))
    return next((f"{path} {text}" for text in wrong if text is not None), None)


def unknown_test(wanted: Json) -> tuple[str, ...] | None:
    """Return where something stands behind a path that is no test, its own name last; None if all is well.

    () is all of it: braces with nothing in them. Of `at_least` and `at_most` it is their value.
    """
    if not isinstance(wanted, dict):
        return None
    wrong = (name for name, one in wanted.items() if name not in OPERATORS or _is_invalid_bound(name, one))
    if not wanted or (name := next(wrong, None)) is not None:
        return (name,) if wanted and name else ()
    below = unknown_test(wanted.get("not"))
    return None if below is None else ("not", *below)


def _is_invalid_bound(name: str, value: Json) -> bool:
    return name in ("at_least", "at_most") and not _is_number(value)


def _why_unfit(found: object, operator: str, value: Json) -> str | None:
    """Say why an operator never holds on a value of this kind."""
    if operator == "not":
        values = as_list(value)
        unlike = (None if isinstance(value, dict) else _why_unequal(found, one) for one in values)
        return next(filter(None, unlike), None)
    if operator == "has":
        has_items = isinstance(found, tuple | frozenset | Mapping)
        return None if has_items else f"is a single value; write the value itself instead of {operator}"
    if isinstance(found, bool) or not isinstance(found, int | float | Rational):
        return f"is no number; {operator} compares numbers"
    return None if _is_number(value) else f"is a number; {operator} needs one too"


def _why_unequal(found: object, wanted: Json) -> str | None:
    """Say why a value of this kind never equals what is wanted."""
    if isinstance(found, tuple | frozenset | Mapping):
        return "holds several things; write {has: X}"
    if dataclasses.is_dataclass(found):
        names = ", ".join(field.name for field in dataclasses.fields(found))
        return f"holds several facts; name one of {names}"
    if isinstance(found, bool) != isinstance(wanted, bool):
        kind = "true or false, without quotes" if isinstance(found, bool) else "not true or false"
        return f"is {kind}"
    if not isinstance(found, bool) and isinstance(found, int | float | Rational) and not _is_number(wanted):
        return "is a number; write one, without quotes"
    return None


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def explain_absence(view: object, path: str) -> str | None:
    """Say that a path is not in this view now, though it may be in a later one, and what is; or None."""
    here = view
    for name in path.split("."):
        inside = here
        here = _child_value(here, name)
        if here is _MISSING:
            keys = [str(key) for key in inside] if isinstance(inside, Mapping) else []
            meant = "".join(f". Did you mean {close}?" for close in close_matches(name, keys))
            return f"{path} is not in your view now{meant}"
    return None


def close_matches(word: str, names: Collection[str], n: int = 1, cutoff: float = 0.6) -> list[str]:
    """Return the names that are most like a word, the likeliest first: `n`, and none below `cutoff`."""
    from difflib import get_close_matches  # only a mistake needs it

    return get_close_matches(word, names, n, cutoff)


def _value_at(view: object, path: str) -> object:
    here = view
    for name in path.split("."):
        here = _child_value(here, name)
        if here is _MISSING:
            return _MISSING
    return here


def _fields_of(here: object) -> tuple[str, ...]:
    kind: Any = type(here)
    return _fields(kind)


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(field.name for field in dataclasses.fields(kind))


def _child_value(here: object, name: str) -> object:
    if dataclasses.is_dataclass(here):
        return getattr(here, name) if name in _fields_of(here) else _MISSING
    if isinstance(here, Mapping):
        for key in here:  # not by items: entries of a table may be worked out when they are read
            if _is_equal(str(key), name):
                value: object = here[key]
                return value
    if isinstance(here, tuple) and name.isdecimal() and int(name) < len(here):
        item: object = here[int(name)]
        return item
    return _MISSING


def _is_match(found: object, wanted: Json) -> bool:
    if found is _MISSING:
        return False
    if isinstance(wanted, list):
        return any(_is_equal(found, one) for one in wanted)
    if isinstance(wanted, dict):
        return all(_is_passing(found, operator, value) for operator, value in wanted.items())
    return _is_equal(found, wanted)


def _is_passing(found: object, operator: str, value: Json) -> bool:
    if operator == "not":
        return not _is_match(found, value)
    if operator == "has":
        wanted = as_list(value)
        inside = found if isinstance(found, tuple | frozenset | Mapping) else ()
        return all(any(_is_equal(item, one) for item in inside) for one in wanted)
    if isinstance(found, bool) or not isinstance(found, int | float | Rational):
        return False
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return not found < value if operator == "at_least" else found <= value


def _is_equal(found: object, wanted: object) -> bool:
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(found, str):
        return isinstance(wanted, str | int | float) and found.casefold() == str(wanted).casefold()
    return found == wanted
