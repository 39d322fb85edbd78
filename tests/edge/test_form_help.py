"""Forms: their help, their worlds, seats that nobody plays, turns that never come, and what is offered."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.coverletter import CoverFacts
from pbem.host.run.batch import run
from pbem.host.run.notes import notes_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.formpages import page_of
from pbem.play.reports.reading import report
from pbem.play.submissions.lodging import JudgedOrders, check_submission
from pbem.text.judging import verdict_lines
from pbem.text.mending.lines import find_reader
from pbem.text.mending.names import KnownGame, seat_names
from pbem.text.orders import Faults
from tests.browser.forms import asked, lodge, next_turn, suggestion
from tests.facts import tells
from tests.homes import NOW, TWO, a_game, a_home, orders_text, send, table_of
from tests.unpacked import unpacked_page

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

    found = check_submission(home, re.sub(r"^#press:.*\n.*\n", "", bare(form), flags=re.MULTILINE).encode())

    assert isinstance(found, JudgedOrders), found
    assert len(found.submission.orders.lines) > 10
    (_note,) = found.notes
    again = check_submission(home, found.data)
    assert isinstance(again, JudgedOrders)
    assert (again.notes, again.submission.orders) == ((), found.submission.orders)


def test_help_of_a_seat_is_known_only_with_its_key(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    key = a_game(home, table=f"{TWO}key: true\n").players.key(Seat("red"))
    orders = f"{HEAD}If White takes F4 (+1):\n{LATER}"

    told = {one: check_submission(home, f"key: {one}\n{orders}".encode()) for one in ("wrong-word", key)}

    assert isinstance(told[key], JudgedOrders)
    assert isinstance(refused := told["wrong-word"], Faults)
    assert refused.notes == ()


@pytest.mark.parametrize("name", ["wop-1", "cards-1", "powers-1"])
def test_a_page_knows_only_the_seats_that_are_played(name: str, samples: Home) -> None:
    saved = SavedGame(samples, name)
    page = unpacked_page(page_of(saved, asked(saved)[0]))

    assert json.loads(page.json)["domains"]["to_move"]["values"] == [*saved.start.seats]


GAME = "web-1"
STAY: Json = {"move": "stay"}


def two_turns(path: Path) -> Home:
    """Return a home with a game of two turns, which is dealt."""
    home = a_home(path)
    a_game(home, GAME, rules="web-of-intrigue", table=table_of(2), options={"turns": 2})
    return home


def said(home: Home, *lines: Json, **more: Json) -> str:
    """Return what is wrong with orders of seat 1, or what they will try."""
    found = check_submission(home, orders_text(GAME, "1", list(lines), **more).encode())
    return "\n".join(map(str, found) if isinstance(found, list) else verdict_lines(found.verdict))


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


PLAYERS = {"2": "Bob", "3": "Cleo", "4": "Everyone", "5": "Host"}


@pytest.mark.parametrize("word", ["all", "Everybody", "alle", "everyone", "host"])
def test_a_word_for_all_is_not_taken_for_them_where_a_player_is_called_so(word: str) -> None:
    known = KnownGame(seats=seat_names(map(str, range(1, 6)), PLAYERS))

    expected = {"all": "all", "Everybody": "all", "alle": "all", "everyone": "", "host": ""}
    assert find_reader(word, known) == expected[word]


TABLES = {
    "rose-king": ("red", "white"),
    "web-of-intrigue": ("1", "2", "3", "4"),
    "web-of-power-cards": ("yellow", "red", "green"),
    "web-of-power": ("yellow", "red", "green"),
    "game-of-powers": ("white", "black", "orange"),
}


def worlds_of(saved: SavedGame, seat: Seat) -> list[SavedGame]:
    """Return the game as it might be too, as far as a seat knows; only if it differs from the real one."""
    found = []
    for number in range(2):
        other = SavedGame(saved.home, saved.name)
        game = saved.opening.redeal(saved.position.game, seat, Dice(bytes([number] * 32), 0))
        if game != saved.position.game:
            other.__dict__["position"] = saved.position._replace(game=game)
            found.append(other)
    return found


@pytest.mark.parametrize("rules", TABLES)
def test_pages_and_letters_are_the_same_in_a_world_dealt_otherwise(rules: str, tmp_path: Path) -> None:
    me, *others = TABLES[rules]
    rows = [f"  {me}: {{player: Me}}\n", *(f"  {one}: {{player: P, bot: greedy}}\n" for one in others)]
    saved = a_game(a_home(tmp_path), "g-1", rules=rules, table=f"seats:\n{''.join(rows)}")
    compared = 0
    for _ in range(4):
        seat = asked(saved)[0]
        pages = [page_of(world, seat) for world in worlds_of(saved, seat)]
        assert set(pages) == {page_of(saved, seat)}
        compared += len(pages)
        for one in asked(saved):
            order: Json = suggestion(saved, one)
            lodge(saved.home, orders_text("g-1", one, [{"do": order}]), tmp_path)
        notes = notes_of(saved.home, "g-1")
        letter = CoverFacts(saved, notes).letter(seat)
        assert letter.orders
        assert {CoverFacts(one, notes).letter(seat).words for one in worlds_of(saved, seat)} <= {letter.words}
        saved = next_turn(saved.home, saved)

    assert compared >= 6
