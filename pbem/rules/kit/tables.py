"""Tables of data: each entry as the kind it must be, or an error that names its place and what was found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias, TypeGuard, TypeVar

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
"""A table whose entries the data schema has checked: each has the kind that stands there."""


def checked(data: Mapping[str, Json], name: str) -> Checked:
    """Return a table whose entries the data schema has checked, so that none is looked at again.

    Raises:
        ValueError: There is no such table.
    """
    found = data.get(name)
    return found if isinstance(found, dict) else wrong(name, "a table", found)


class Table:
    """A table of the data and where it stands; each entry is read as the kind it must be.

    All that reads raises ValueError with the place, such as "limits.hand: expected a whole number, got None".
    """

    __slots__ = ("_found", "_place")

    def __init__(self, found: Mapping[str, Json], place: str = "") -> None:
        """Take what was found at a place; "" is the whole data."""
        self._found = found
        self._place = place

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def place(self, name: str) -> str:
        """Return where an entry stands: "limits.hand"."""
        return f"{self._place}.{name}" if self._place else name

    def table(self, name: str) -> Table:
        """Return an entry that has entries of its own."""
        match self._found.get(name):
            case dict(found):
                return Table(found, self.place(name))
        return self._expected(name, "a table")

    def tables(self, name: str = "list") -> tuple[Table, ...]:
        """Return a list of tables; each is named by its place in the list, from 1."""
        rows = self.entries(name)
        found = [row for row in rows if isinstance(row, dict)]
        if len(found) < len(rows):
            self._expected(name, "a list of tables")
        return tuple(Table(row, f"{self.place(name)}.{number}") for number, row in enumerate(found, 1))

    def entries(self, name: str = "list") -> tuple[Json, ...]:
        """Return a list as it stands."""
        match self._found.get(name):
            case list(found):
                return tuple(found)
        return self._expected(name, "a list")

    def words(self, name: str = "list") -> tuple[str, ...]:
        """Return a list of texts; numbers count as such."""
        return tuple(str(one) for one in self.entries(name))

    def wholes(self, name: str) -> tuple[int, ...]:
        """Return a list of whole numbers, each 0 or more."""
        found = self.entries(name)
        return tuple(one if _is_whole(one) else self._expected(name, "whole numbers") for one in found)

    def whole(self, name: str) -> int:
        """Return a whole number, 0 or more."""
        found = self._found.get(name)
        return found if _is_whole(found) else self._expected(name, "a whole number")

    def text(self, name: str) -> str:
        """Return a text that is not empty."""
        found = self._found.get(name)
        return found if isinstance(found, str) and found else self._expected(name, "a text")

    def is_set(self, name: str) -> bool:
        """Tell whether an entry is there and true."""
        return self._found.get(name) is True

    def _expected(self, name: str, what: str) -> NoReturn:
        wrong(self.place(name), what, repr(self._found.get(name)))


def _is_whole(found: Json) -> TypeGuard[int]:
    return isinstance(found, int) and not isinstance(found, bool) and found >= 0
