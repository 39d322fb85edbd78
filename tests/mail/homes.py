"""Homes that play by mail, for tests."""

from __future__ import annotations

import datetime
from pathlib import Path

from pbem.core.interface import Json
from pbem.mail.letters import write_letters
from pbem.mail.settings import mail_settings
from pbem.play.home import Home
from pbem.text.strictyaml import dump
from tests.homes import NOW, a_game, a_home, top

ADDRESS = "host@pbem.test"
TWO_BY_MAIL = """seats:
  red: {player: Ann, address: ann@example.test}
  white: {player: Bob, address: bob@example.test}
"""


def letters_written(home: Home, now: datetime.datetime = NOW) -> None:
    """Let what is to be told be written to its readers, as sending does it first; what cannot be, waits."""
    if home.mail_section():
        with home.journal() as db:
            write_letters(home, db, mail_settings(home), now, lambda what, wrong: None)


def write_settings(home: Home, **mail: Json) -> None:
    """Write the home's mail section."""
    section: dict[str, Json] = {"address": ADDRESS, **mail}
    (top(home) / "home.yaml").write_text(dump({"mail": section}), encoding="utf-8")


def a_mail_home(path: Path, **mail: Json) -> Home:
    """Return a home with mail and one dealt Rose King game."""
    home = a_home(path)
    write_settings(home, **mail)
    a_game(home, table=TWO_BY_MAIL)
    return home
