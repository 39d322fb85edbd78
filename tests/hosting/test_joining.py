"""Sign-up for an open game: free seats, one for each address, and the start form with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.office.status import status_of
from pbem.host.people.seats import SignupResult, sign_up
from pbem.host.run.batch import run
from pbem.host.time.extensions import reminders
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.receipts import Receipt
from pbem.store.errors import GateClosedError, WrongInput
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, top, tree
from tests.hosting.games import DAY, HOUR, MADE

OPEN = """\
# all are welcome
open: true
seats:
  1: {player: Ann, address: ann@example.test}
  2: {}
  3: {}   # by the window
silent: hold
"""


def an_open_game(tmp_path: Path, table: str = OPEN) -> Home:
    home = a_home(tmp_path)
    a_game(home, "web-1", rules="web-of-intrigue", table=table, deal=False)
    return home


def join(home: Home, name: str, address: str = "", wish: str = "", **answers: object) -> SignupResult:
    person = Person(name, address or f"{name.lower()}@example.test")
    form = answers or None
    return sign_up(home, "web-1", person, MADE, wish=wish, answers=form)  # type: ignore[arg-type]


def test_who_signs_up_gets_the_seat_that_is_wished_for_or_the_next_and_the_start_form(tmp_path: Path) -> None:
    home = an_open_game(tmp_path)

    cleo, bob = join(home, "Cleo", wish="3"), join(home, "Bob", wish="3")

    assert [(one.seat, one.is_new, one.free) for one in (cleo, bob)] == [("3", True, 1), ("2", True, 0)]
    assert "game: web-1" in bob.form
    assert "target" in bob.form
    row = "  3: {player: Cleo, address: cleo@example.test}   # by the window\n"
    assert row in ((top(home) / "games") / "web-1/game.yaml").read_text()
    assert status_of(home, "web-1").rests == ""
    before = tree(top(home) / "games")
    with pytest.raises(WrongInput, match=r"web-1"):
        join(home, "Dora")
    assert tree(top(home) / "games") == before, "whoever comes too late is told"


def test_a_mistake_in_the_start_form_is_told_and_the_seat_is_taken_all_the_same(tmp_path: Path) -> None:
    home = an_open_game(tmp_path)

    joined = join(home, "Bob", luck="x", target="a thousand")

    assert isinstance(joined.receipt, list)
    assert "target" in str(joined.receipt[0]) or "a thousand" in str(joined.receipt[0])
    assert SavedGame(home, "web-1").players.holder(Seat("2")) == "Bob"


def test_in_a_game_with_keys_the_start_form_is_lodged_with_the_seats_key(tmp_path: Path) -> None:
    home = an_open_game(tmp_path, f"{OPEN}key: true\n")

    assert isinstance(join(home, "Bob", luck="x", target=300).receipt, Receipt)


def test_a_second_sign_up_from_an_address_is_the_same_seat(tmp_path: Path) -> None:
    home = an_open_game(tmp_path)
    first = join(home, "Bob")
    before = tree(top(home) / "games")

    again = join(home, "Bobby", address="BOB@example.test")
    anns = join(home, "Ann the Second", address="ann@example.test")

    assert (again.seat, again.is_new, first.seat) == ("2", False, "2")
    assert (anns.seat, anns.is_new) == ("1", False)
    assert tree(top(home) / "games") == before


def test_a_name_that_is_yaml_is_a_name(tmp_path: Path) -> None:
    home = an_open_game(tmp_path)

    join(home, "{{ 7*7 }} #} 3: {player: me}", address="eve@example.test")

    table = SavedGame(home, "web-1").table
    assert table.players["2"] == "{{ 7*7 }} #} 3: {player: me}"  # type: ignore[index]
    assert table.free == ("3",)


def test_an_open_game_is_not_dealt_by_the_night_job_before_all_seats_are_taken(tmp_path: Path) -> None:
    home = an_open_game(tmp_path, f"{OPEN}deadline: {(NOW + DAY).isoformat()}\n")
    late = NOW + DAY + HOUR

    assert [one.seat for one in reminders(SavedGame(home, "web-1"), late - 2 * HOUR)] == ["1"]
    ran = run(home, "web-1", now=late, due=True, attended=False)
    with pytest.raises(GateClosedError, match=r"2, 3"):
        run(home, "web-1", now=late, due=True)
    dealt = run(home, "web-1", now=late, due=True, overrides=("free-seats",))

    assert ran.turn is None and tells(ran.rests, "2, 3")
    assert dealt.steps == ("start",)
