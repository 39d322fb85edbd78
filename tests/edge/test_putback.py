"""Damaged files of turns are put back as they were, to the byte, or left as they are and named."""

from __future__ import annotations

import shutil
from itertools import cycle
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(("turn", "how"), [*zip(TURNS, cycle(["changed", "gone"]), strict=False)])
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
