"""Tables of a view that are worked out when they are first read: to check an order takes few of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Later(Mapping[K, V]):
    """A table that is worked out as a whole when it is first read; to readers it is like any other.

    What works it out may hold only what the reader of the table may know: values that never change.
    """

    __slots__ = ("_table", "_work_out")

    def __init__(self, work_out: Callable[[], Mapping[K, V]]) -> None:
        self._work_out = work_out
        self._table: Mapping[K, V] | None = None

    def _whole(self) -> Mapping[K, V]:
        if self._table is None:
            self._table = self._work_out()
        return self._table

    def __getitem__(self, key: K) -> V:
        return self._whole()[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def keys(self) -> KeysView[K]:
        """Return the keys."""
        return self._whole().keys()

    def values(self) -> ValuesView[V]:
        """Return the entries."""
        return self._whole().values()

    def items(self) -> ItemsView[K, V]:
        """Return keys with entries."""
        return self._whole().items()

    def __repr__(self) -> str:
        return repr(self._whole())


class LaterByKey(Later[K, V]):
    """A table whose keys are known, and of which each entry is worked out when it is first read."""

    __slots__ = ("_entry", "_found", "_keys")

    def __init__(self, keys: Collection[K], entry: Callable[[K], V]) -> None:
        self._keys = keys
        self._entry = entry
        self._found: dict[K, V] = {}
        self._table = None

    def _whole(self) -> Mapping[K, V]:
        if self._table is None:
            self._table = {key: self[key] for key in self._keys}
        return self._table

    def __getitem__(self, key: K) -> V:
        if key not in self._found:
            if key not in self._keys:
                raise KeyError(key)
            self._found[key] = self._entry(key)
        return self._found[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys
