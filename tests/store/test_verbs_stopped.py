"""Verbs in a home in a database, killed or cut off before their steps and given again, come to the same."""

from __future__ import annotations

import contextlib
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal, TypeAlias

import psycopg
import pytest

from pbem.cli import run_command
from pbem.play.homes.home import Home
from pbem.play.homes.tenures import TENURES
from pbem.play.homes.upkeep import copy_home
from pbem.store.opening import open_store
from pbem.store.postgresql.pgrows import decompress_file
from pbem.store.postgresql.postgres import PostgresStore
from tests.edge.faults import Image, PowerCut, image_of, lay_out
from tests.hosting.verbs import BY_MAIL, CASES, Case, words
from tests.mail.disturbed import Counter, Kind, Shell, counted, fail
from tests.store.pgserver import server

pytestmark = pytest.mark.postgres

Mode: TypeAlias = Literal["kill", "fail"]
Give: TypeAlias = Callable[[list[str], int, Mode], tuple[int, int]]

KILLED: Final = -signal.SIGKILL
STOPPED: Final = {name: case for name, case in {**CASES, **BY_MAIL}.items() if not case.in_folder}
NEW: Final = "a new database"

FOR_REAL: Final = ("extend --by", "answer", "submit --for-moderator", "receive press")
"""These are given to a program that is killed, too. All are given in this process, where a kill is an
exception, and the end of the connection."""

UNLIKE: Final = {
    "files": {"stamp", "data"},
    "games": {"stirred"},
    "intake": {"id", "received"},
    "outbox": {"id", "raw", "tries", "next_try", "created", "claimed", "sent"},
    "acts": {"id"},
    "tellings": {"id"},
    "procrastinate_jobs": {"id", "scheduled_at"},
    "procrastinate_events": {"id", "job_id", "at"},
}
"""Columns that differ where the same was done: numbers, what counts tries, and moments of the clock."""

RECEIPT: Final = re.compile(rb"# pbem receipt .*\n$")
"""The end of files that are submitted again, which get another number."""


@cache
def in_a_database(before: Callable[[], Image]) -> str:
    """Return the address of a home in a database, with workers, that was made in a folder."""
    made = PostgresStore.make(server().database())
    with TemporaryDirectory() as folder:
        copy_home(lay_out(before(), Path(folder) / "home"), Home(made))
    made.db.begin_work()
    return made.url


class Database:
    """A database that can be looked at whole, and put back as it was.

    Attributes:
        url: Its address.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._db = psycopg.connect(url, autocommit=True)

    def close(self) -> None:
        """Leave it."""
        self._db.close()

    def keep(self) -> None:
        """Remember how it is now."""
        self._do(
            "CREATE SCHEMA ready", *(f"CREATE TABLE ready.{one} AS TABLE {one}" for one in self._tables())
        )

    def put_back(self) -> None:
        """Make every table hold the rows that it held."""
        rows = (
            f"DELETE FROM {one}; INSERT INTO {one} OVERRIDING SYSTEM VALUE SELECT * FROM ready.{one}"
            for one in self._tables()
        )
        self._do("BEGIN", "SET LOCAL session_replication_role = replica", *rows, "COMMIT")

    def rows(self) -> dict[str, list[str]]:
        """Return all rows of all tables; who was at work there is gone, as after a kill."""
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        self._do(f"SELECT pg_terminate_backend(pid, 10000) {others}")
        tables = self._tables()
        mails: dict[int, str] = {}
        if "outbox" in tables:
            mails = dict(self._db.execute("SELECT id, message_id FROM outbox").fetchall())
        return {table: sorted(self._rows_of(table, mails)) for table in tables}

    def _rows_of(self, table: str, mails: Mapping[int, str]) -> Iterator[str]:
        """Yield the rows of a table but for what is never alike."""
        more = ", CASE WHEN name LIKE 'orders/%' THEN data END AS orders, md5(data)" * (table == "files")
        found = self._db.execute(f"SELECT *{more} FROM {table}".encode())
        assert found.description is not None
        names, unlike = [column.name for column in found.description], UNLIKE.get(table, set())
        for values in found:
            row = {name: one for name, one in zip(names, values, strict=True) if name not in unlike}
            if row.get("key") == TENURES:  # noted now or by the next command: it is the same that is known
                continue
            if row.get("orders"):
                row["orders"] = RECEIPT.sub(b"", decompress_file(row["orders"], row["packed"]))
                del row["md5"]
            if row.get("task_name") == "send":  # a mail has another number after one that was not kept
                mail = row["args"].pop("number")
                row["queueing_lock"] = row["queueing_lock"].replace(str(mail), mails[mail])
            yield repr(row)

    def _tables(self) -> list[str]:
        found = self._db.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return [str(table) for (table,) in found]

    def _do(self, *statements: str) -> None:
        self._db.execute(";\n".join(statements).encode())


class Trial:
    """A command, and a home in a database to give it in again and again.

    Attributes:
        home: The home.
        new: An empty database, if the command makes a home.
    """

    def __init__(self, case: Case, beside: Path) -> None:
        """Make the home.

        Args:
            case: The command.
            beside: A new folder for the moderator's own files.
        """
        url, self._beside = server().copy(in_a_database(case.before)), beside
        beside.mkdir()
        with contextlib.chdir(beside):
            home = Home(open_store(url))
            case.prepare(home)
            self._words = words(case, home, NEW)
        self._files = image_of(beside)
        self.home = Database(url)
        self.home.keep()
        self.new = self._a_new_one()

    @property
    def words(self) -> list[str]:
        """The command line."""
        return [one.replace(NEW, self.new.url) if self.new else one for one in self._words]

    def state(self) -> tuple[object, ...]:
        """Return all that the command can have changed."""
        return self.home.rows(), self.new.rows() if self.new else {}, image_of(self._beside)

    def put_back(self) -> None:
        """Let everything be as it was before the command."""
        self.home.put_back()
        lay_out(self._files, self._beside)
        if self.new:
            self.new.close()
        self.new = self._a_new_one()

    def close(self) -> None:
        """Leave the databases."""
        for one in (self.home, self.new):
            if one is not None:
                one.close()

    def _a_new_one(self) -> Database | None:
        return Database(server().database()) if NEW in self._words else None


def in_process(given: list[str], at: int = -1, mode: Mode = "kill") -> tuple[int, int]:
    """Give a command, stop it before a step, and return its exit code and how many steps it took."""

    def stop(kind: Kind) -> None:
        if mode == "fail":
            fail(kind)
        raise PowerCut

    counter = Counter(at, stop)
    with counted(counter):
        try:
            return run_command(given), counter.done
        except PowerCut:
            return KILLED, counter.done


def stop_everywhere(trial: Trial, give: Give, name: str, mode: Mode) -> None:
    """Stop a command before its steps, and behind all of them; give it again; compare the homes.

    A verb that the moderator gives is killed before every step. Where its connection is lost, it ends the
    same way at most steps.
    """
    case = STOPPED[name]
    every = max(case.every if name in BY_MAIL else 1, 1 if mode == "kill" else 3)
    before = trial.state()
    code, steps = give(trial.words, -1, mode)
    assert code == 0
    assert steps
    whole, tried = trial.state(), [before]
    trial.put_back()
    assert trial.state() == before

    for at in (*range(0, steps, every), steps):
        code, _ = give(trial.words, at, mode)
        assert code == KILLED if mode == "kill" and at < steps else code in (0, 1), f"step {at}"
        if (left := trial.state()) not in tried:  # else it was given again where all stood so
            tried.append(left)
            again, _ = give(trial.words, -1, mode)
            assert again in (0, case.done), f"step {at}"
            assert trial.state() == whole, f"step {at}"
        if left != before:
            trial.put_back()

    assert whole in tried


@pytest.mark.parametrize("mode", ["kill", "fail"])
@pytest.mark.parametrize("name", STOPPED)
def test_a_verb_that_was_stopped_in_a_database_and_is_given_again_comes_to_the_same(
    name: str, mode: Mode, tmp_path: Path
) -> None:
    trial = Trial(STOPPED[name], tmp_path / "beside")

    with contextlib.closing(trial):
        stop_everywhere(trial, in_process, name, mode)


def test_a_program_that_is_killed_at_work_in_a_database_and_is_given_again_comes_to_the_same(
    tmp_path: Path,
) -> None:
    with contextlib.closing(Shell(tmp_path)) as shell:
        for name in FOR_REAL:
            trial = Trial(STOPPED[name], tmp_path / name)
            with contextlib.closing(trial):
                stop_everywhere(trial, shell.give, name, "kill")
