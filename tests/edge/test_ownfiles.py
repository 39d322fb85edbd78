"""The moderator's own files, read and put where no editor reaches them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.homes.home import Home
from tests.facts import tells
from tests.homes import top

WRONG = [
    ("home.yaml", "mail: {adress: x}"),
    ("home.yaml", "zone: Moon/Base"),
    ("games/rose-1/game.yaml", "seats: {}"),
    ("games/gone-1/game.yaml", "seats: {}"),
    ("games/rose-1/secret.json", "{}"),
    ("games/rose-1/turns/0001/state.json", "{}"),
    ("orders/rose-1/red.yaml", "x"),
    ("templates/../home.yaml", "x"),
]


def pbem(home: Path, *words: str) -> int:
    return run_command(["home", *words, "--home", str(home)])


@pytest.mark.parametrize(("name", "text"), WRONG)
def test_what_is_wrong_is_said_and_changes_nothing(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str
) -> None:
    (tmp_path / "given").write_text(text, encoding="utf-8")
    before = {path: path.read_bytes() for path in top(home).rglob("*") if path.is_file()}

    assert pbem(top(home), "put", name, str(tmp_path / "given")) == 1

    assert tells(capsys.readouterr().err)
    assert {path: path.read_bytes() for path in top(home).rglob("*") if path.is_file()} == before
    place = top(home) / "games" / "rose-1" / "game.yaml"
    (tmp_path / "given").write_text(place.read_text().replace("Ann", "Anna"), encoding="utf-8")
    assert pbem(top(home), "put", "games/rose-1/game.yaml", str(tmp_path / "given")) == 0
    assert "Anna" in place.read_text()
