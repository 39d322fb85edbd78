"""Orders for a turn that never comes, in a game whose options say when it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from pbem.play.reports.reading import report
from pbem.play.submissions.lodging import checked
from pbem.text.judging import in_words
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, orders_text, send, table_of
from tests.unpacked import unpacked_page

GAME = "web-1"
STAY: Json = {"move": "stay"}


def two_turns(path: Path) -> Home:
    """Return a home with a game of two turns, which is dealt."""
    home = a_home(path)
    a_game(home, GAME, rules="web-of-intrigue", table=table_of(2), options={"turns": 2})
    return home


def said(home: Home, *lines: Json, **more: Json) -> str:
    """Return what is wrong with orders of seat 1, or what they will try."""
    found = checked(home, orders_text(GAME, "1", list(lines), **more).encode())
    return "\n".join(map(str, found) if isinstance(found, list) else in_words(found.verdict))


@pytest.mark.parametrize(
    ("line", "more", "wrong"),
    [
        ({"at": "turn-9", "do": STAY}, {}, ("turn-9", "turn-2")),
        ({"when": {"turn": 9}, "do": STAY}, {}, ("9", "1", "2")),
        ({"do": STAY}, {"stop_if": {"turn": {"at_least": 3}}}, ("3",)),
    ],
)
def test_a_label_and_a_condition_beyond_the_last_turn_are_refused_as_what_never_comes(
    tmp_path: Path, line: Json, more: dict[str, Json], wrong: tuple[str, ...]
) -> None:
    assert tells(said(two_turns(tmp_path), line, **more), *wrong)


def test_forms_offer_nothing_beyond_the_last_turn(tmp_path: Path) -> None:
    home = two_turns(tmp_path)
    assert "{until: turn-2" in report(home, GAME, "1", name="orders.yaml")
    page = json.loads(unpacked_page(page_of(SavedGame(home, GAME), Seat("1"))).json)
    assert (page["last"], page["draft"]["until"]) == (2, "turn-2")

    for seat in ("1", "2"):
        send(home, GAME, seat, [{"at": "turn-1", "do": STAY}])
    run(home, GAME, now=NOW)

    assert "at: turn-3" not in report(home, GAME, "1")
    page = json.loads(unpacked_page(page_of(SavedGame(home, GAME), Seat("1"))).json)
    assert page["labels"] == ["turn-2"]
