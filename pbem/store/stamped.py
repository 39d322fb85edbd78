"""A store of which one change carries a note besides: once that is there, the change was made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from pbem.store.interface import Change, Store
from pbem.store.records import Note, Row


class _Stamped:
    """A store that writes a note with whatever is noted, or changed in a game."""

    def __init__(self, store: Store, stamp: Note) -> None:
        self._store = store
        self._stamp = stamp

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def note(self, rows: Iterable[Row]) -> None:
        """Write rows into the journal with the note, all or none."""
        self._store.note((*rows, self._stamp))

    def change(self, game: str, change: Change) -> None:
        """Make several things of a game true together with the note."""
        self._store.change(game, change._replace(rows=(*change.rows, self._stamp)))


def stamped(store: Store, stamp: Note) -> Store:
    """Return a store whose next change is made together with a note, all or none.

    It is for acts that change a home once. A turn that is committed carries no note.
    """
    return cast("Store", _Stamped(store, stamp))
