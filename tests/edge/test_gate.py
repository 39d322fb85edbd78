"""Runs by hand: what makes a turn, what keeps one back by name, and the way past it that is recorded."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.opening import DealtGame
from pbem.host.run.batch import run
from pbem.host.run.notes import deadline_note, single_note
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import read_json
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.submissions.gate import has_deadline
from pbem.rules.rose_king.rules import RoseKing
from pbem.rules.rose_king.state import State
from pbem.rules.rose_king.view import View
from pbem.store.disk import hold_folder_lock
from pbem.store.errors import GateClosedError
from pbem.store.records import Note
from pbem.text.reports.report import Report
from tests.facts import tells
from tests.homes import (
    NOW,
    TWO,
    a_game,
    a_home,
    first_choice,
    folder_of,
    game_folder,
    load_record,
    orders_path,
    send,
    top,
    tree,
    turn_folder,
    undo,
)

INSTALLED = RoseKing.version


@pytest.fixture
def saved(home: Home) -> SavedGame:
    """Return the game of the home, to which red has sent its first orders."""
    saved = SavedGame(home, "rose-1")
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    return saved


def a_run(home: Home, *more: str) -> int:
    return run_command(
        ["run", "rose-1", "--now", "2026-11-22T20:00:00+00:00", "--home", str(top(home)), *more]
    )


def test_an_overridden_bad_file_is_left_out_and_the_turn_records_it(
    home: Home, saved: SavedGame, capsys: pytest.CaptureFixture[str]
) -> None:
    placed = orders_path(home, "rose-1", Seat("white"))
    placed.parent.mkdir(exist_ok=True)
    placed.write_text("game: rose-1\n", encoding="utf-8")

    code = a_run(home, "--override", "bad-orders", "--override", "leak")

    record = load_record(folder_of(saved), 2)
    assert code == 0
    assert tells(capsys.readouterr().out, "white")
    assert record["overrides"] == ["bad-orders"]
    assert list(record["submissions"]) == ["red"]  # type: ignore[arg-type]


plain_view = RoseKing.view


def leaks_to(reader: Seat | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one reader see in the discards which card lies on the pile."""

    def leaky(self: RoseKing, state: State, seat: Seat | None) -> View:
        view = plain_view(self, state, seat)
        return replace(view, discards=(*view.discards, state.pile[0])) if seat == reader else view

    monkeypatch.setattr(RoseKing, "view", leaky)


@pytest.mark.parametrize("reader", [Seat("red"), Seat("white"), None], ids=["red", "white", "the spectator"])
def test_a_view_that_leaks_closes_the_gate(
    home: Home,
    saved: SavedGame,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    reader: Seat | None,
) -> None:
    topmost = saved.position.game.state.pile[0] if isinstance(saved.position.game, DealtGame) else ""
    before = tree(top(home))
    leaks_to(reader, monkeypatch)

    code = a_run(home)

    told = capsys.readouterr()
    assert tells(told.err, "rose-1")
    assert str(topmost) not in told.err
    assert (code, told.out) == (3, "")
    assert tree(top(home)) == before


def test_a_game_that_newer_rules_have_played_waits_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    with monkeypatch.context() as newer:
        newer.setattr(RoseKing, "version", INSTALLED + 1)
        saved = a_game(home)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    before = tree(top(home))

    code = a_run(home)

    told = capsys.readouterr()
    assert tells(told.err, "rose-1")
    assert (code, told.out) == (3, "")
    assert tree(top(home)) == before
    assert a_run(home, "--override", "older-rules") == 0
    assert load_record(folder_of(saved), 2)["overrides"] == ["older-rules"]


def test_newer_rules_take_an_older_game_on(
    home: Home, saved: SavedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RoseKing, "version", 7)

    assert a_run(home) == 0
    assert load_record(folder_of(saved), 2)["rules_version"] == 7


def test_a_game_that_another_program_works_on_is_left_alone_whatever_is_overridden(
    home: Home, saved: SavedGame, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tree(top(home))

    with hold_folder_lock(folder_of(saved)):
        code = a_run(home, "--override", "damaged")

    assert code == 3
    assert tells(capsys.readouterr().err, "rose-1")
    assert tree(top(home)) == before


def test_a_turn_that_does_not_follow_the_one_before_it_is_not_played_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of another course of the same game is whole by itself."""
    home, other = (a_home(tmp_path / name) for name in ("one", "other"))
    for place, first in ((home, "N2"), (other, "E1")):
        a_game(place)
        for label, card in (("red-1", first), ("white-1", "SE1")):
            seat = label.partition("-")[0]
            send(place, "rose-1", seat, [{"at": label, "do": {"play": card}}])
            run(place, "rose-1", now=NOW)
    here, there = (turn_folder(game_folder(one, "rose-1"), 3) for one in (home, other))
    shutil.rmtree(here)
    shutil.copytree(there, here)
    send(home, "rose-1", "red", [{"at": "red-2", "do": {"draw": True}}])

    code = a_run(home)

    assert code == 3
    assert tells(capsys.readouterr().err, "turns/0003/turn.json")


def test_a_run_without_orders_writes_nothing(home: Home) -> None:
    before = tree(top(home))

    ran = run(home, "rose-1", now=NOW)

    assert ran.turn is None
    assert tree(top(home)) == before


def test_undo_and_the_same_orders_give_the_same_turn_but_for_what_tells_of_it(
    home: Home, saved: SavedGame
) -> None:
    run(home, "rose-1", now=NOW)
    folder = folder_of(saved) / "turns"

    undo(home, "rose-1")
    run(home, "rose-1", now=NOW)

    old, new = tree(folder / "undone" / "0002.1"), tree(folder / "0002")
    differ = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    assert {name.rpartition("/")[2] for name in differ} == {
        "turn.json",
        "events.jsonl",
        "report.txt",
        "report.json",
    }
    old_events, new_events = (
        (folder / place / "events.jsonl").read_text("utf-8").splitlines()
        for place in ("undone/0002.1", "0002")
    )
    (told,) = [line for line in new_events if line not in old_events]
    assert tells(told, "2")
    assert [line for line in new_events if line != told] == old_events
    first, second = SavedGame(home, "rose-1", at_turn=1).record, SavedGame(home, "rose-1").record
    assert second["previous"] == first["root"]
    assert second["revision"] == 1


def test_a_game_can_be_dealt_at_once_with_the_luck_words_of_its_file_and_those_sent(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    table = "seats:\n  red: {player: Ann, luck: seven swans}\n  white: {player: Bob, luck: not these}\n"
    a_game(home, table=table, deal=False)
    send(home, "rose-1", "white", [{"at": "start", "do": {"luck": "my own words"}}])

    ran = run(home, "rose-1", now=NOW, deal=True)

    saved = SavedGame(home, "rose-1")
    assert ran.steps == ("start",)
    assert saved.position.game is not None
    assert saved.position.game.luck == {"red": "seven swans", "white": "my own words"}
    found = verify(home, "rose-1")
    assert (found.findings, found.recomputed) == ((), 2)


def test_lines_that_partial_leaves_out_are_never_played(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    good = {"at": "red-1", "do": first_choice(saved, "red")}
    never: Json = {"at": "red-2", "when": {"no.such.path": 1}, "do": {"draw": True}}

    receipt = send(home, "rose-1", "red", [{"at": "red-1", "do": {"draw": True}}, good, never], partial=True)
    run(home, "rose-1", now=NOW)

    assert receipt.orders.count("do:") == 1
    assert orders_path(home, "rose-1", Seat("red")).read_text().endswith("receipt 1, without orders 1, 3\n")
    text = report(home, "rose-1", "red")
    assert tells(text, "2", "red-1")
    assert "order 1" not in text.casefold()
    assert "order 3" not in text.casefold()
    assert verify(home, "rose-1").findings == ()


@pytest.mark.parametrize("name", ["state.json", "orders/red.yaml", "../0000/data.json"])
def test_a_turn_that_was_changed_since_is_not_played_on(home: Home, saved: SavedGame, name: str) -> None:
    run(home, "rose-1", now=NOW)
    send(home, "rose-1", "white", [{"do": first_choice(SavedGame(home, "rose-1"), "white")}])
    path = folder_of(saved) / "turns" / "0002" / name
    path.write_bytes(path.read_bytes() + b"\n")
    before = tree(top(home))

    with pytest.raises(GateClosedError, match="damaged: turns/000"):
        run(home, "rose-1", now=NOW)

    assert tree(top(home)) == before
    assert run(home, "rose-1", now=NOW, overrides=("damaged",)).turn == 3
    assert SavedGame(home, "rose-1").record["overrides"] == ["damaged"]


def test_a_deadline_counts_once(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home, table=f"{TWO}silent: greedy\ndeadline: 2026-11-21T21:00:00+00:00\n")
    early, late = NOW + datetime.timedelta(minutes=59), NOW + datetime.timedelta(hours=2)

    assert run(home, "rose-1", now=early, due=True).turn is None
    assert run(home, "rose-1", now=late, due=False).turn is None
    ran = run(home, "rose-1", now=late, due=True)
    assert (ran.steps, ran.silent) == (("red-1",), ("red-1",))
    assert "Orders are due" not in report(home, "rose-1", "white")
    assert run(home, "rose-1", now=late, due=True).turn is None


def test_a_template_that_fails_is_named_and_the_shipped_one_takes_its_place(
    home: Home, saved: SavedGame
) -> None:
    mine = (top(home) / "templates") / "rose-king" / "report.txt.j2"
    mine.parent.mkdir()
    mine.write_text("{% if %}", encoding="utf-8")

    ran = run(home, "rose-1", now=NOW)

    assert ran.turn == 2
    assert [f"{mine}:1: " in one for one in ran.by_hand] == [True]
    text = report(home, "rose-1", "red")
    mine.unlink()
    saved = SavedGame(home, "rose-1")
    facts = read_json(saved.turns.at(2) / "reports" / "red" / "report.json")
    assert Report(saved.environment, facts).text == text, "as the shipped one makes it"


@pytest.mark.parametrize(("hours", "is_ahead"), [(-1, False), (1, True)])
@pytest.mark.parametrize("moved", [deadline_note, partial(single_note, written=None)])
def test_a_deadline_that_was_moved_counts_if_it_is_after_the_turn_was_made(
    moved: Callable[..., Note], hours: int, is_ahead: bool, tmp_path: Path
) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    made = datetime.datetime.fromisoformat(str(saved.record["at"]))
    with home.journal() as db:
        db.write([moved(saved.name, saved.turn, moment=made + datetime.timedelta(hours=hours))])

    assert has_deadline(saved) is is_ahead
