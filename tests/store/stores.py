"""The stores that the contract is checked on: a new one is named in `STORES`, and says how it is cut."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias
from unittest import mock

from pbem.store.folder import FolderStore
from pbem.store.interface import Store
from pbem.store.memory import MemoryStore
from pbem.store.postgresql.pgconnection import PgDatabase
from pbem.store.postgresql.postgres import PostgresStore
from tests.edge.faults import PowerCut, Step, SteppedDisk
from tests.store.pgserver import server

Act: TypeAlias = Callable[[Store], object]
CHANGES: Final = ("BEGIN", "COMMIT", "INSERT", "UPDATE", "DELETE")


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


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder, cut before each write, rename and sync, and before each change of the journal."""

    name: str = "a folder"
    begins: bool = True

    def make(self, folder: Path) -> Store:
        return FolderStore.make(folder / "home")

    def again(self, store: Store) -> Store:
        assert isinstance(store, FolderStore)
        return FolderStore(store.path)

    def cuts(self, folder: Path, prepare: Act, act: Act, wrong: BaseException) -> Iterator[Store]:
        for at in range(1000):
            made = FolderStore.make(folder / f"home-{at}")
            prepare(made)
            counter = _Counter(at, wrong)
            with counter.counting(), contextlib.suppress(type(wrong)):
                act(FolderStore(made.path, _Cut(counter)))
            if counter.done <= at:
                assert at > 2, "the act has steps"
                return
            yield FolderStore(made.path)


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
    """A real PostgreSQL server, cut before each statement of a change."""

    name: str = "PostgreSQL"
    begins: bool = False

    def make(self, folder: Path) -> Store:
        return PostgresStore.make(server().database())

    def again(self, store: Store) -> Store:
        assert isinstance(store, PostgresStore)
        return PostgresStore(store.url)

    def cuts(self, folder: Path, prepare: Act, act: Act, wrong: BaseException) -> Iterator[Store]:
        for at in range(1000):
            made = PostgresStore.make(server().database())
            prepare(made)
            counter = _Counter(at, wrong)
            with counter.counting_statements(), contextlib.suppress(type(wrong)):
                act(PostgresStore(made.url))
            if counter.done <= at:
                assert at > 0, "the act has steps"
                return
            yield PostgresStore(made.url)


STORES: Final[tuple[Kept, ...]] = (_Folder(), _Memory(), _Postgres())


class _Counter:
    """Counts steps, and fails before one of them."""

    def __init__(self, at: int, wrong: BaseException) -> None:
        self.at = at
        self.wrong = wrong
        self.done = 0

    def step(self) -> None:
        self.done += 1
        if self.done == self.at + 1:
            raise self.wrong

    @contextlib.contextmanager
    def counting(self) -> Iterator[None]:
        """Count what changes the journal, too."""
        count = self.step

        class Counted(sqlite3.Connection):
            def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
                if sql.startswith(CHANGES):
                    try:
                        count()
                    except OSError:
                        raise sqlite3.OperationalError("disk I/O error") from None
                return super().execute(sql.replace("synchronous = FULL", "synchronous = OFF"), values)

        assert isinstance(self.wrong, PowerCut | OSError)
        with mock.patch("pbem.store.connection.Connection", Counted):
            yield

    @contextlib.contextmanager
    def counting_statements(self) -> Iterator[None]:
        """Count what changes a database on a server; a fault there is one of its own."""
        real, count = PgDatabase.run, self.step

        def run(door: PgDatabase, sql: str, *values: Any) -> Any:
            if sql.startswith(CHANGES):
                count()
            return real(door, sql, *values)

        with mock.patch.object(PgDatabase, "run", run):
            yield


class _Cut(SteppedDisk):
    """A disk that fails at a step, and syncs nothing for real."""

    def __init__(self, counter: _Counter) -> None:
        self.counter = counter

    def step(self, step: Step) -> None:
        self.counter.step()

    def sync_file(self, path: Path) -> None:
        self.counter.step()

    def sync_tree(self, folder: Path) -> None:
        self.counter.step()

    def sync_names(self, folder: Path) -> None:
        self.counter.step()
