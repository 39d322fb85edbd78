"""A damaged journal: what can be read of it, row by row, goes into a new one."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pbem.store.errors import WrongInput
from pbem.store.folder import FolderStore
from pbem.store.interface import Store
from pbem.store.journal import COLUMNS, Journal
from pbem.store.stamped import seal_address

Row = tuple[Any, ...]

_MAGIC: Final = b"SQLite format 3\0"
_PAGE: Final = 4096
_REST: Final = bytes((16, 0, 2, 2, 0, 64, 32, 32))
"""What follows in the header of a journal: pages of 4096 bytes, a log beside it, and what never varies."""

_MOST_PAGES: Final = 1 << 20
_NOTES: Final = "game_notes"
_MOST_SPANS: Final = 4


@dataclass(frozen=True, slots=True)
class TableRows:
    """What could be read of a table.

    Attributes:
        rows: The rows.
        lost: What could not be read of it, in words; "" if nothing is missing.
    """

    rows: list[Row]
    lost: str


@contextlib.contextmanager
def open_damaged_copy(damaged: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy of a damaged journal, since the database would write into the file when it is opened.

    Args:
        damaged: The file; one beside it that ends in `-wal` belongs to it.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "mail.db"
        shutil.copyfile(damaged, copy)
        log = damaged.with_name(f"{damaged.name}-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name("mail.db-wal"))
        _mend_header(copy)
        with contextlib.closing(sqlite3.connect(copy)) as found:
            yield found


def _mend_header(copy: Path) -> None:
    """Let a copy be opened whose first bytes were written over, or which has fewer pages than it says."""
    with copy.open("r+b") as file:
        header = bytearray(file.read(100))
        if len(header) < 100 or copy.stat().st_size < _PAGE:
            return
        if not header.startswith(_MAGIC):
            header[: len(_MAGIC) + len(_REST)] = _MAGIC + _REST
        header[24:28] = bytes(255 - byte for byte in header[92:96])  # so that the size of the file counts
        file.seek(0)
        file.write(header)
        size = int.from_bytes(header[16:18])
        whole, said = file.seek(0, 2) // size, int.from_bytes(header[28:32])
        file.truncate(whole * size)
        if whole < said < _MOST_PAGES:  # empty pages in place of those that are gone: no room is taken
            file.truncate(said * size)


def read_table(old: sqlite3.Connection, table: str, games: Iterable[str]) -> TableRows:
    """Read all rows of a table that can be read.

    Args:
        old: The damaged journal, from `opened`.
        table: The table.
        games: The games of the home: their notes are sought one by one.
    """
    if table == _NOTES:
        return _notes(old, games)
    found, is_whole = _read_from_both_ends(old, table, ("id",))
    if is_whole:
        return TableRows(found, "")
    rows, newest, lost = {int(row[0]): row for row in found}, last_assigned_number(old, table), list[int]()
    columns = _columns(old, table)
    for number in range(1, max(newest or 0, *rows, 0) + 1):
        if number not in rows:
            one, is_readable = _read(old, f"SELECT {columns} FROM {table} WHERE id = ?", number)
            if one:
                rows[number] = one[0]
            elif not is_readable:
                lost.append(number)
    told = f"{len(lost)} rows ({_number_ranges(lost)})" if lost else ""
    if newest is None:
        told = f"{told}{' and ' if told else ''}all after {max(rows, default=0)}"
    return TableRows([rows[number] for number in sorted(rows)], told)


def last_assigned_number(old: sqlite3.Connection, table: str) -> int | None:
    """Return the last number that a table has given; None if that cannot be read."""
    found, is_readable = _read(old, "SELECT seq FROM sqlite_sequence WHERE name = ?", table)
    return int(found[0][0]) if found else 0 if is_readable else None


def _notes(old: sqlite3.Connection, games: Iterable[str]) -> TableRows:
    """Read the notes, those of each game from both of its ends if they cannot all be read."""
    found, is_whole = _read_from_both_ends(old, _NOTES, ("game", "key"))
    if is_whole:
        return TableRows(found, "")
    rows, lost = {row[:2]: row for row in found}, []
    for game in games:
        own, is_readable = _read_from_both_ends(old, _NOTES, ("key",), game)
        rows.update({row[:2]: row for row in own})
        lost += [] if is_readable else [game or "the home"]
    told = f"some notes{' of ' * bool(lost)}{', '.join(lost)}"
    return TableRows([rows[key] for key in sorted(rows)], told)


def _columns(old: sqlite3.Connection, table: str) -> str:
    """Return the columns to read of a table; one that an older pbem did not write yet is empty text."""
    found, _ = _read(old, f"SELECT name FROM pragma_table_info('{table}')")
    known = {str(row[0]) for row in found}
    return ", ".join(one if one in known or not known else "''" for one in COLUMNS[table].split(", "))


def _read_from_both_ends(
    old: sqlite3.Connection, table: str, keys: tuple[str, ...], game: str | None = None
) -> tuple[list[Row], bool]:
    """Read from both ends up to the first row that is damaged; tell whether these are all."""
    of_game = () if game is None else (game,)
    select = f"SELECT {_columns(old, table)} FROM {table}{' WHERE game = ?' if of_game else ''} ORDER BY "
    found, is_whole = _read(old, select + ", ".join(keys), *of_game)
    if is_whole:
        return found, True
    behind, _ = _read(old, select + ", ".join(f"{key} DESC" for key in keys), *of_game)
    known = set(found)
    return [*found, *(row for row in reversed(behind) if row not in known)], False


def _read(old: sqlite3.Connection, sql: str, *values: object) -> tuple[list[Row], bool]:
    """Return the rows that a statement finds up to the first that is damaged, and whether these are all."""
    found: list[Row] = []
    try:
        for row in old.execute(sql, values):
            found.append(row)
    except sqlite3.DatabaseError:
        return found, False
    return found, True


def _number_ranges(numbers: list[int]) -> str:
    """Return numbers in words, as in "3, 7 to 12"; the first ones of many."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], number]
        else:
            spans.append([number])
    words = [" to ".join(map(str, span)) for span in spans[:_MOST_SPANS]]
    return ", ".join([*words, "..."] if len(spans) > _MOST_SPANS else words)


MAILS: Final = ("intake", "outbox")
"""Tables of mails, in which their numbers stand: one that was given is never given again."""

_LEAP: Final = 1000
"""So many numbers are left out where it cannot be read how far they had come."""


@dataclass(frozen=True, slots=True)
class SalvageResult:
    """What became of a damaged journal.

    Attributes:
        rows: How many rows were read and written.
        lost: What could not be read, in words, by table.
    """

    rows: int
    lost: Mapping[str, str]


def salvage(store: Store, damaged: Path) -> SalvageResult:
    """Write what can be read of a damaged journal into the journal of a home, all at once; the file stays.

    Args:
        store: The home, whose journal must be empty.
        damaged: The damaged file; one beside it that ends in `-wal` belongs to it.

    Raises:
        WrongInput: The home is none in a folder, its journal is not empty, or nothing can be read.
    """
    if not isinstance(store, FolderStore):
        raise WrongInput("a home in a database has no such file.", "Restore a dump of the database.")
    with store.journal() as db, open_damaged_copy(damaged) as old:
        tables, games = dict[str, TableRows](), {"", *store.games()}
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
                newest = last_assigned_number(old, table)
                highest = max((int(row[0]) for row in tables[table].rows), default=0)
                _reserve_numbers(db, table, highest + _LEAP if newest is None else max(newest, highest))
    lost = {
        table: " and ".join(filter(None, (found.lost, strange[table]))) for table, found in tables.items()
    }
    rows = sum(len(found.rows) for found in tables.values())
    return SalvageResult(rows, {table: words for table, words in lost.items() if words})


def _restore(db: Journal, table: str, found: TableRows) -> str:
    """Write the rows of a table; return in words how many were none that a journal can have, or ""."""
    strange = []
    for row in found.rows:
        try:
            db.restore([(table, _drop_secret(table, row))])
        except sqlite3.IntegrityError:
            strange.append(row)
    for row in strange:
        found.rows.remove(row)
    return f"{len(strange)} rows that make no sense" if strange else ""


def _drop_secret(table: str, row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row without a secret for acts, which journals of before kept in the addresses of mails."""
    if table != "intake":
        return row
    at = COLUMNS[table].split(", ").index("recipient")
    return (*row[:at], seal_address(str(row[at]), may_be_sealed=True), *row[at + 1 :])


def _reserve_numbers(db: Journal, table: str, newest: int) -> None:
    """Let new rows of a table be numbered after this number."""
    db.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
    db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, newest)
