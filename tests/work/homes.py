"""Homes in a database that are worked, for tests: a game by mail, and what a worker leaves behind."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from pbem.cli.moderation.mailed import MailedCommands
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home
from pbem.store.postgresql.postgres import PostgresStore
from pbem.text.strictyaml import dump
from pbem.work.worker import Worker
from tests.homes import NOW
from tests.mail.homes import ADDRESS, TWO_BY_MAIL
from tests.mail.host import Host
from tests.store.pgserver import server


def database() -> PostgresStore:
    """Return an empty home in a database of its own."""
    return PostgresStore.make(server().database())


def write_settings(store: PostgresStore, **mail: Json) -> None:
    """Write the home's mail section."""
    section: dict[str, Json] = {"address": ADDRESS, "moderator": "mod@pbem.test", **mail}
    store.lodge("home.yaml", dump({"mail": section}).encode())


def a_dealt_game(store: PostgresStore, folder: Path, game: str = "rose-1") -> Host:
    """Return a host of a home in a database with a dealt Rose King game, whose reports are not queued."""
    home, table = Home(store), folder / f"{game}.table.yaml"
    table.write_text(TWO_BY_MAIL, encoding="utf-8")
    new_game(home, "rose-king", game, table, {}, seed=bytes(range(32)), now=NOW)
    run(home, game, now=NOW, deal=True)
    return Host(home)


def work(store: PostgresStore) -> list[str]:
    """Let a worker do all jobs there are, those too that it puts off for a second; return what it said."""
    told: list[str] = []
    for _ in range(200):
        Worker(store.url, told.append, MailedCommands(), until_idle=True).work()
        if not set(kinds(store)) - {"archive"}:
            return told
        time.sleep(0.2)
    raise AssertionError(f"there is always something left to do: {jobs(store)}")


def jobs(store: PostgresStore, status: str = "todo") -> list[tuple[str, Mapping[str, Json]]]:
    """Return the jobs in a state, each with what it is about, in the order in which they came."""
    sql = "SELECT task_name, args FROM procrastinate_jobs WHERE status::text = ? ORDER BY id"
    own = ("sweep", "digest")
    return [(str(task), about) for task, about in store.db.rows(sql, status) if task not in own]


def kinds(store: PostgresStore) -> list[str]:
    """Return the kinds of jobs that wait."""
    return [task for task, _ in jobs(store)]


def sent(store: PostgresStore) -> Iterator[tuple[str, str]]:
    """Yield the mails that went out: whose and what."""
    for mail in store.db.outbox("sent"):
        yield mail.rcpt, mail.kind
