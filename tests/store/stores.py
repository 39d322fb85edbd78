"""The stores that the contract is checked on: a new one is named in `STORES`, and says how it is cut."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from pbem.store.folder import FolderStore
from pbem.store.interface import Store
from pbem.store.memory import MemoryStore
from pbem.store.postgresql.postgres import PostgresStore
from tests.mail.disturbed import Counter, Kind, counted
from tests.store.pgserver import server

Act: TypeAlias = Callable[[Store], object]


class Kept(Protocol):
    """How a store is made, opened once more, and cut."""

    @property
    def name(self) -> str:
        """Its name, for the test id."""

    @property
    def begins(self) -> bool:
        """Tell whether a change can be begun and cut off, so that another finishes it."""

    def make(self, folder: Path) -> Store:
        """Make an empty home."""

    def again(self, store: Store) -> Store:
        """Open a home as the next program does."""

    def cuts(self, folder: Path, prepare: Act, act: Act, wrong: BaseException) -> Iterator[Store]:
        """Yield a prepared home, opened again, for each step that the act was cut before."""


def _cuts(kept: Kept, folder: Path, prepare: Act, act: Act, wrong: BaseException) -> Iterator[Store]:
    """Cut an act before each of its steps: writes, renames, syncs, and changes of a database."""

    def stop(kind: Kind) -> None:
        if kind == "database" and isinstance(wrong, OSError):
            raise sqlite3.OperationalError("disk I/O error")
        raise wrong

    for at in range(1000):
        made = kept.make(folder / str(at))
        prepare(made)
        counter = Counter(at, stop)
        with counted(counter), contextlib.suppress(type(wrong)):
            act(kept.again(made))
        if counter.done <= at:
            assert at > 0, "the act has steps"
            return
        yield kept.again(made)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder."""

    name: str = "a folder"
    begins: bool = True

    def make(self, folder: Path) -> Store:
        return FolderStore.make(folder / "home")

    def again(self, store: Store) -> Store:
        assert isinstance(store, FolderStore)
        return FolderStore(store.path)

    cuts = _cuts


@dataclass(frozen=True, slots=True)
class _Memory:
    """A store in memory: nothing can cut it, so that only what is not cut is checked."""

    name: str = "memory"
    begins: bool = False

    def make(self, folder: Path) -> Store:
        return MemoryStore({})

    def again(self, store: Store) -> Store:
        return store

    def cuts(self, folder: Path, prepare: Act, act: Act, wrong: BaseException) -> Iterator[Store]:
        return iter(())


@dataclass(frozen=True, slots=True)
class _Postgres:
    """A real PostgreSQL server."""

    name: str = "PostgreSQL"
    begins: bool = False

    def make(self, folder: Path) -> Store:
        return PostgresStore.make(server().database())

    def again(self, store: Store) -> Store:
        assert isinstance(store, PostgresStore)
        return PostgresStore(store.url)

    cuts = _cuts


STORES: Final[tuple[Kept, ...]] = (_Folder(), _Memory(), _Postgres())
