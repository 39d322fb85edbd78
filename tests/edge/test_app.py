"""Making a game, lodging orders, running, undoing: the straight line."""

from __future__ import annotations

from pathlib import Path

from pbem.edge.app import run, undo
from pbem.edge.files import Disk
from pbem.edge.saved import SavedGame
from pbem.edge.verify import verify
from tests.homes import NOW, a_game, a_home, first_choice, send, tree


def test_a_lodged_order_becomes_a_turn(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    send(home, "rose-1", "red", [{"at": "red-1", "do": first_choice(saved, "red")}])

    ran = run(Disk(), home, "rose-1", now=NOW)

    assert (ran.turn, ran.steps, ran.waiting) == (2, ("red-1",), ("white",))


def test_a_run_without_orders_writes_nothing(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    before = tree(home.path)

    ran = run(Disk(), home, "rose-1", now=NOW)

    assert ran.turn is None
    assert tree(home.path) == before


def test_undo_and_the_same_orders_give_the_same_turn_but_for_its_record_and_foot(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    send(home, "rose-1", "red", [{"at": "red-1", "do": first_choice(saved, "red")}])
    run(Disk(), home, "rose-1", now=NOW)
    folder = saved.folder / "turns"

    undo(Disk(), home, "rose-1")
    run(Disk(), home, "rose-1", now=NOW)

    old, new = tree(folder / "undone" / "0002.1"), tree(folder / "0002")
    differ = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    assert {name.rpartition("/")[2] for name in differ} == {
        "turn.json",
        "report.txt",
        "report.html",
        "report.json",
    }
    first, second = SavedGame(home, "rose-1", at_turn=1).record, SavedGame(home, "rose-1").record
    assert second["previous"] == first["root"]
    assert second["revision"] == 1


def test_a_game_can_be_dealt_at_once_with_the_luck_words_of_its_file_and_those_sent(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    table = "seats:\n  red: {player: Ann, luck: seven swans}\n  white: {player: Bob, luck: not these}\n"
    a_game(home, table=table, deal=False)
    send(home, "rose-1", "white", [{"at": "start", "do": {"luck": "my own words"}}])

    ran = run(Disk(), home, "rose-1", now=NOW, deal=True)

    saved = SavedGame(home, "rose-1")
    assert ran.steps == ("start",)
    assert saved.position.game is not None
    assert saved.position.game.luck == {"red": "seven swans", "white": "my own words"}
    found = verify(home, "rose-1")
    assert (found.findings, found.recomputed) == ((), 2)


def test_dealing_a_game_that_was_dealt_already_changes_nothing(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    for seat in ("red", "white"):  # then both could hold, by drawing a card
        send(home, "rose-1", seat, [{"do": first_choice(SavedGame(home, "rose-1"), seat)}])
        run(Disk(), home, "rose-1", now=NOW)
    before = tree(home.path)

    assert run(Disk(), home, "rose-1", now=NOW, deal=True).turn is None
    assert tree(home.path) == before
