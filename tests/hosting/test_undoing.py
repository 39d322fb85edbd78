"""A turn that is taken back and run again: who is told what, and who gets a corrected report."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import render_paragraphs
from pbem.host.notices.reports import is_same_orders
from pbem.host.run.losses import is_same_report
from pbem.host.run.notes import standby_replacements
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from tests.edge.faults import lay_out
from tests.homes import (
    game_folder,
    send,
    tree,
    turn_folder,
    undone,
)
from tests.hosting.games import (
    GAME,
    HOUR,
    MADE,
    MINUTE,
    a_club,
    a_move,
    pbem,
    queued,
    spoil_report,
    stay,
)
from tests.hosting.verbs import a_running_club
from tests.mail.host import read
from tests.mail.test_due_now import parts


def by_mail(tmp_path: Path) -> Home:
    """Return a club whose first turn was run and mailed."""
    return lay_out(a_running_club(), tmp_path / "home")


def again(home: Home, seat: str, do: Json) -> None:
    """Take the turn back, correct the orders of one seat and run it again."""
    pbem(home, "undo", GAME, now=MADE + 2 * HOUR)
    send(home, GAME, seat, [{"at": "turn-1", "do": do}])
    pbem(home, "run", GAME, now=MADE + 2 * HOUR + MINUTE)
    pbem(home, "send", now=MADE + 2 * HOUR + MINUTE)


def corrected(home: Home) -> list[str]:
    return [mail.seat for mail in queued(home, "report") if mail.revision == 1]


@pytest.mark.parametrize("left", ["{", "{}"], ids=["cut off", "emptied"])
def test_a_damaged_report_that_was_taken_back_keeps_nobody_from_the_new_one(
    tmp_path: Path, left: str
) -> None:
    home = by_mail(tmp_path)
    spoil_report(turn_folder(game_folder(home, GAME), 2), left)
    pbem(home, "undo", GAME, now=MADE + 2 * HOUR)
    stay(home, "1", "2", "3")
    assert pbem(home, "run", GAME, now=MADE + 3 * HOUR) == 0

    assert pbem(home, "send", now=MADE + 3 * HOUR) == 0

    assert corrected(home) == ["1"]
    to_bob = [mail.raw for mail in queued(home, "notice") if mail.seat == "2"]
    assert "X-PBEM-Kind: turn-stands" in str(to_bob)


def test_orders_are_the_same_if_only_a_line_for_later_came_to_them(tmp_path: Path) -> None:
    home = by_mail(tmp_path)
    pbem(home, "undo", GAME, now=MADE + 2 * HOUR)
    send(home, GAME, "1", [{"at": f"turn-{turn}", "do": {"move": "stay"}} for turn in (1, 2)])

    pbem(home, "run", GAME, now=MADE + 3 * HOUR)

    turns = SavedGame(home, GAME).turns
    assert is_same_orders(turns.taken_back(2)[-1].place, turns.at(2), Seat("1"))


def test_a_report_whose_turn_was_taken_back_before_it_was_sent_is_no_corrected_one(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    pbem(home, "send", now=MADE)
    stay(home, "1", "2", "3")
    pbem(home, "run", GAME, now=MADE + HOUR)

    again(home, "1", {"move": a_move(home)})

    mails = [parts(read(mail.raw)) for mail in queued(home, "report") if mail.turn == 2]
    assert len(mails) == 3
    assert all("Corrected" not in mail["subject"] for mail in mails)
    assert all("There is a corrected report" not in mail["text/plain"] for mail in mails)


def test_an_undo_that_was_cut_off_is_finished_by_one_with_a_new_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*_given: object) -> None:
        raise OSError("the disk is full")

    home = by_mail(tmp_path)
    with monkeypatch.context() as cut:
        cut.setattr("pbem.store.folder._change_files", cut_off)
        pbem(home, "undo", GAME, now=MADE + 2 * HOUR)

    assert pbem(home, "undo", GAME, "--to", "2026-12-01 20:00", now=MADE + 2 * HOUR) == 0
    assert SavedGame(home, GAME).turn == 1


@pytest.mark.parametrize("by_mail", [False, True], ids=["by files", "by mail"])
def test_the_next_report_of_each_says_once_that_a_turn_was_taken_back(tmp_path: Path, by_mail: bool) -> None:
    home = a_club(tmp_path, by_mail=by_mail)
    stay(home, "1", "2", "3")
    pbem(home, "run", GAME, now=MADE + HOUR)
    pbem(home, "undo", GAME, now=MADE + 2 * HOUR)
    pbem(home, "run", GAME, now=MADE + 3 * HOUR)
    stay(home, "1", "2", "3", label="turn-2")
    pbem(home, "run", GAME, now=MADE + 4 * HOUR)

    told = {
        seat: [report(home, GAME, seat, turn) for turn in (2, 3)] for seat in ("1", "2", "3", "spectator")
    }

    said = render_paragraphs(home, "acts/turn-undone", {"turn": 2})
    assert {seat: [text.count(said) for text in texts] for seat, texts in told.items()} == {
        seat: [1, 0] for seat in told
    }
    assert verify(home, GAME).findings == ()


def test_reports_are_the_same_that_differ_in_foot_and_acts_alone(
    tmp_path: Path,
) -> None:
    home = by_mail(tmp_path)
    again(home, "1", {"move": "stay"})
    folder = game_folder(home, GAME)
    before, after = undone(folder, 2)[-1], turn_folder(folder, 2)
    found = SavedGame(home, GAME).turns

    old, new = found.taken_back(2)[-1].place, found.at(2)
    assert [is_same_report(old, new, seat) for seat in ("2", "3", "spectator")] == [True, True, True]
    assert tree(before)["reports/2/orders.yaml"] == tree(after)["reports/2/orders.yaml"]
    path = before / "reports/2/report.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"turn":2', '"turn":3', 1), encoding="utf-8")
    assert not is_same_report(old, new, "2")


@pytest.mark.parametrize(
    ("state", "is_sent_again"), [("claimed", False), ("sent", False), ("bounced", False), ("failed", True)]
)
def test_a_report_that_went_out_is_known_whatever_became_of_it(
    tmp_path: Path, state: str, is_sent_again: bool
) -> None:
    home = by_mail(tmp_path)
    with home.journal() as db:
        db.run("UPDATE outbox SET state = ? WHERE seat = '1' AND kind = 'report' AND turn = 2", state)
    again(home, "1", {"move": "stay"})

    assert corrected(home) == ["1"] * is_sent_again


def by_standby(tmp_path: Path) -> Home:
    """Return a club by mail in whose newest turn Finn took the seat of Ann, who had missed one."""
    finn: Json = {"player": "Finn", "address": "fin@example.test"}
    home = a_club(tmp_path, by_mail=True, standby=[finn], misses={"after": 1, "then": "standby"})
    assert pbem(home, "send", now=MADE) == 0
    stay(home, "2", "3")
    run = ("run", GAME, "--due", "--override", "down", "--override", "unsent")
    assert pbem(home, *run, now=MADE + 200 * HOUR) == 0
    assert pbem(home, "send", now=MADE + 200 * HOUR) == 0
    return home


@pytest.mark.parametrize("name", ["turn.json", "state.json"])
def test_a_damaged_turn_before_keeps_no_report_back_where_a_standby_plays(tmp_path: Path, name: str) -> None:
    home = by_standby(tmp_path)
    (turn_folder(game_folder(home, GAME), 1) / name).write_text("{", encoding="utf-8")

    with home.journal() as db:
        db.set_note(GAME, "reported:2", None)
    assert standby_replacements(SavedGame(home, GAME)) == {}
    assert pbem(home, "send", now=MADE + 201 * HOUR) == 0
    with home.journal() as db:
        assert db.note(GAME, "reported:2") == "0"
