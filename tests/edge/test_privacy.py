"""What nobody else on the machine may read: how it is made, and that `pbem check` fails on what is open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.play.homes.home import Home, open_secrets
from pbem.text.codec import dumps
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, game_folder, send, top
from tests.mail.homes import write_settings


def used_home(path: Path) -> Home:
    """Return a home with mail, a password, a game and orders."""
    home = a_home(path)
    login: Json = {"server": "mx.example.org", "user": "host", "password_file": "password"}
    write_settings(home, smtp=login)
    (top(home) / "password").write_text("hush", encoding="utf-8")
    (top(home) / "password").chmod(0o600)
    a_game(home)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    with home.journal():
        pass
    return home


def check(home: Home, *files: str) -> int:
    return run_command(["check", *files, "--home", str(top(home))])


def test_what_the_program_makes_can_be_read_by_its_owner_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = used_home(tmp_path)

    assert list(open_secrets(home)) == []
    assert check(home) == 0
    assert tells(capsys.readouterr().err)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("password", 0o640),
        ("games/rose-1", 0o604),
        ("games/rose-1/secret.json", 0o604),
        ("orders/rose-1", 0o640),
        ("mail", 0o604),
    ],
)
def test_the_home_is_checked_for_secrets_that_others_can_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, mode: int
) -> None:
    home = used_home(tmp_path)
    path = top(home) / name
    wanted = 0o700 if path.is_dir() else 0o600
    path.chmod(mode | wanted)
    orders = (top(home) / "orders") / "rose-1/red.yaml"

    assert check(home) == 1
    assert tells(capsys.readouterr().err, path)
    assert check(home, str(orders)) == 1
    told = capsys.readouterr()
    assert tells(told.err)
    assert "these orders will work" in told.out
    run_command(["run", "--due", "--now", NOW.isoformat(), "--home", str(top(home))])
    assert tells(capsys.readouterr().err)

    path.chmod(wanted)
    assert check(home) == 0


def test_sample_games_hold_no_secrets(tmp_path: Path) -> None:
    home = used_home(tmp_path)
    secret = game_folder(home, "rose-1") / "secret.json"
    for path in (secret, game_folder(home, "rose-1"), (top(home) / "orders") / "rose-1"):
        path.chmod(0o755)
    assert len(list(open_secrets(home))) == 3

    secret.write_text(dumps({**json.loads(secret.read_text()), "sample": True}), encoding="utf-8")

    assert list(open_secrets(home)) == []
