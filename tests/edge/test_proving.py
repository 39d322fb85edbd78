"""`pbem proof`: what was kept is told apart, and how it can be checked."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from pbem.cli import run_command
from pbem.core.opening import seal_of
from tests.edge.test_archive_finished import play_out
from tests.facts import tells
from tests.homes import a_game, a_home, top


def told(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what `pbem proof` prints."""
    assert run_command(["proof", str(path)]) == 0
    return capsys.readouterr().out


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
@pytest.mark.parametrize("name", ["report.txt", "report.html"])
def test_a_report_is_known_and_its_commands_do_what_they_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    home = a_home(tmp_path / "home")
    play_out(home)
    run_command(["report", "web-1", "--turn", "1", "--all", str(tmp_path / "out"), "--home", str(top(home))])
    run_command(["archive", str(tmp_path / "site"), "--home", str(top(home))])
    capsys.readouterr()

    text = told(tmp_path / "out" / "1" / name, capsys)

    assert text.startswith("This is a report of turn 1 of web-1. Its root is ")
    assert "The seed is told then, and its SHA-256 must be " in text
    command = next(one.split() for one in text.splitlines() if "pbem verify" in one)
    packed = tmp_path / "site" / "web-1" / command[2]
    assert run_command(["verify", str(packed), *command[3:]]) == 0
    assert "is the root of turn 1" in capsys.readouterr().out


def lucky(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what `pbem luck` prints."""
    assert run_command(["luck", *words]) == 0
    return capsys.readouterr().out


def test_words_are_kept_for_their_owner_alone_and_the_command_can_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    first, again = lucky(capsys, "rose-1", "red"), lucky(capsys, "rose-1", "red")
    opens = lucky(capsys, "rose-1", "red", "--open")

    words = str(yaml.safe_load(opens)["orders"][0]["do"]["luck"])
    assert first == again
    seal = seal_of("rose-1", "red", words)
    assert f"at: start\n  do: {{seal: {seal}}}" in first.replace('"', "")
    assert words not in first and len(words) == 39
    assert (tmp_path / "rose-1.red.luck").stat().st_mode & 0o777 == 0o600
    other = lucky(capsys, "rose-1", "red", "--keep", "other.luck")
    assert other != first


@pytest.mark.parametrize(("sealed", "why"), [(False, ()), (True, ("rose-1",))])
def test_no_words_are_made_in_a_home_whose_game_takes_no_seal(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    sealed: bool,
    why: tuple[str, ...],
) -> None:
    home = a_home(tmp_path)
    a_game(home, "rose-1", options={"sealed": sealed}, deal=sealed)
    monkeypatch.chdir(top(home))

    assert run_command(["luck", "rose-1", "red"]) == 1

    assert tells(capsys.readouterr().err, *why)
    assert not list(top(home).glob("*.luck"))
