"""Orders without a line: press leaves the lines that stand, nothing is refused, and a word withdraws."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive.finished import orders_in_force
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.office.status import status_of
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.submissions.gate import standing
from pbem.play.submissions.lodging import Plan, Sender, lodge
from pbem.play.submissions.receipts import PressReceipt, Receipt
from pbem.text.orders import Fault
from tests.homes import (
    NOW,
    TWO,
    a_game,
    a_home,
    first_choice,
    game_folder,
    load_record,
    orders_path,
    orders_text,
    send,
    submit,
    top,
    tree,
    undo,
)

RED, WHITE = Seat("red"), Seat("white")
DRAW: Json = {"draw": True}
LINES: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}, {"at": "red-2", "do": DRAW}]
KEEP: list[Json] = [{"at": "white-1", "do": {"play": "SE1"}}, {"keep": True, "do": DRAW}]
HEAD = "game: rose-1\nseat: red\n"
PRESS = HEAD + "press:\n- {to: all, say: Peace in the north}\n"


def the_game(path: Path, table: str = TWO) -> Home:
    home = a_home(path)
    a_game(home, table=table)
    return home


def sent(home: Home, text: str) -> Receipt | PressReceipt | list[Fault]:
    path = top(home) / "sent.yaml"
    path.write_text(text, encoding="utf-8")
    answer = submit(home, path)
    path.unlink()
    return answer


def say(home: Home, text: str = PRESS) -> PressReceipt:
    answer = sent(home, text)
    assert isinstance(answer, PressReceipt), answer
    return answer


def lines_of(home: Home, seat: Seat = RED) -> list[Json]:
    return [line.do for line in standing(SavedGame(home, "rose-1"), seat).lines]


def choose(home: Home, seat: str) -> None:
    """Send the first order that can be given."""
    send(home, "rose-1", seat, [{"do": first_choice(SavedGame(home, "rose-1"), seat)}])


def turn(home: Home) -> None:
    assert run(home, "rose-1", now=NOW).turn is not None


def is_whole(home: Home) -> bool:
    """Tell whether every turn can be played again and comes out the same."""
    found = verify(home, "rose-1")
    return (found.findings, found.recomputed) == ((), found.turns)


def test_press_alone_leaves_lines_left_over_and_standing_orders(tmp_path: Path) -> None:
    home = the_game(tmp_path)
    send(home, "rose-1", "white", KEEP)
    send(home, "rose-1", "red", LINES[:1])
    turn(home)
    assert lines_of(home, WHITE) == [DRAW]

    answer = say(home, PRESS.replace("seat: red", "seat: white"))

    assert "keep: true" in answer.standing
    assert lines_of(home, WHITE) == [DRAW]
    send(home, "rose-1", "red", [{"at": "red-2", "do": DRAW}])
    turn(home)
    assert "| Peace in the north" in report(home, "rose-1", "red")
    assert lines_of(home, WHITE) == [DRAW]
    assert is_whole(home)


@pytest.mark.parametrize("text", [PRESS, PRESS + "orders: []\npartial: true\n"])
def test_a_file_of_press_that_is_placed_by_hand_leaves_lines_left_over(tmp_path: Path, text: str) -> None:
    home = the_game(tmp_path)
    send(home, "rose-1", "white", KEEP)
    send(home, "rose-1", "red", LINES[:1])
    turn(home)

    orders_path(home, "rose-1", WHITE).write_text(text.replace("seat: red", "seat: white"), encoding="utf-8")

    assert lines_of(home, WHITE) == [DRAW]
    assert status_of(home, "rose-1").pending == (WHITE,)
    send(home, "rose-1", "red", [{"at": "red-2", "do": DRAW}])
    turn(home)
    assert load_record(game_folder(home, "rose-1"), 3)["kept"] == ["white"]
    before = SavedGame(home, "rose-1", at_turn=2)
    assert [line.do for line in orders_in_force(before, before.turns.at(3))[WHITE].lines] == [DRAW]
    assert "| Peace in the north" in report(home, "rose-1", "red")
    assert lines_of(home, WHITE) == [DRAW]
    assert is_whole(home)
    undo(home, "rose-1")
    turn(home)
    assert report(home, "rose-1", "red").count("| Peace in the north") == 1
    assert is_whole(home)


def test_the_same_press_given_again_or_with_lines_goes_out_once(tmp_path: Path) -> None:
    home = the_game(tmp_path)
    say(home)
    before = tree(top(home))

    say(home)

    assert tree(top(home)) == before
    send(home, "rose-1", "red", LINES, press=[{"to": "all", "say": "Peace in the north"}])
    turn(home)
    assert report(home, "rose-1", "white").count("| Peace in the north") == 1
    assert is_whole(home)


def test_press_that_was_sent_alone_outlives_new_lines_and_a_withdrawal(tmp_path: Path) -> None:
    home = the_game(tmp_path)
    say(home)
    send(home, "rose-1", "red", LINES, press=[{"to": "all", "say": "Never mind"}])
    answer = send(home, "rose-1", "red", "none")
    send(home, "rose-1", "red", LINES)
    turn(home)

    told = report(home, "rose-1", "white")
    assert told.count("| Peace in the north") == 1
    assert "Never mind" not in told, "it was withdrawn with the lines beside it"
    assert answer.replaced.endswith("press:\n- {to: all, say: Never mind}")


def test_a_word_withdraws_lines_left_over_and_they_stay_withdrawn(tmp_path: Path) -> None:
    home = the_game(tmp_path)
    send(home, "rose-1", "white", KEEP)
    send(home, "rose-1", "red", LINES)
    turn(home)

    send(home, "rose-1", "white", "none")

    assert lines_of(home, WHITE) == []
    choose(home, "red")
    assert run(home, "rose-1", now=NOW).waiting == (WHITE,)
    assert lines_of(home, WHITE) == []
    choose(home, "white")
    turn(home)
    assert lines_of(home, WHITE) == []
    assert is_whole(home)


def test_press_goes_out_where_partial_orders_lose_all_lines(tmp_path: Path) -> None:
    home = the_game(tmp_path)
    send(home, "rose-1", "red", LINES)
    bad: list[Json] = [{"at": "red-1", "do": {"play": "NW3"}}]
    text = orders_text("rose-1", "red", bad, partial=True, press=[{"to": "all", "say": "Hi"}])

    answer = say(home, text)

    assert len(answer.judged.submission.envelope.dropped) == 1
    assert "play: N2" in answer.standing


def test_a_second_try_stores_press_once_and_says_the_same(tmp_path: Path) -> None:
    home = the_game(tmp_path)
    send(home, "rose-1", "red", LINES)
    noted: list[Plan] = []
    first = lodge(home, PRESS.encode(), Sender("rose-1", RED, None, noted.append))
    before = tree(top(home))
    turn(home)

    again = lodge(home, PRESS.encode(), Sender("rose-1", RED, noted[0], noted.append))

    assert isinstance(first, PressReceipt)
    assert isinstance(again, PressReceipt)
    assert (again.press, again.standing, again.taken) == (first.press, first.standing, True)
    assert {name: data for name, data in tree(top(home)).items() if "orders/rose-1" in name} == {
        name: data for name, data in before.items() if "orders/rose-1" in name
    }
