"""Commands of play by mail that are stopped before a step: on the disk, in the database, on the line."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import signal
import smtplib
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias
from unittest import mock

import pbem
from pbem.cli import run_command
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.identify import Inspection, inspect_mail
from pbem.play.config.registry import find_rules
from pbem.store.postgresql.pgconnection import PgDatabase
from pbem.store.records import Intake
from tests.edge.faults import Step, SteppedDisk, kill_self
from tests.finished import SEATS
from tests.homes import NOW, top
from tests.mail.homes import a_mail_home

PROJECT = Path(__file__).parents[2]
Kind: TypeAlias = Literal["disk", "database", "server", "line"]
CHANGES = ("BEGIN", "COMMIT", "INSERT", "UPDATE", "DELETE", "CREATE")


class LostConnection(Exception):
    """The connection to a database on a server is to be lost."""


class Counter:
    """Counts steps, and does something of the test's before the n-th, from 0."""

    def __init__(self, at: int, act: Callable[[Kind], object]) -> None:
        self.at = at
        self.act = act
        self.done = 0

    def step(self, kind: Kind) -> None:
        if self.done == self.at:
            self.done += 1
            self.act(kind)
        else:
            self.done += 1


def fail(kind: Kind) -> None:
    """Fail as a disk, a database or a line fails."""
    if kind == "disk":
        raise OSError(28, "No space left on device", "somewhere")
    if kind == "database":
        raise sqlite3.OperationalError("database or disk is full")
    if kind == "server":
        raise LostConnection
    raise ConnectionResetError(104, "Connection reset by peer")


def trip_over_poison(desk: Desk, intake: Intake, raw: bytes) -> Inspection:
    """Look at a mail; one with poison in it trips the program up."""
    if b"poison" in raw:
        raise ZeroDivisionError("poison")
    return inspect_mail(desk, intake, raw)


@contextlib.contextmanager
def counted(counter: Counter) -> Iterator[None]:
    """Let every step of a command pass the counter; nothing is synced, which a kill does not undo.

    In a database on a server a step is a statement that changes something, a commit, and what follows one.
    """

    class CountedDisk(SteppedDisk):
        def step(self, step: Step) -> None:
            counter.step("disk")

        def sync_file(self, path: Path) -> None:
            counter.step("disk")

        def sync_tree(self, folder: Path) -> None:
            counter.step("disk")

        def sync_names(self, folder: Path) -> None:
            counter.step("disk")

    class CountedConnection(sqlite3.Connection):
        def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
            if sql.startswith(CHANGES):
                counter.step("database")
            return super().execute(sql.replace("synchronous = FULL", "synchronous = OFF"), values)

    def on_the_server(door: PgDatabase) -> None:
        try:
            counter.step("server")
        except BaseException as wrong:  # whoever is stopped here has no connection any more
            door.connection.close()
            if not isinstance(wrong, LostConnection):
                raise

    def run(door: PgDatabase, sql: str, *values: Any) -> Any:
        if sql.startswith(CHANGES):
            on_the_server(door)
        return really_run(door, sql, *values)

    @contextlib.contextmanager
    def writing(door: PgDatabase) -> Iterator[None]:
        with really_writing(door):
            yield
            if door._depth == 1:
                on_the_server(door)
        if door._depth == 0:
            on_the_server(door)

    really_run, really_writing = PgDatabase.run, PgDatabase.writing

    def before(real: Callable[..., Any]) -> Callable[..., Any]:
        def on_the_line(*words: Any, **named: Any) -> Any:
            counter.step("line")
            return real(*words, **named)

        return on_the_line

    with contextlib.ExitStack() as stack:
        for name, new in (
            ("pbem.store.disk.Disk", CountedDisk),
            ("pbem.store.connection.Connection", CountedConnection),
            ("pbem.store.postgresql.pgconnection.PgDatabase.run", run),
            ("pbem.store.postgresql.pgconnection.PgDatabase.writing", writing),
            ("smtplib.SMTP.send", before(smtplib.SMTP.send)),
            ("smtplib.SMTP.getreply", before(smtplib.SMTP.getreply)),
            ("smtplib.SMTP.connect", before(smtplib.SMTP.connect)),
            ("pbem.mail.outgoing.outbox.GRACE", 0.0),
            ("secrets.token_bytes", bytes),
            ("pbem.mail.arrivals.processing.inspect_mail", trip_over_poison),
        ):
            stack.enter_context(mock.patch(name, new))
        yield


def serve() -> None:
    """Fork a warm command line for each [mode, at, arguments, file] on standard input; answer code and steps.

    What the command says goes into the file.
    """
    _load_everything()
    for line in sys.stdin:
        mode, at, arguments, said = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            with Path(said).open("w") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            counter = Counter(at, fail if mode == "fail" else lambda _kind: kill_self())
            with counted(counter):
                code = run_command(arguments)
            sys.stdout.flush()
            os.write(writing, str(counter.done).encode())
            os._exit(code)
        os.close(writing)
        with os.fdopen(reading) as told:
            steps = int(told.read() or "-1")
        print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), steps]), flush=True)


def _load_everything() -> None:
    """Load every module and all rules, and receive and send once, so that forks need to load nothing."""
    for module in pkgutil.walk_packages(pbem.__path__, "pbem."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for rules in SEATS:
        assert find_rules(rules).system is not None
    with tempfile.TemporaryDirectory() as folder:
        home = a_mail_home(Path(folder), sendmail="/bin/true")
        for verb in ("receive", "send"):
            with contextlib.redirect_stdout(io.StringIO()):
                assert run_command([verb, "--home", str(top(home)), "--now", NOW.isoformat()]) == 0
    gc.disable()  # a fork that looks for garbage copies all that was loaded
    gc.freeze()


class Shell:
    """Gives commands to forks of a warm program."""

    def __init__(self, folder: Path, serving: str = "serve") -> None:
        found = {"PYTHONPATH": os.pathsep.join([str(PROJECT), *sys.path])}
        self.server = subprocess.Popen(
            [sys.executable, "-c", f"from tests.mail.disturbed import {serving}; {serving}()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=os.environ | found,
        )

    def give(
        self,
        arguments: list[str],
        at: int = -1,
        mode: Literal["kill", "fail"] = "kill",
        said: Path = Path(os.devnull),
    ) -> tuple[int, int]:
        """Give a command, stop it before a step, and return its exit code and how many steps it took."""
        return self._answer([mode, at, arguments, str(said)])

    def kill_after(self, seconds: float, arguments: list[str]) -> tuple[int, float]:
        """Give a command, kill it unless it is done before, and return its exit code and how long it took."""
        return self._answer([seconds, arguments])

    def _answer(self, words: list[Any]) -> tuple[Any, Any]:
        assert self.server.stdin
        assert self.server.stdout
        self.server.stdin.write(json.dumps(words) + "\n")
        self.server.stdin.flush()
        first, second = json.loads(self.server.stdout.readline())
        return first, second

    def close(self) -> None:
        self.server.communicate()


def serve_killing() -> None:
    """Fork a warm command line for every [seconds, arguments]; kill it from outside; answer code and time."""
    _load_everything()
    with Path(os.devnull).open("w") as nowhere:
        for line in sys.stdin:
            seconds, arguments = json.loads(line)
            child = os.fork()
            if child == 0:
                os.dup2(nowhere.fileno(), 1)
                os._exit(run_command(arguments))
            since = time.monotonic()
            ended, status = os.waitpid(child, os.WNOHANG)
            while not ended and (seconds < 0 or time.monotonic() - since < seconds):
                time.sleep(0.001)
                ended, status = os.waitpid(child, os.WNOHANG)
            if not ended:
                os.kill(child, signal.SIGKILL)
                _, status = os.waitpid(child, 0)
            took = time.monotonic() - since
            print(json.dumps([os.waitstatus_to_exitcode(status), took]), flush=True)
