"""A home with games that run, made by the last release or an older revision, is played on by this program."""

from __future__ import annotations

import io
import os
import re
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from pbem.store.postgresql.pgconnection import FORMAT
from tests.store.pgserver import server

pytestmark = pytest.mark.postgres

PROJECT = Path(__file__).parents[2]
OLDER = "9ad88cb780f8"
"""Where nothing was released yet: a revision whose homes in a database have an older format."""

SETTINGS = "moderator: Mary\nmail: {address: host@pbem.example, sendmail: /bin/true}\n"
TABLE = """seats:
  red: {player: Ann, address: ann@example.org}
  white: {player: Bob, address: bob@example.org}
"""


def git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the source of the last release, or else of the older revision."""
    try:
        tags = git("tag", "--sort=-version:refname", "--merged", "HEAD~1").decode().split()
        packed = git("archive", tags[0] if tags else OLDER, "pbem", "games", "orders", "templates")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the history of the project is not here")
    folder = tmp_path_factory.mktemp("before")
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        files.extractall(folder, filter="data")
    return folder


class Typed:
    """A program that is typed, of one source, in one folder."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.source = source
        self.folder = folder

    def __call__(self, *words: str, given: str = "") -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "pbem", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.source)},
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{self.source}: pbem {words}\n{ran.stdout}\n{ran.stderr}"
        return ran.stdout


def a_running_home(old: Typed) -> str:
    """Make a home with the older program: a game by mail in its first turn, and one that is paused.

    Returns:
        The address to which Bob's report asks him to reply.
    """
    old("init", "home")
    (old.folder / "home" / "home.yaml").write_text(SETTINGS, encoding="utf-8")
    (old.folder / "players.yaml").write_text(TABLE, encoding="utf-8")
    for game in ("tea", "rest"):
        old("new", "rose-king", game, "--players", "players.yaml", "--deal", "--home", "home")
    old("pause", "rest", "--why", "holidays", "--home", "home")
    (old.folder / "red.yaml").write_text(
        old("form", "tea", "red", "--suggest", "greedy", "--home", "home"), encoding="utf-8"
    )
    old("submit", "red.yaml", "--home", "home")
    old("send", "--home", "home")
    with closing(sqlite3.connect(old.folder / "home" / "mail" / "mail.db")) as db:
        sql = "SELECT raw FROM outbox WHERE game = 'tea' AND rcpt = 'bob@example.org'"
        mail = db.execute(sql).fetchone()[0].decode()
    found = re.search(r"^Reply-To: .*?([^<\s]+@[^>\s]+)", mail, re.MULTILINE)
    assert found
    return found[1]


@pytest.mark.parametrize("where", ["a folder", "a database"])
def test_games_that_run_are_played_on_after_an_upgrade(before: Path, tmp_path: Path, where: str) -> None:
    old, new = Typed(before, tmp_path), Typed(PROJECT, tmp_path)
    address = a_running_home(old)
    home = ("--home", "home")
    if where == "a database":
        url = server().database()
        old("home", "copy", "home", url)
        home = ("--home", url)
        assert f"of format {FORMAT}" in new("home", "upgrade", *home)

    assert "rests:        paused since" in new("status", "rest", *home)
    assert "waits for white (white-1)" in new("run", "tea", *home)
    orders = new("form", "tea", "white", "--suggest", "greedy", *home)
    head = f"From: Bob <bob@example.org>\nTo: {address}\nSubject: orders\nMessage-ID: <1@example.org>\n\n"
    taken = new(
        "receive",
        "--stdin",
        "--sender",
        "bob@example.org",
        "--recipient",
        address,
        *home,
        given=head + orders,
    )
    assert "lodged (orders) tea seat white" in taken
    assert "tea: turn 3, 1 step (white-1)" in new("run", "tea", *home)
    new("resume", "rest", *home)
    assert " sent" in new("send", *home)
    for game, turns in (("tea", 4), ("rest", 2)):
        assert f"{game}: {turns} turns intact" in new("verify", game, *home)
