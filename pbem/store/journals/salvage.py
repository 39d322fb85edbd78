"""What can be read of a damaged journal goes into a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pbem.store.errors import WrongInput
from pbem.store.folder import FolderStore
from pbem.store.interface import Store
from pbem.store.journals.actsaddress import sealed
from pbem.store.journals.damaged import Found, newest_given, opened, read_table
from pbem.store.journals.journal import COLUMNS, Journal

MAILS: Final = ("intake", "outbox")
"""Tables of mails, in which their numbers stand: one that was given is never given again."""

_LEAP: Final = 1000
"""So many numbers are left out where it cannot be read how far they had come."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What became of a damaged journal.

    Attributes:
        rows: How many rows were read and written.
        lost: What could not be read, in words, by table.
    """

    rows: int
    lost: Mapping[str, str]


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
    with store.journal() as db, opened(damaged) as old:
        tables, games = dict[str, Found](), {"", *store.games()}
        for table, columns in COLUMNS.items():  # the notes come last, when most games are known by name
            tables[table] = read_table(old, table, sorted(games))
            games |= {str(row[columns.split(", ").index("game")]) for row in tables[table].rows}
        if not any(found.rows for found in tables.values()):
            way_out = (
                "Restore mail.db from your backup; without one, go on: the next command makes a new one."
            )
            raise WrongInput(f"nothing can be read of {damaged}.", way_out)
        with db.writing():
            if db.count_rows():
                raise WrongInput(
                    "the journal of this home is not empty.", "Move its mail/mail.db away, and try again."
                )
            strange = {table: _restore(db, table, found) for table, found in tables.items()}
            for table in MAILS:
                newest = newest_given(old, table)
                highest = max((int(row[0]) for row in tables[table].rows), default=0)
                _leave_out(db, table, highest + _LEAP if newest is None else max(newest, highest))
    lost = {
        table: " and ".join(filter(None, (found.lost, strange[table]))) for table, found in tables.items()
    }
    rows = sum(len(found.rows) for found in tables.values())
    return Salvaged(rows, {table: words for table, words in lost.items() if words})


def _restore(db: Journal, table: str, found: Found) -> str:
    """Write the rows of a table; return in words how many were none that a journal can have, or ""."""
    strange = []
    for row in found.rows:
        try:
            db.restore([(table, _sealed(table, row))])
        except sqlite3.IntegrityError:
            strange.append(row)
    for row in strange:
        found.rows.remove(row)
    return f"{len(strange)} rows that make no sense" if strange else ""


def _sealed(table: str, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row without a secret for acts, which journals of before kept in the addresses of mails."""
    if table != "intake":
        return row
    at = COLUMNS[table].split(", ").index("recipient")
    return (*row[:at], sealed(str(row[at]), may_be_sealed=True), *row[at + 1 :])


def _leave_out(db: Journal, table: str, newest: int) -> None:
    """Let new rows of a table be numbered after this number."""
    db.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
    db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, newest)
