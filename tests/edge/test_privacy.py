"""What nobody else on the machine may read, and what others put in the way, which is not followed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.interface import Json
from pbem.play.config import overrides
from pbem.play.homes.home import Home, exposed_secrets
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

    assert list(exposed_secrets(home)) == []
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
    assert len(list(exposed_secrets(home))) == 3

    secret.write_text(dumps({**json.loads(secret.read_text()), "sample": True}), encoding="utf-8")

    assert list(exposed_secrets(home)) == []


KEPT = "the owner's own\n"


@pytest.mark.parametrize("is_there", [True, False], ids=["a file", "nothing"])
@pytest.mark.parametrize("name", ["rose-1.red.yaml", "rose-1.red.schema.json"])
def test_a_form_is_not_written_through_a_link(tmp_path: Path, name: str, is_there: bool) -> None:
    home, folder, target = a_home(tmp_path / "h"), tmp_path / "shared", tmp_path / "target"
    a_game(home)
    folder.mkdir()
    if is_there:
        target.write_text(KEPT, encoding="utf-8")
    (folder / name).symlink_to(target)

    assert run_command(["form", "rose-1", "red", "--write", str(folder), "--home", str(top(home))]) == 0

    assert target.exists() == is_there
    assert not is_there or target.read_text(encoding="utf-8") == KEPT
    assert (folder / name).is_file()
    assert not (folder / name).is_symlink()
    assert sorted(one.name for one in folder.iterdir()) == ["rose-1.red.schema.json", "rose-1.red.yaml"]


def test_reports_are_not_written_through_a_link(tmp_path: Path) -> None:
    home, folder, target = a_home(tmp_path / "h"), tmp_path / "shared", tmp_path / "target"
    a_game(home)
    target.mkdir()
    folder.mkdir()
    (folder / "red").symlink_to(target)

    assert run_command(["report", "rose-1", "--all", str(folder), "--home", str(top(home))]) == 1

    assert list(target.iterdir()) == []


@pytest.mark.parametrize(
    ("mode", "owner", "is_used"),
    [(0o700, None, True), (0o755, None, True), (0o777, None, False), (0o700, 65534, False)],
)
def test_compiled_templates_are_loaded_only_where_nobody_else_can_put_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, owner: int | None, is_used: bool
) -> None:
    if owner is not None and os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "pbem" / "templates"
    folder.mkdir(parents=True)
    folder.chmod(mode)
    if owner is not None:
        os.chown(folder, owner, -1)

    assert (overrides._bytecode_cache() is not None) == is_used
