"""What can be read of a damaged journal goes into a new one, from both ends of each table."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pbem.store.errors import WrongInput
from pbem.store.folder import FolderStore
from pbem.store.interface import Store
from pbem.store.journal import COLUMNS, Journal

_NUMBERED: Final = ("intake", "outbox")
"""Tables whose numbers stand in mails: one that was given is never given again."""

_LEAP: Final = 1000
"""So many numbers are left out where it cannot be read how far they had come."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What became of a damaged journal.

    Attributes:
        rows: How many rows were read and written.
        broken: The tables that could not be read from one end to the other.
    """

    rows: int
    broken: tuple[str, ...]


def salvage(store: Store, damaged: Path) -> Salvaged:
    """Write what can be read of a damaged journal into the journal of a home, all at once; the file stays.

    Args:
        store: The home, whose journal must be empty.
        damaged: The damaged file; one beside it that ends in `-wal` belongs to it.

    Raises:
        WrongInput: The home is none in a folder, its journal is not empty, or nothing can be read.
    """
    if not isinstance(store, FolderStore):
        raise WrongInput("a home in a database has no such file.", "Restore a dump of the database.")
    with store.journal() as db, _opened(damaged) as old:
        tables = {table: _rows(old, table) for table in COLUMNS}
        if not any(rows for rows, _ in tables.values()):
            raise WrongInput(f"nothing can be read of {damaged}.", "Restore mail.db from your backup.")
        with db.writing():
            if db.count_rows():
                raise WrongInput(
                    "the journal of this home is not empty.", "Move its mail/mail.db away, and try again."
                )
            count = db.restore((table, row) for table, (rows, _) in tables.items() for row in rows)
            for table in _NUMBERED:
                _leave_out(db, table, _newest(old, table, tables[table][0]))
    return Salvaged(count, tuple(table for table, (_, is_whole) in tables.items() if not is_whole))


@contextlib.contextmanager
def _opened(damaged: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy: the database would write into the file when it is opened."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "mail.db"
        shutil.copyfile(damaged, copy)
        log = damaged.with_name(f"{damaged.name}-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name("mail.db-wal"))
        with contextlib.closing(sqlite3.connect(copy)) as found:
            yield found


def _rows(old: sqlite3.Connection, table: str) -> tuple[list[Row], bool]:
    """Return the rows of a table that can be read, and whether these are all."""
    keys = ("game", "key") if table == "game_notes" else ("id",)
    found, is_whole = _read(old, table, keys, "ASC")
    if is_whole:
        return found, True
    behind, _ = _read(old, table, keys, "DESC")
    known = {row[: len(keys)] for row in found}
    return [*found, *(row for row in reversed(behind) if row[: len(keys)] not in known)], False


def _read(old: sqlite3.Connection, table: str, keys: tuple[str, ...], way: str) -> tuple[list[Row], bool]:
    """Read a table from one of its ends up to the first row that is damaged."""
    order = ", ".join(f"{key} {way}" for key in keys)
    found: list[Row] = []
    try:
        for row in old.execute(f"SELECT {COLUMNS[table]} FROM {table} ORDER BY {order}"):
            found.append(row)
    except sqlite3.DatabaseError:
        return found, False
    return found, True


def _newest(old: sqlite3.Connection, table: str, rows: list[Row]) -> int:
    """Return the last number that a table has given, or one that is well behind it."""
    with contextlib.suppress(sqlite3.DatabaseError):
        for (number,) in old.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)):
            return int(number)
    return max((int(row[0]) for row in rows), default=0) + _LEAP


def _leave_out(db: Journal, table: str, newest: int) -> None:
    """Let new rows of a table be numbered after this number."""
    db.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
    db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, newest)
