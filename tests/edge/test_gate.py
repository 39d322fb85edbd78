"""Reasons not to run a game: each with its name, nothing changed, and a way past it that is recorded."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.opening import Opened
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.rules.rose_king.rules import RoseKing
from pbem.rules.rose_king.state import State
from pbem.rules.rose_king.view import View
from pbem.store.disk import locked
from tests.facts import tells
from tests.homes import (
    NOW,
    a_game,
    a_home,
    folder_of,
    game_folder,
    load_record,
    orders_path,
    send,
    top,
    tree,
    turn_folder,
)

INSTALLED = RoseKing.version


def a_run(home: Home, *more: str) -> int:
    return run_command(
        ["run", "rose-1", "--now", "2026-11-22T20:00:00+00:00", "--home", str(top(home)), *more]
    )


def test_an_overridden_bad_file_is_left_out_and_the_turn_records_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    placed = orders_path(home, "rose-1", Seat("white"))
    placed.parent.mkdir(exist_ok=True)
    placed.write_text("game: rose-1\n", encoding="utf-8")
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])

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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reader: Seat | None
) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    topmost = saved.position.game.state.pile[0] if isinstance(saved.position.game, Opened) else ""
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
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


def test_newer_rules_take_an_older_game_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    monkeypatch.setattr(RoseKing, "version", 7)

    assert a_run(home) == 0
    assert load_record(folder_of(saved), 2)["rules_version"] == 7


def test_a_game_that_another_program_works_on_is_left_alone_whatever_is_overridden(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    send(home, "rose-1", "red", [{"do": {"play": "N2"}}])
    before = tree(top(home))

    with locked(folder_of(saved)):
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
