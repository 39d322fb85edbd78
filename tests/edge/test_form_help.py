"""Help of a form that lost its ## is passed over where the form has it, word for word, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.play.homes.home import Home
from pbem.play.reports.reading import report
from pbem.play.submissions.lodging import Judged, checked
from pbem.text.orders import Faults
from tests.homes import TWO, a_game, a_home

HEAD = "game: rose-1\nseat: red\norders:\n- at: red-1\n  do: {play: N2}\n"
LATER = "- {at: red-2, when: {crown: F4}, do: {draw: true}}\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A game at red-1."""
    home = a_home(tmp_path_factory.mktemp("help"))
    a_game(home)
    return home


def bare(form: str) -> str:
    """Return a form whose help has lost its marks, with all of its ready lines taken."""
    lines = form.replace("do: {}", "do: {play: N2}", 1).split("\n")
    return "\n".join(re.sub(r"^(## ?|#(?=- \{| {2,}))", "", line) for line in lines)


def test_a_form_whose_help_has_lost_all_of_its_marks_is_taken_with_its_lines(home: Home) -> None:
    form = report(home, "rose-1", Seat("red"), name="orders.yaml")
    assert form.count("\n## ") > 20

    found = checked(home, re.sub(r"^#press:.*\n.*\n", "", bare(form), flags=re.MULTILINE).encode())

    assert isinstance(found, Judged), found
    assert len(found.submission.orders.lines) > 10
    (_note,) = found.notes
    again = checked(home, found.data)
    assert isinstance(again, Judged)
    assert (again.notes, again.submission.orders) == ((), found.submission.orders)


@pytest.mark.parametrize("margin", ["", " "])
def test_a_line_of_help_is_passed_over_and_told_with_its_place(home: Home, margin: str) -> None:
    found = checked(home, f"{HEAD}{margin}If White takes F4 (+1):\n{LATER}".encode())

    assert isinstance(found, Judged), found
    assert len(found.submission.orders.lines) == 2


@pytest.mark.parametrize(
    "orders",
    [
        f"{HEAD}If White takes F9 (+1):\n{LATER}",
        f"{HEAD}If White takes F4 (+1): I am lost\n{LATER}",
        f"{HEAD}{LATER}If White takes F4 (+1):\n".replace("rose-1", "rose-9"),
    ],
    ids=["not of the form", "with words of the player", "another game"],
)
def test_what_the_form_does_not_say_word_for_word_is_a_mistake(home: Home, orders: str) -> None:
    found = checked(home, orders.encode())

    assert isinstance(found, Faults)
    assert found.notes == ()


def test_words_of_a_message_are_the_players_also_where_the_form_has_them(home: Home) -> None:
    say = (
        'press:\n- {to: [white], say: "Look:\nIf White takes F4 (+1):\nthat is what I fear"}\npartal: true\n'
    )

    found = checked(home, f"{HEAD}{say}".encode())

    assert isinstance(found, Faults)
    assert found.notes == ()
    assert all("## If White" not in line for line in found.whole)


def test_help_of_a_seat_is_known_only_with_its_key(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    key = a_game(home, table=f"{TWO}key: true\n").players.key(Seat("red"))
    orders = f"{HEAD}If White takes F4 (+1):\n{LATER}"

    told = {one: checked(home, f"key: {one}\n{orders}".encode()) for one in ("wrong-word", key)}

    assert isinstance(told[key], Judged)
    assert isinstance(refused := told["wrong-word"], Faults)
    assert refused.notes == ()
