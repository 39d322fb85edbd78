"""Making a game, lodging orders, running, undoing: the straight line."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import read_json
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.store.errors import GateClosedError
from pbem.text.reports.report import Report
from tests.facts import tells
from tests.homes import NOW, TWO, a_game, a_home, first_choice, folder_of, orders_path, send, top, tree, undo


def test_a_run_without_orders_writes_nothing(home: Home) -> None:
    before = tree(top(home))

    ran = run(home, "rose-1", now=NOW)

    assert ran.turn is None
    assert tree(top(home)) == before


def test_undo_and_the_same_orders_give_the_same_turn_but_for_what_tells_of_it(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    send(home, "rose-1", "red", [{"at": "red-1", "do": first_choice(saved, "red")}])
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
def test_a_turn_that_was_changed_since_is_not_played_on(tmp_path: Path, name: str) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    send(home, "rose-1", "red", [{"do": first_choice(saved, "red")}])
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


def test_a_template_that_fails_is_named_and_the_shipped_one_takes_its_place(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    send(home, "rose-1", "red", [{"do": first_choice(saved, "red")}])
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
