"""Damaged files of turns are put back as they were, to the byte, or left as they are and named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.homes.home import Home
from pbem.play.homes.verify import put_back, verify
from tests.edge.test_verify import TURNS, files_of, game_of, played
from tests.facts import tells
from tests.homes import a_game, a_home, home_at, top

MADE_BY_PEOPLE = ("orders/", "press/", "start.json", "data.json", "turn.json", "names.json")
"""Files of a turn that nothing can make again."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return played(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def home(whole: Home, tmp_path: Path) -> Home:
    shutil.copytree(top(whole), tmp_path / "home")
    return home_at(tmp_path / "home")


def made_again(folder: Path) -> list[Path]:
    return [
        path
        for path in files_of(folder)
        if not path.relative_to(folder).as_posix().startswith(MADE_BY_PEOPLE)
    ]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("how", ["changed", "gone"])
def test_all_that_the_rules_make_of_a_turn_is_put_back_to_the_byte(home: Home, turn: str, how: str) -> None:
    folder = game_of(home) / "turns" / turn
    damaged = {path: path.read_bytes() for path in made_again(folder)}
    for path, data in damaged.items():
        if how == "gone":
            path.unlink()
        else:
            path.write_bytes(data[:-2] + b"?" + data[-2:])

    done = put_back(home, "rose-1")

    assert {path: path.read_bytes() for path in damaged if path.exists()} == damaged
    assert len(done.files) == len(damaged)
    assert done.left == ()
    assert verify(home, "rose-1").findings == ()
    assert put_back(home, "rose-1").files == ()


def test_a_report_waits_for_no_bot_and_is_put_back_though_the_bot_has_gone(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    seats = "seats: {1: {player: Ann}, 2: {player: Bob}, 3: {player: Bot, bot: greedy}}\n"
    a_game(home, "web-1", rules="web-of-intrigue", table=seats)
    place = top(home) / "games" / "web-1"
    path = place / "turns" / "0001" / "reports" / "spectator" / "report.txt"
    told = path.read_bytes()
    (place / "game.yaml").write_text(seats.replace(", bot: greedy", ""), "utf-8")
    path.unlink()

    assert tells(told.decode(), "Player 1", "Player 2", "turn-1")
    assert len(put_back(home, "web-1").files) == 1
    assert path.read_bytes() == told


def test_turns_that_are_all_damaged_are_put_back_one_after_the_other(home: Home) -> None:
    damaged = {
        path: path.read_bytes() for turn in TURNS[:4] for path in made_again(game_of(home) / "turns" / turn)
    }
    for path in damaged:
        path.write_bytes(b"{}")

    assert put_back(home, "rose-1").left == ()
    assert {path: path.read_bytes() for path in damaged} == damaged


@pytest.mark.wording("receipts, reports and saved games are known again by their words")
def test_verify_names_what_only_a_backup_has_and_what_can_be_made(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    turn = game_of(home) / "turns/0002"
    orders = min((turn / "orders").iterdir())
    (top(home) / "orders/rose-1" / orders.name).unlink(missing_ok=True)
    for damaged in (orders, turn / "state.json"):
        damaged.write_bytes(damaged.read_bytes() + b" ")
    kept = orders.read_bytes()
    alone = f"This only a backup has: rose-1/turns/0002/orders/{orders.name}\n"
    on = "only an old turn is damaged: the game goes on, and `pbem verify` will always name it"
    goes_on = f"Without a backup: {on}\n"
    at_home = ["rose-1", "--home", str(top(home))]

    told = []
    for words in (["verify"], ["home", "mend"], ["verify"]):
        assert run_command([*words, *at_home]) == 1
        told.append(capsys.readouterr().err)

    assert tells(told[0], "rose-1")
    assert told[2] == alone + goes_on
    assert orders.read_bytes() == kept


def test_a_record_that_is_only_spaced_otherwise_is_put_back(home: Home) -> None:
    record = game_of(home) / "turns" / "0002" / "turn.json"
    data = record.read_bytes()
    record.write_bytes(data + b"\n")

    assert put_back(home, "rose-1") == (("turns/0002/turn.json",), ())
    assert record.read_bytes() == data


def test_orders_that_a_turn_took_are_put_back_where_they_are_still_lodged(home: Home) -> None:
    taken = game_of(home) / "turns" / "0003" / "orders" / "white.yaml"
    data = taken.read_bytes()
    taken.write_bytes(b"game: rose-1\n")

    put_back(home, "rose-1")

    assert taken.read_bytes() == data
