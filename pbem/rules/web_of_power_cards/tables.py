"""Reading data tables: each entry as the kind it must be, or a sentence about what was found instead."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.interface import Json


def table(data: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    """Return a table of the data."""
    match data.get(name):
        case dict(found):
            return found
    raise ValueError(f"{name}: expected a table, got {data.get(name)!r}")


def record(found: Json) -> Mapping[str, Json]:
    """Return an entry that has fields."""
    if isinstance(found, dict):
        return found
    raise ValueError(f"expected fields, got {found!r}")


def listed(found: Mapping[str, Json], name: str) -> list[Mapping[str, Json]]:
    """Return the entries of a table's list, each with fields."""
    match found.get("list"):
        case list(entries):
            return [record(entry) for entry in entries]
    raise ValueError(f"{name}: expected a list, got {found.get('list')!r}")


def words(found: Mapping[str, Json], name: str) -> tuple[str, ...]:
    """Return the words of a table's list."""
    match found.get("list"):
        case list(entries):
            return tuple(str(entry) for entry in entries)
    raise ValueError(f"{name}: expected a list, got {found.get('list')!r}")


def whole(found: Mapping[str, Json], name: str) -> int:
    """Return a field that is a whole number, 0 or more."""
    value = found.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name}: expected a whole number, got {value!r}")
    return value


def word(found: Mapping[str, Json], name: str) -> str:
    """Return a field that is text."""
    value = found.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name}: expected text, got {value!r}")
    return value


def place(found: Json) -> tuple[int, int]:
    """Return a row and a column."""
    match found:
        case [int(row), int(column)]:
            return row, column
    raise ValueError(f"law_places: expected [row, column], got {found!r}")


def same(what: str, expected: int, got: int) -> None:
    """Raise ValueError if a count is not the one that stands in the data.

    Raises:
        ValueError: It is not; the sentence says what was counted, what was expected, and what came.
    """
    if expected != got:
        raise ValueError(f"{what}: expected {expected}, got {got}")
