"""The home in a PostgreSQL database: files by name, turns, and the journal; a change is one transaction."""

from __future__ import annotations

import contextlib
import datetime
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.store.errors import GateClosedError, WrongInput
from pbem.store.interface import Change, Kind, Place, turn_name
from pbem.store.postgresql.pgconnection import check_format, hide_password, make_tables, upgrade_tables
from pbem.store.postgresql.pgrows import PgJournal, figures, put, take_back, turns_in_files
from pbem.store.records import archive_job, reports_job
from pbem.store.rests import refuse_closed

if TYPE_CHECKING:
    from pbem.store.journal import Figure, Journal
    from pbem.store.records import Row


class PostgresStore:
    """A home in a PostgreSQL database (15 or later); names stand for files as in the folder home.

    Folders are there as long as a file is below them. A thread has one connection for all that it does.
    """

    def __init__(self, url: str) -> None:
        """Look at a home; the database is not asked before something is.

        Args:
            url: Where the database is: `postgresql://…`, as libpq reads it.
        """
        self.url, self.is_folder, self.is_being_copied = url, False, False
        self._threads = threading.local()
        self._is_checked = False

    def __reduce__(self) -> tuple[type[PostgresStore], tuple[str]]:
        """Let another process open it for itself."""
        return PostgresStore, (self.url,)

    @classmethod
    def make(cls, url: str) -> PostgresStore:
        """Make an empty home of a database that has none, or finish one that was begun.

        Raises:
            WrongInput: The database cannot be reached, or holds a home already.
        """
        made = cls(url)
        make_tables(made._line())
        if made.games():
            raise WrongInput(f"{made.spelled('')} is not empty.", "Choose a new database.")
        return made

    def bring_up(self) -> tuple[int, int]:
        """Bring a home of an older format up to this program's; return both formats.

        Raises:
            WrongInput: The database holds no home, or one of a newer pbem.
        """
        return upgrade_tables(self._line())

    @property
    def db(self) -> PgJournal:
        """The journal, on this thread's connection; raises WrongInput if it is not of this format."""
        line = self._line()
        if not self._is_checked:
            check_format(line)
            self._is_checked = True
        return line

    def _line(self) -> PgJournal:
        found: PgJournal | None = getattr(self._threads, "line", None)
        if found is None:
            self._threads.line = found = PgJournal(self.url)
        return found

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
        if (found := self.db.glance.read(self.db, name)) is not None:
            return found
        if self.kind(name) == "folder":
            raise IsADirectoryError(21, "Is a directory", self.spelled(name))
        raise FileNotFoundError(2, "No such file or directory", self.spelled(name))

    def kind(self, name: str) -> Kind:
        """Tell what lies under a name."""
        return self.db.glance.kind(self.db, name)

    def names(self, name: str) -> list[str]:
        """Return the names right below a folder."""
        found = sorted({one.partition("/")[0] for one in self.below(name)})
        if not found and not self.kind(name):
            raise FileNotFoundError(2, "No such file or directory", self.spelled(name))
        return found

    def below(self, name: str) -> list[str]:
        """Return the paths of all files below a folder, from that folder."""
        start = len(name) + 1 if name else 0
        return [one[start:] for one in self.db.glance.below(self.db, name)]

    def stamp(self, name: str) -> object:
        """Return what is another whenever the content of a file may be."""
        found = self._rows("SELECT stamp FROM files WHERE name = ?", name)
        if not found:
            raise FileNotFoundError(2, "No such file or directory", self.spelled(name))
        return found[0][0]

    def spelled(self, name: str) -> str:
        """Return how people are told of a name; the password of the database is told to nobody."""
        where = hide_password(self.url)
        return f"{where} {name}" if name else where

    # --- games and turns

    def games(self) -> list[str]:
        """Return the ids of all games, in order.

        Raises:
            WrongInput: This is no home.
        """
        return [str(row[0]) for row in self._rows("SELECT game FROM games ORDER BY game")]

    def has(self, game: str) -> bool:
        """Tell whether there is a game of this id, without looking at the others."""
        return "\0" not in game and bool(self._rows("SELECT 1 FROM games WHERE game = ?", game))

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
        """Return the journal. Use it in `with`.

        Raises:
            WrongInput: The database cannot be reached.
        """
        return self.db

    def note(self, rows: Iterable[Row]) -> None:
        """Write rows into the journal, all or none."""
        self.db.write(rows)

    # --- which games rest

    def stirring(self, now: datetime.datetime) -> list[str]:
        """Return the games to look at: those that changed, and those whose moment has come; in order."""
        sql = "SELECT game FROM games WHERE until IS NULL UNION ALL SELECT game FROM games WHERE until <= ?"
        return sorted(str(row[0]) for row in self._rows(sql, now))

    def is_stirring(self, game: str, now: datetime.datetime) -> bool:
        """Tell whether a game is to be looked at."""
        sql = "SELECT 1 FROM games WHERE game = ? AND (until IS NULL OR until <= ?)"
        return bool(self._rows(sql, game, now))

    def seen(self, game: str) -> str:
        """Return what stands in a game, in short: another whenever anything of it may be."""
        found = self._rows("SELECT stirred FROM games WHERE game = ?", game)
        return str(found[0][0]) if found else ""

    def let_rest(self, game: str, seen: str, until: datetime.datetime) -> None:
        """Note that nothing is to be done in a game before a moment, as long as it stands as it was seen."""
        sql = "UPDATE games SET until = ? WHERE game = ? AND stirred = ?"
        with self.db.writing():
            self.db.run(sql, until, game, int(seen or 0))

    def waking_games(
        self, now: datetime.datetime, until: datetime.datetime
    ) -> list[tuple[str, datetime.datetime]]:
        """Return the games whose moment comes after one moment and by another, each with its own."""
        sql = "SELECT game, until FROM games WHERE until > ? AND until <= ? ORDER BY until, game"
        return [(str(game), moment) for game, moment in self._rows(sql, now, until)]

    # --- changes

    @contextlib.contextmanager
    def held(self, name: str, *, wait_seconds: float = 0.0) -> Iterator[Change | None]:
        """Hold a game, or something else by its name, on a connection that lets go when the program ends.

        Nothing is ever begun and cut off here: a change is one transaction, on this very connection.
        """
        with self.db.held(name, wait_seconds), self.db.glance.held():
            refuse_closed(self)
            yield None

    @contextlib.contextmanager
    def claimed(self, table: str, number: int) -> Iterator[bool]:
        """Have a mail of the journal to oneself, by its table and number; False if somebody else has it."""
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(self.held(f"{table} {number}"))
            except GateClosedError:
                yield False
            else:
                yield True

    def together(self) -> AbstractContextManager[None]:
        """Make all changes inside true together."""
        return self.db.writing()

    def lodge(self, name: str, data: bytes) -> None:
        """Keep one file in place of what was there."""
        with self.db.writing():
            put(self.db, {name: data})
            self.db.mark_file_changed(name)

    def commit(self, game: str, turn: int, files: Mapping[str, bytes]) -> None:
        """Add a turn to a game that the caller holds."""
        with self.db.writing():
            sql = "INSERT INTO turns (game, turn, revision) VALUES (?, ?, 0) ON CONFLICT DO NOTHING"
            if not self.db.run(sql, game, turn).rowcount:
                raise FileExistsError(17, "File exists", self.spelled(turn_name(game, turn)))
            put(self.db, {f"{turn_name(game, turn)}/{name}": data for name, data in files.items()})
            self._queue_jobs(game)

    def _queue_jobs(self, game: str) -> None:
        """Let a game whose turns changed be looked at, its reports be made, and its pages."""
        self.db.wake(game)
        self.db.after(reports_job(game))
        self.db.after(archive_job())

    def found(self, game: str, files: Mapping[str, bytes]) -> None:
        """Add a game."""
        with self.db.writing():
            if not self.db.run("INSERT INTO games (game) VALUES (?) ON CONFLICT DO NOTHING", game).rowcount:
                raise WrongInput(f"there is a game {game} already.", "Choose another id.")
            for turn, revision in sorted(turns_in_files(files)):
                sql = "INSERT INTO turns (game, turn, revision) VALUES (?, ?, ?)"
                self.db.run(sql, game, turn, revision)
            put(self.db, {f"games/{game}/{name}": data for name, data in files.items()})
            self._queue_jobs(game)

    def change(self, game: str, change: Change) -> None:
        """Make several things of a game that the caller holds true together."""
        with self.db.writing():
            for name, data in change.files.items():
                if data is None:
                    self.db.run("DELETE FROM files WHERE name = ?", name)
            put(self.db, {name: data for name, data in change.files.items() if data is not None})
            if change.taken_back is not None:
                take_back(self.db, game, change.taken_back)
            self.db.write(change.rows)
            self._queue_jobs(game)

    def remove(self, name: str) -> None:
        """Remove a file."""
        with self.db.writing():
            if not self.db.run("DELETE FROM files WHERE name = ?", name).rowcount:
                raise FileNotFoundError(2, "No such file or directory", self.spelled(name))
            self.db.mark_file_changed(name)

    def tidy(self, *names: str) -> None:
        """Remove what was left half written: nothing ever is."""

    # --- what a moderator is told

    def figures(self, now: datetime.datetime) -> list[Figure]:
        """Return the figures of this home."""
        return figures(self.db, now)

    def free_bytes(self) -> int:
        """Return how much more can be kept here: what the server's disk has, it tells nobody."""
        return 1 << 40

    def open_to_others(self, names: Iterable[str]) -> list[WrongInput]:
        """Return a mistake for each of these names that others can read: that is for the server to say."""
        return []

    def _rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self.db.rows(sql, *values)
