"""The home in a PostgreSQL database: files by name, turns, and the journal; a change is one transaction."""

from __future__ import annotations

import contextlib
import datetime
import time
import weakref
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.store.errors import GateClosedError, Reason, WrongInput
from pbem.store.interface import Change
from pbem.store.pgconnection import PgDoor, PgJournal, connect, make_tables
from pbem.store.place import UNDONE, Kind, Place, turn_name, undone_name

if TYPE_CHECKING:
    from pbem.store.journal import Journal
    from pbem.store.records import Row

_POLL_SECONDS: Final = 0.02


class PostgresStore:
    """A home that a PostgreSQL database keeps (15 or later).

    A name stands for a file as in the folder home; folders are there as long as a file is below them.
    """

    def __init__(self, url: str) -> None:
        """Look at a home; the database is not asked before something is.

        Args:
            url: Where the database is: `postgresql://…`, as libpq reads it.
        """
        self.url = url
        self._reader: PgDoor | None = None

    @classmethod
    def make(cls, url: str) -> PostgresStore:
        """Make an empty home of a database that has none, or finish one that was begun.

        Raises:
            WrongInput: The database cannot be reached, or holds a home already.
        """
        made = cls(url)
        with PgDoor(connect(url)) as db:
            make_tables(db)
        if made.games():
            raise WrongInput(f"{made.spelled('')} is not empty.", "Choose a new database.")
        return made

    @property
    def beside(self) -> Path:
        """The folder in which the moderator keeps files of their own: the one where the command is given."""
        return Path()

    def at(self, name: str) -> Place:
        """Return a place of this store."""
        return Place(self, name)

    # --- what lies where

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        found = self._rows("SELECT data FROM files WHERE name = ?", name) if "\0" not in name else []
        if found:
            return bytes(found[0][0])
        if self.kind(name) == "folder":
            raise IsADirectoryError(21, "Is a directory", self.spelled(name))
        raise FileNotFoundError(2, "No such file or directory", self.spelled(name))

    def kind(self, name: str) -> Kind:
        """Tell what lies under a name."""
        if "\0" in name:
            return ""
        if self._rows("SELECT 1 FROM files WHERE name = ?", name):
            return "file"
        if not name or self._rows(f"SELECT 1 FROM files WHERE {_BELOW} LIMIT 1", *_below(name)):
            return "folder"
        return ""

    def names(self, name: str) -> list[str]:
        """Return the names right below a folder."""
        found = sorted({one.partition("/")[0] for one in self.below(name)})
        if not found and not self.kind(name):
            raise FileNotFoundError(2, "No such file or directory", self.spelled(name))
        return found

    def below(self, name: str) -> list[str]:
        """Return the paths of all files below a folder, from that folder."""
        start = len(name) + 1 if name else 0
        found = self._rows(f"SELECT name FROM files WHERE {_BELOW} ORDER BY name", *_below(name))
        return [str(row[0])[start:] for row in found]

    def stamp(self, name: str) -> object:
        """Return what is another whenever the content of a file may be."""
        found = self._rows("SELECT stamp FROM files WHERE name = ?", name)
        if not found:
            raise FileNotFoundError(2, "No such file or directory", self.spelled(name))
        return found[0][0]

    def spelled(self, name: str) -> str:
        """Return how people are told of a name; the password of the database is told to nobody."""
        where = _without_password(self.url)
        return f"{where} {name}" if name else where

    # --- games and turns

    def games(self) -> list[str]:
        """Return the ids of all games, in order.

        Raises:
            WrongInput: This is no home.
        """
        return sorted(str(row[0]) for row in self._rows("SELECT DISTINCT game FROM turns"))

    def has(self, game: str) -> bool:
        """Tell whether there is a game of this id, without looking at the others."""
        return "\0" not in game and bool(self._rows("SELECT 1 FROM turns WHERE game = ? LIMIT 1", game))

    def turns(self, game: str) -> list[int]:
        """Return the numbers of a game's committed turns, in order."""
        sql = "SELECT turn FROM turns WHERE game = ? AND revision = 0 ORDER BY turn"
        return [int(row[0]) for row in self._rows(sql, game)]

    def taken_back(self, game: str) -> list[tuple[int, int]]:
        """Return the turns that were taken back: number and how often before, from 1; in order."""
        sql = "SELECT turn, revision FROM turns WHERE game = ? AND revision > 0 ORDER BY turn, revision"
        return [(int(turn), int(revision)) for turn, revision in self._rows(sql, game)]

    # --- the journal

    @property
    def has_journal(self) -> bool:
        """Tell whether anything was ever noted in this home: a database always has its journal."""
        return True

    def journal(self) -> Journal:
        """Open the journal. Use it in `with`.

        Raises:
            WrongInput: The database cannot be reached.
        """
        return PgJournal(connect(self.url))

    def note(self, rows: Iterable[Row]) -> None:
        """Write rows into the journal, all or none."""
        with self.journal() as db:
            db.write(rows)

    # --- which games rest: none do yet

    def stirring(self, now: datetime.datetime) -> list[str]:
        """Return the games to look at, in order: all."""
        return self.games()

    def seen(self, game: str) -> str:
        """Return what stands in a game, in short: nobody asks for it here."""
        return ""

    def let_rest(self, game: str, seen: str, until: datetime.datetime) -> None:
        """Note that nothing is to be done in a game: it is looked at all the same."""

    # --- changes

    @contextlib.contextmanager
    def held(self, name: str, *, wait_seconds: float = 0.0) -> Iterator[Change | None]:
        """Hold a game, or something else by its name, on a connection that lets go when the program ends.

        Nothing is ever begun and cut off here: a change is one transaction.
        """
        with PgDoor(connect(self.url)) as db:
            until = time.monotonic() + wait_seconds
            while not db.rows("SELECT pg_try_advisory_lock(hashtextextended(?, 0))", f"pbem {name}")[0][0]:
                if time.monotonic() >= until:
                    text = f"another pbem is at work on {name.rpartition('/')[2]}"
                    raise GateClosedError((Reason("locked", text, can_override=False),))
                time.sleep(_POLL_SECONDS)
            yield None

    def lodge(self, name: str, data: bytes) -> None:
        """Keep one file in place of what was there."""
        with self._changing() as db:
            _put(db, name, data)

    def commit(self, game: str, turn: int, files: Mapping[str, bytes]) -> None:
        """Add a turn to a game that the caller holds."""
        with self._changing() as db:
            sql = "INSERT INTO turns (game, turn, revision) VALUES (?, ?, 0) ON CONFLICT DO NOTHING"
            if not db.run(sql, game, turn).rowcount:
                raise FileExistsError(17, "File exists", self.spelled(turn_name(game, turn)))
            for name, data in files.items():
                _put(db, f"{turn_name(game, turn)}/{name}", data)

    def found(self, game: str, files: Mapping[str, bytes]) -> None:
        """Add a game."""
        with self._changing() as db:
            db.run("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", "pbem games")
            if db.rows("SELECT 1 FROM turns WHERE game = ? LIMIT 1", game):
                raise WrongInput(f"there is a game {game} already.", "Choose another id.")
            for turn, revision in sorted(turns_among(files)):
                sql = "INSERT INTO turns (game, turn, revision) VALUES (?, ?, ?)"
                db.run(sql, game, turn, revision)
            for name, data in files.items():
                _put(db, f"games/{game}/{name}", data)

    def change(self, game: str, change: Change) -> None:
        """Make several things of a game that the caller holds true together."""
        with self._changing() as db:
            for name, data in change.files.items():
                if data is None:
                    db.run("DELETE FROM files WHERE name = ?", name)
                else:
                    _put(db, name, data)
            if change.taken_back is not None:
                _take_back(db, game, change.taken_back)
            db.write(change.rows)

    def remove(self, name: str) -> None:
        """Remove a file."""
        with self._changing() as db:
            if not db.run("DELETE FROM files WHERE name = ?", name).rowcount:
                raise FileNotFoundError(2, "No such file or directory", self.spelled(name))

    def tidy(self, *names: str) -> None:
        """Remove what was left half written: nothing ever is."""

    # --- what a moderator is told

    def free_bytes(self) -> int:
        """Return how much more can be kept here: what the server's disk has, it tells nobody."""
        return 1 << 40

    def open_to_others(self, names: Iterable[str]) -> list[str]:
        """Return a sentence for each of these names that others can read: that is for the server to say."""
        return []

    # --- connections

    def _rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return what a question finds, on a connection that is kept for questions."""
        if self._reader is None or self._reader.connection.closed:
            self._reader = PgDoor(connect(self.url))
            weakref.finalize(self, self._reader.connection.close)
        return self._reader.rows(sql, *values)

    @contextlib.contextmanager
    def _changing(self) -> Iterator[PgJournal]:
        """Make everything inside true in one transaction."""
        with PgJournal(connect(self.url)) as db, db.writing(alone=False):
            yield db


def turns_among(files: Iterable[str]) -> set[tuple[int, int]]:
    """Return the turns that these files of a game belong to, each with how often it was taken back."""
    found = set()
    for name in files:
        parts = name.split("/")
        if parts[0] == "turns" and len(parts) > 2:
            undone = UNDONE.fullmatch(parts[2]) if parts[1] == "undone" else None
            found.add((int(undone[1]), int(undone[2])) if undone else (int(parts[1]), 0))
    return found


_BELOW: Final = "name >= ? AND name < ?"


def _below(name: str) -> tuple[str, str]:
    """Return between which names all lie that are below a folder; "0" follows "/" in the order of bytes."""
    return (f"{name}/", f"{name}0") if name else ("", "\U0010ffff")


def _put(db: PgDoor, name: str, data: bytes) -> None:
    db.run(
        "INSERT INTO files (name, data) VALUES (?, ?) ON CONFLICT (name) DO UPDATE "
        "SET data = excluded.data, stamp = nextval('stamps')",
        *(name, data),
    )


def _take_back(db: PgDoor, game: str, turn: int) -> None:
    """Move a turn to those taken back."""
    sql = "SELECT coalesce(max(revision), 0) + 1 FROM turns WHERE game = ? AND turn = ?"
    revision = int(db.rows(sql, game, turn)[0][0])
    old, new = turn_name(game, turn), undone_name(game, turn, revision)
    db.run("UPDATE turns SET revision = ? WHERE game = ? AND turn = ? AND revision = 0", revision, game, turn)
    db.run(f"UPDATE files SET name = ? || substr(name, ?) WHERE {_BELOW}", new, len(old) + 1, *_below(old))


def _without_password(url: str) -> str:
    head, at, tail = url.rpartition("@")
    if not at:
        return url.partition("?")[0]
    scheme, _, user = head.partition("://")
    return f"{scheme}://{user.partition(':')[0]}@{tail.partition('?')[0]}"
