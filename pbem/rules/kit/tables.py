"""Tables of data, whose kinds their schema has checked: what does not add up is an error with its place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias, TypeVar

from pbem.core.interface import Json

K = TypeVar("K")
V = TypeVar("V")


def wrong(place: str, expected: object, got: object) -> NoReturn:
    """Refuse data: "cities.total: expected 8, got 9".

    Raises:
        ValueError: Always.
    """
    raise ValueError(f"{place}: expected {expected}, got {got}")


def demand(is_so: bool, place: str, expected: object, got: object) -> None:
    """Refuse data of which something is not so, as `wrong` does.

    Raises:
        ValueError: It is not.
    """
    if not is_so:
        wrong(place, expected, got)


def same(place: str, expected: object, got: object) -> None:
    """Refuse data that do not add up.

    Args:
        place: Where in the data, and what was counted: "cities.list: different ids".
        expected: What the data say.
        got: What was found.

    Raises:
        ValueError: They differ.
    """
    demand(expected == got, place, expected, got)


def ids_by_name(
    pairs: Iterable[tuple[str, str]], plain: Callable[[str], str], taken: Collection[str] = ()
) -> dict[str, Any]:
    """Return the id of each id and name, as they are looked up.

    Args:
        pairs: Each an id and a name of it; an id may have several.
        plain: How a name is looked up: `plain("The USA")` is "usa".
        taken: Words that orders need for something else.

    Raises:
        ValueError: Two ids share a name, or a name is taken.
    """
    found: dict[str, Any] = {}
    for own, name in pairs:
        for word in {plain(own), plain(name)}:
            if word in taken or found.get(word, own) != own:
                wrong(own, "a name of its own", repr(name))
            found[word] = own
    return found


def as_list(found: Json) -> list[Json]:
    """Return a list as it stands, and one thing that was written without brackets as a list of it."""
    return found if isinstance(found, list) else [found]


def in_order_of(keys: Iterable[K], table: Mapping[K, V]) -> dict[K, V]:
    """Return a table in the order of some keys, those that it has; a saved game keeps no order."""
    return {key: table[key] for key in keys if key in table}


def same_fields(record: object, *names: str) -> dict[str, Any]:
    """Return some fields of a record by their names, for another record that has the same."""
    return {name: getattr(record, name) for name in names}


Checked: TypeAlias = Mapping[str, Any]
"""A table whose entries the data schema has checked: each has the kind that stands there; so are all data."""


def checked(data: Mapping[str, Json], name: str) -> Checked:
    """Return a table whose entries the data schema has checked, so that none is looked at again.

    A list is no table: take it from all of the data, `facts: Checked = data`.

    Raises:
        ValueError: There is no such table.
    """
    found = data.get(name)
    return found if isinstance(found, dict) else wrong(name, "a table", found)
