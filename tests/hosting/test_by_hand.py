"""Where no mail goes, the moderator gets the words that players are to be told, to send them by hand."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Never

import pytest

from pbem.cli import run_command
from pbem.host.notices import reports
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import short
from tests.facts import tells
from tests.homes import game_folder, send, top
from tests.hosting.games import GAME, HOUR, MADE, a_club, a_move, pbem, printed, stay

ANN, BOB, CLEO = "1 (Ann, ann@example.test)", "2 (Bob, bob@example.test)", "3 (Cleo, cleo@example.test)"


def said(
    home: Home, capsys: pytest.CaptureFixture[str], *words: str, now: datetime.datetime = MADE + HOUR
) -> str:
    """Return what a command prints that is given at a moment."""
    capsys.readouterr()
    assert pbem(home, *words, now=now) == 0
    return capsys.readouterr().out


def above(home: Home, capsys: pytest.CaptureFixture[str], who: str) -> str:
    """Return what stands above the newest report of a reader as it is printed: what is not kept of it."""
    text = printed(home, capsys, "report", GAME, who)
    kept = (home.turns(GAME).at(SavedGame(home, GAME).turn) / "reports" / who / "report.txt").read_text()
    assert text.endswith(kept)
    return text.removesuffix(kept)


def run_and_undone(
    path: Path, capsys: pytest.CaptureFixture[str], *seats: str, due: datetime.datetime | None = None
) -> Home:
    """Return a club whose second turn was run with orders of some seats, or when it was due, and undone."""
    home = a_club(path)
    stay(home, *seats)
    assert "send this yourself" not in said(
        home, capsys, "run", GAME, *(["--due"] if due else []), now=due or MADE + HOUR
    )
    said(home, capsys, "undo", GAME)
    return home


def test_after_a_turn_is_run_again_by_files_it_is_said_whose_report_changed_and_where_it_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = run_and_undone(tmp_path, capsys, "1", "2", "3")
    send(home, GAME, "1", [{"at": "turn-1", "do": {"move": a_move(home)}}])

    out = said(home, capsys, "run", GAME)

    root = short(str(SavedGame(home, GAME).record["root"]))
    assert tells(out, "Turn 2", f"pbem report {GAME} 1", home.turns(GAME).at(2) / "reports" / "1")
    assert out.count("pbem report") == 1
    assert tells(above(home, capsys, "2"), "Turn 2", root)


def test_of_several_reports_to_send_the_command_that_writes_them_all_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = run_and_undone(tmp_path, capsys, "1", "2", "3")
    send(home, GAME, "1", [{"at": "turn-1", "do": {"move": a_move(home)}}])
    for seat in ("2", "3"):
        send(home, GAME, seat, [{"at": "turn-1", "do": {"guess": {"player": 1, "house": "aries"}}}])

    out = said(home, capsys, "run", GAME)

    assert tells(out, "--all DIR")


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


def test_who_is_handed_a_report_reads_above_it_who_has_come_to_a_seat_since(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    assert above(home, capsys, "2") == ""
    letter = said(home, capsys, "replace", GAME, "1", "--player", "Dora")
    assert tells(letter, "Ann")

    assert tells(above(home, capsys, "1"), "orders.yaml", "orders.html")
    assert tells(above(home, capsys, "2"), "Dora", "1", "Ann")
    printed(home, capsys, "report", GAME, "--all", str(tmp_path / "reports"))
    for reader in ("2", "spectator"):
        assert "Dora" in (tmp_path / "reports" / reader / "report.html").read_text("utf-8")
    assert "Dora" not in printed(home, capsys, "report", GAME, "2", "--turn", "0")


def test_what_was_to_be_handed_out_of_a_turn_that_was_run_again_stands_above_each_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = run_and_undone(tmp_path, capsys, "1", "2", "3")
    said(home, capsys, "replace", GAME, "3", "--player", "Dora")
    send(home, GAME, "1", [{"at": "turn-1", "do": {"move": a_move(home)}}])
    letters = said(home, capsys, "run", GAME)
    assert "to 3 (Dora)" not in letters, "who has come since never had the earlier report"

    ann, dora = (" ".join(printed(home, capsys, "report", GAME, who).split()) for who in "13")

    assert tells(ann, "2")
    assert tells(dora, "turn-2")
    assert tells(letters, "2", "3")


def test_a_mended_name_is_told_as_one_and_names_nothing_that_a_player_by_files_has_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)

    said(home, capsys, "seat", GAME, "1", "--name", "Anna")

    assert tells(above(home, capsys, "1"), "1", "Anna", "Ann,")


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
