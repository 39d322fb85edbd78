"""A home in a database: a turn beside one in a folder, idle sweeps, doors, and workers beside each other."""

from __future__ import annotations

import datetime
import os
import signal
import smtplib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from pathlib import Path

from pbem.cli.moderation.mailed import MailedCommands
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.upkeep import copy_home
from pbem.store.postgresql.postgres import PostgresStore
from pbem.work import JobRunner
from tests.benchmarks.homes import NOW, Sample, resolve, sample_home, samples, take_back
from tests.benchmarks.pairs import Row, paired, timed
from tests.homes import newest, top
from tests.store.pgserver import Server, programs

PAIRS = 10
GAMES = {
    "rose-king": 24,
    "web-of-power": 12,
    "web-of-power-cards": 12,
    "game-of-powers": 12,
    "web-of-intrigue": 6,
}
"""How many games of each rules the workers share: about as much work of each."""

RATE = 50
"""Mails a second that a door must take."""


def rows() -> Iterator[Row]:
    """Yield the rows of a home in a database; none without a server."""
    if programs() is None:
        print("No PostgreSQL server here: apt install postgresql", file=sys.stderr)
        return
    server = Server(is_durable=True)
    try:
        for sample in samples():
            yield _turn_row(server, sample)
        yield from _sweeps(server)
        yield from _doors(server)
        yield from _workers(server)
    finally:
        server.close()


# --- a turn


def _turn_row(server: Server, sample: Sample) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        home = sample_home(Path(folder) / "home", {sample.game: sample.game})
        store = PostgresStore.make(server.database())
        copy_home(home, Home(store))
        turn = newest(top(home) / "games" / sample.game) + 1

        def in_database() -> float:
            spent = timed(lambda: run(Home(store), sample.game, now=NOW))
            with store.db.writing():
                store.db.run("DELETE FROM turns WHERE game = ? AND turn = ?", sample.game, turn)
                like = f"games/{sample.game}/turns/{turn:04d}/%"
                store.db.run("DELETE FROM files WHERE name LIKE ?", like)
            return spent

        def in_folder() -> float:
            spent = timed(lambda: resolve(home, sample.game))
            take_back(home, sample.game)
            return spent

        run(Home(store), sample.game, now=NOW)
        name = f"games/{sample.game}/turns/{turn:04d}"
        files = store.below(name)
        kept = store.db.rows("SELECT sum(pg_column_size(data)) FROM files WHERE name LIKE ?", f"{name}/%")[0][
            0
        ]
        plain = sum(len(store.read(f"{name}/{one}")) for one in files)
        in_database()
        note = f"{len(files)} files, {plain // 1000} kB, {kept // 1000} kB as they are kept"
        title = f"{sample.title}: a turn in a database against one in a folder"
        return paired(title, in_database, in_folder, 1.3, rounds=PAIRS, note=note)


# --- idle sweeps


def _sweeps(server: Server) -> Iterator[Row]:
    some = _resting(server, 1_000)
    for games in (10_000, 100_000):
        many = _resting(server, games)
        title = f"an idle sweep of {games} games in a database against one of 1000"
        yield paired(title, _sweep(many), _sweep(some), 1.5, rounds=3 * PAIRS)


def _resting(server: Server, games: int) -> PostgresStore:
    """Return a home in which so many games rest; of the games it has what a sweep may look at."""
    store = PostgresStore.make(server.database())
    with store.db.writing():
        sql = "INSERT INTO games (game, until) SELECT 'game-' || n, ? FROM generate_series(1, ?) AS n"
        store.db.run(sql, NOW + datetime.timedelta(days=1), games)
    store.db.run("ANALYZE games")
    store.db.begin_work()
    return store


def _sweep(store: PostgresStore) -> Callable[[], float]:
    shift = JobRunner(store, lambda: NOW, print, MailedCommands())
    return lambda: timed(shift.sweep)


# --- doors


def _doors(server: Server) -> Iterator[Row]:
    """Yield the share of a second for which fifty mails keep a door busy, with a worker beside it."""
    store = PostgresStore.make(server.database())
    store.lodge("home.yaml", b"mail:\n  address: host@pbem.test\n  sendmail: /bin/true\n")
    with _door(store) as port, _working(store, 1), smtplib.LMTP("127.0.0.1", port) as line:
        _hand_over(line, 20)
        spent = timed(lambda: _hand_over(line, 4 * RATE)) / 4
    title = f"taking {RATE} mails in by LMTP, while a worker processes them, against a second"
    yield Row(title, spent * 1000, 1000.0, spent, 1.0, note=f"{RATE / spent:.0f} mails a second")


def _hand_over(line: smtplib.LMTP, mails: int) -> None:
    for number in range(mails):
        mail = EmailMessage()
        mail["From"], mail["To"] = "ann@example.test", "host@pbem.test"
        mail["Subject"], mail["Message-ID"] = "status", f"<{number}.{time.monotonic_ns()}@example.test>"
        mail.set_content("game: none-1\nseat: red\n" * 20)
        refused = line.sendmail("ann@example.test", ["host@pbem.test"], mail.as_bytes())
        assert not refused, refused


@contextmanager
def _door(store: PostgresStore) -> Iterator[int]:
    command = [sys.executable, "-m", "pbem", "lmtp", "--home", store.url, "--port", "0"]
    with _running(command) as door:
        assert door.stderr is not None
        yield int(door.stderr.readline().rpartition("port ")[2].rstrip(".\n"))


# --- workers


def _workers(server: Server) -> Iterator[Row]:
    """Yield how long two and four workers take for what one does alone, in the same games."""
    with tempfile.TemporaryDirectory() as folder:
        games = {
            f"{sample.game}-{number}": sample.game
            for sample in samples()
            for number in range(GAMES[sample.rules])
        }
        home = sample_home(Path(folder) / "home", games, slim=True)
        spent = {workers: _together(server, home, workers) for workers in (1, 2, 4)}
    note = f"{len(games)} turns of all rules; {len(games) / spent[1]:.1f} a second by one"
    for workers, bound in ((2, 1.7), (4, 1.5)):
        title = f"one worker against {workers}, on {os.cpu_count()} cores"
        ratio = spent[1] / spent[workers]
        yield Row(title, spent[workers] * 1000, spent[1] * 1000, ratio, bound, at_least=True, note=note)


def _together(server: Server, home: Home, workers: int) -> float:
    """Return how long workers take for a turn of each game, from the moment in which all are ready."""
    store = PostgresStore.make(server.database())
    copy_home(home, Home(store))
    sql = "SELECT count(*) FROM turns"
    before = int(store.db.rows(sql)[0][0])
    wanted = before + len(home.games())
    with _working(store, workers):
        ready = "SELECT count(*) FROM procrastinate_workers"
        while store.db.rows(ready)[0][0] < workers:
            time.sleep(0.05)
        start = time.perf_counter()
        JobRunner(store, lambda: datetime.datetime.now(datetime.UTC), print, MailedCommands()).sweep()
        while store.db.rows(sql)[0][0] < wanted:
            time.sleep(0.02)
        return time.perf_counter() - start


@contextmanager
def _working(store: PostgresStore, workers: int) -> Iterator[None]:
    store.db.begin_work()
    command = [sys.executable, "-m", "pbem", "worker", "--home", store.url]
    if workers == 0:
        yield
        return
    with _running(command), _working(store, workers - 1):
        yield


@contextmanager
def _running(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    with tempfile.TemporaryFile("w") as said:
        is_door = "lmtp" in command
        found = subprocess.Popen(command, stderr=subprocess.PIPE if is_door else said, text=True)
        try:
            yield found
        finally:
            found.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                found.communicate(timeout=30)
            found.kill()
