"""A player's name is mended: the same person with the same secrets, called otherwise from now on."""

from __future__ import annotations

from pathlib import Path

from pbem.core.events import Seat
from pbem.host.people.names import rename_player
from pbem.host.people.seats import replace_player
from pbem.mail.account.addresses import seat_of_token
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.text.names import unambiguous_names
from tests.facts import tells
from tests.hosting.games import GAME, HOUR, MADE, a_club, due, stay
from tests.mail.host import ANN, Host
from tests.mail.test_mending import secrets

ONE, TWO = Seat("1"), Seat("2")
NOW = MADE + 3 * HOUR


def holder(home: Home, seat: Seat = ONE) -> tuple[str, str]:
    players = SavedGame(home, GAME).players
    return players.holder(seat), players.address(seat)


def test_all_secrets_stay_and_the_old_address_for_orders_counts(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, key=True)
    before = secrets(home, ONE)

    assert rename_player(home, GAME, ONE, "Anna  Lee", NOW) == "Ann"
    assert rename_player(home, GAME, ONE, "Anna", NOW + HOUR) == "Anna Lee"

    assert holder(home) == ("Anna", "ann@example.test")
    assert secrets(home, ONE) == before
    with home.journal() as db:
        assert seat_of_token(SavedGame(home, GAME), before[1], db) == ONE
    host = Host(home, NOW)
    text = f"orders:\n- at: turn-1\n  do: {{move: stay}}\nkey: {before[0]}\n"
    assert host.gets(host.a_mail(text, ANN), host.address("1", GAME), ANN).verdict == "lodged"
    assert rename_player(home, GAME, ONE, "Ann", NOW + HOUR) == "Anna"
    assert secrets(home, ONE) == before


def test_reports_say_the_new_name_from_the_next_on_and_the_game_verifies(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    stay(home, "1", "2", "3")

    rename_player(home, GAME, ONE, "Zuleika", NOW)

    assert due(home, NOW + HOUR).turn == 2
    assert "Zuleika" in report(home, GAME, "2")
    assert "Zuleika" not in report(home, GAME, "2", 1)
    assert tells(" ".join(report(home, GAME, "2").split()), "1")
    assert verify(home, GAME).findings == ()


def test_who_takes_the_seat_under_an_earlier_name_has_other_secrets(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, key=True)
    replace_player(home, GAME, ONE, Person("Zoe", "zoe@example.test"), NOW)
    former = secrets(home, ONE)
    rename_player(home, GAME, ONE, "Zora", NOW)

    replace_player(home, GAME, ONE, Person("Zoe", "other@example.test"), NOW + HOUR)

    assert not set(secrets(home, ONE)) & set(former)


def test_two_names_that_look_alike_stand_for_nobody_in_orders() -> None:
    seats = tuple(map(Seat, ("1", "2", "3")))

    assert unambiguous_names(seats, dict(zip(seats, ("Ann", "Аnn", "Bob"), strict=True))) == {
        Seat("3"): "Bob"
    }
    assert unambiguous_names(seats, dict(zip(seats, ("Ann", "Sеat 3", "Bob"), strict=True))) == {
        Seat("1"): "Ann",
        Seat("3"): "Bob",
    }
