"""Homes that play by mail, for tests."""

from __future__ import annotations

from pathlib import Path

from pbem.core.interface import Json
from pbem.edge.home import Home
from pbem.text.strictyaml import dump
from tests.homes import a_game, a_home

ADDRESS = "host@pbem.test"
TWO_BY_MAIL = """seats:
  red: {player: Ann, address: ann@example.test}
  white: {player: Bob, address: bob@example.test}
"""


def write_settings(home: Home, **mail: Json) -> None:
    """Write the home's mail section."""
    section: dict[str, Json] = {"address": ADDRESS, **mail}
    (home.path / "home.yaml").write_text(dump({"mail": section}), encoding="utf-8")


def a_mail_home(path: Path, **mail: Json) -> Home:
    """Return a home with mail and one dealt Rose King game."""
    home = a_home(path)
    write_settings(home, **mail)
    a_game(home, table=TWO_BY_MAIL)
    return home
