"""Homes that play by mail, for tests."""

from __future__ import annotations

import datetime
from pathlib import Path

from pbem.core.interface import Json
from pbem.mail.account.settings import mail_settings
from pbem.mail.account.tokens import next_token, save_token
from pbem.mail.outgoing.letters import write_letters
from pbem.play.homes.home import Home
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


def a_mailbox_home(path: Path, *, is_logged_in: bool = False, **more: Json) -> Home:
    """Return a home with a mailbox of a provider, and no games.

    Args:
        path: Where it is made.
        is_logged_in: Somebody has logged in an hour ago.
        more: What the `oauth` section says besides, or otherwise.
    """
    home = a_home(path)
    user: dict[str, Json] = {"user": "games@outlook.example"}
    write_settings(
        home,
        imap={"server": "imap.outlook.example", **user},
        smtp={"server": "smtp.outlook.example", **user},
        oauth={"provider": "microsoft", "client_id": "11-22", **more},
    )
    oauth = mail_settings(home).oauth
    if is_logged_in and oauth is not None:
        then = NOW.timestamp() - 3600
        answer = {"access_token": "at", "refresh_token": "rt", "expires_in": 3599, "scope": "IMAP SMTP"}
        save_token(oauth, next_token(None, answer, oauth.client_id, then))
    return home


def a_mail_home(path: Path, **mail: Json) -> Home:
    """Return a home with mail and one dealt Rose King game."""
    home = a_home(path)
    write_settings(home, **mail)
    a_game(home, table=TWO_BY_MAIL)
    return home
