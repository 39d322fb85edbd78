"""Where no mail goes, the moderator gets the words that players are to be told, to send them by hand."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Never

import pytest

from pbem.cli import run_command
from pbem.host.notices import reports
from pbem.play.homes.home import Home
from tests.facts import tells
from tests.homes import game_folder, top
from tests.hosting.games import GAME, HOUR, MADE, a_club, pbem, printed

ANN, BOB, CLEO = "1 (Ann, ann@example.test)", "2 (Bob, bob@example.test)", "3 (Cleo, cleo@example.test)"


def said(
    home: Home, capsys: pytest.CaptureFixture[str], *words: str, now: datetime.datetime = MADE + HOUR
) -> str:
    """Return what a command prints that is given at a moment."""
    capsys.readouterr()
    assert pbem(home, *words, now=now) == 0
    return capsys.readouterr().out


def test_letters_of_a_run_that_was_cut_off_behind_its_commit_come_with_the_next_run_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_club(tmp_path)
    said(home, capsys, "undo", GAME)
    with monkeypatch.context() as cut:
        cut.setattr(reports, "words_to_send", cut_off)
        assert pbem(home, "run", GAME, "--deal") == 4

    assert tells(said(home, capsys, "run", GAME), "Turn 1")
    assert "Subject" not in said(home, capsys, "run", GAME)


def cut_off(*_: object) -> Never:
    raise RuntimeError("the power is gone")


@pytest.mark.parametrize("is_moved", [False, True], ids=["due as before", "due later"])
def test_the_text_of_a_report_with_damaged_facts_is_printed_before_the_damage_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], is_moved: bool
) -> None:
    home = a_club(tmp_path)
    before = printed(home, capsys, "report", GAME, "1")
    if is_moved:
        said(home, capsys, "extend", GAME, "--by", "1d")
    capsys.readouterr()
    (game_folder(home, GAME) / "turns/0001/reports/1/report.json").write_text("{", encoding="utf-8")

    assert run_command(["report", GAME, "1", "--home", str(top(home))]) == 1

    found = capsys.readouterr()
    assert found.out.endswith(before)
    assert tells(found.err, "report.json")
