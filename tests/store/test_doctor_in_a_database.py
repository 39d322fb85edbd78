"""The doctor at a home in a database: what is wrong with it is found, and what is said mends it."""

from __future__ import annotations

import json
import shlex

import pytest

from pbem.cli import run_command
from pbem.play.homes.home import Home
from pbem.store.postgresql.pgconnection import FORMAT
from pbem.store.postgresql.postgres import PostgresStore
from tests.homes import NOW
from tests.store.pgserver import server

pytestmark = pytest.mark.postgres


def found(url: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    """Return what is wrong with a home."""
    run_command(["doctor", "--json", "--home", url, "--now", NOW.isoformat()])
    findings: list[dict[str, str]] = json.loads(capsys.readouterr().out)["findings"]
    return findings


def test_a_database_without_a_home_and_one_of_an_older_format_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    url = server().database()
    (none,) = found(url, capsys)
    assert none["text"] == "the database holds no pbem home. Make one: pbem init postgresql://…"
    store = PostgresStore.make(url)
    store.db.run(f"UPDATE pbem_home SET format = {FORMAT - 1}")

    (old,) = found(url, capsys)

    assert old["text"] == "the database is of an older format."
    assert old["mend"] == f"pbem home upgrade --home {url}"


def test_a_home_by_mail_without_a_worker_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    url = server().database()
    home = Home(PostgresStore.make(url))
    settings = (
        b"mail: {address: host@pbem.test, moderator: m@pbem.test, sendmail: /bin/true, maildir: /none}\n"
    )
    home.store.lodge("home.yaml", settings)

    worker, maildir = found(url, capsys)

    assert worker["text"] == "no worker does what is due in this home."
    assert worker["mend"] == f"pbem worker --home {shlex.quote(url)}"
    assert maildir["text"].startswith("the maildir /none is no Maildir")


def test_a_server_that_is_gone_is_told_without_its_password(capsys: pytest.CaptureFixture[str]) -> None:
    (gone,) = found("postgresql://u:hush@127.0.0.1:1/none", capsys)

    assert (gone["part"], gone["text"].startswith("the database refused: ")) == ("home", True)
    assert "hush" not in gone["text"] + gone["mend"]
