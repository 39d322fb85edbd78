"""A player's name is mended: the same person with the same secrets, called otherwise from now on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive.site import write_archive
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.people.gamewriting import Person
from pbem.host.people.names import rename_player
from pbem.host.people.seats import replace_player
from pbem.mail.account.addresses import seat_of_token
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.store.errors import WrongInput
from tests.edge.faults import PowerCut, Recorder, image_of, lay_out, on
from tests.edge.test_archive import pages
from tests.facts import tells
from tests.homes import a_home, game_folder, send, top
from tests.hosting.games import GAME, HOUR, MADE, a_club, due, pbem, public_acts, queued, stay
from tests.mail.host import ANN, Host, read, text_of
from tests.mail.test_mending import secrets

ONE, TWO = Seat("1"), Seat("2")
NOW = MADE + 3 * HOUR
STANDBY: Json = {"player": "Finn", "address": "fin@example.test"}


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


def test_the_player_is_told_and_no_other_and_an_older_letter_is_still_theirs(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    assert pbem(home, "announce", GAME, "Welcome, all.") == 0  # not written to its readers yet

    rename_player(home, GAME, ONE, "Anna", NOW)

    mails = [mail for mail in queued(home, "notice") if mail.rcpt == "ann@example.test"]
    words = [" ".join(text_of(read(mail.raw)).split()) for mail in mails]
    assert len(queued(home, "notice")) == 4
    assert "Welcome, all." in words[0]
    assert tells(words[1], "Anna", "Ann")
    assert [str(read(mail.raw)["To"]) for mail in mails] == ["Anna <ann@example.test>"] * 2


def test_no_name_is_told_where_the_archive_names_nobody(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    for name in ("Zuleika", "Zenobia"):
        rename_player(home, GAME, ONE, name, NOW)

    write_archive(home, tmp_path / "out")

    assert not any(name in pages(tmp_path / "out") for name in ("Ann", "Zuleika", "Zenobia"))
    assert not any("Zuleika" in act for act in public_acts(home))


def test_a_standby_who_took_the_seat_is_renamed_and_waits_for_no_other(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, standby=[STANDBY])
    assert pbem(home, "replace", GAME, "1", "--standby") == 0
    before = secrets(home, ONE)

    rename_player(home, GAME, ONE, "Finnegan", NOW)

    assert holder(home) == ("Finnegan", "fin@example.test")
    assert secrets(home, ONE) == before
    assert list(SavedGame(home, GAME).table.standby) == []
    with pytest.raises(WrongInput):
        replace_player(home, GAME, TWO, None, NOW)


def test_a_standby_who_came_in_for_missed_turns_is_renamed_with_the_same_secrets(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, standby=[STANDBY], misses={"after": 1, "then": "standby"})
    stay(home, "2", "3")
    assert due(home, MADE + 200 * HOUR, overrides=("down", "unsent")).turn == 2
    assert holder(home) == ("Finn", "fin@example.test")
    before = secrets(home, ONE)

    rename_player(home, GAME, ONE, "Finnegan", MADE + 201 * HOUR)

    assert holder(home) == ("Finnegan", "fin@example.test")
    assert secrets(home, ONE) == before
    with pytest.raises(WrongInput, match=r"Ann"):
        rename_player(home, GAME, ONE, "Ann", MADE + 202 * HOUR)


def test_who_takes_the_seat_under_an_earlier_name_has_other_secrets(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, key=True)
    replace_player(home, GAME, ONE, Person("Zoe", "zoe@example.test"), NOW)
    former = secrets(home, ONE)
    rename_player(home, GAME, ONE, "Zora", NOW)

    replace_player(home, GAME, ONE, Person("Zoe", "other@example.test"), NOW + HOUR)

    assert not set(secrets(home, ONE)) & set(former)


@pytest.mark.parametrize(
    ("seat", "name", "told"),
    [
        ("9", "Anna", "there is no seat '9' in club"),
        ("1", "Ann", "the player of 1 is called Ann already"),
        ("1", "Bob", "the name Bob is taken in club"),
        ("1", "Finn", "the name Finn is taken in club"),
        ("1", " ", "a name is written with plain letters"),
        ("1", "An\x07na", "a name is written with plain letters"),
        ("1", "A" * 200, "player"),
    ],
)
def test_a_name_that_cannot_be_is_told_and_changes_nothing(
    tmp_path: Path, seat: str, name: str, told: str
) -> None:
    home = a_club(tmp_path, by_mail=True, standby=[STANDBY])
    before = (game_folder(home, GAME) / "game.yaml").read_bytes()

    with pytest.raises(WrongInput):
        rename_player(home, GAME, Seat(seat), name, NOW)

    assert (game_folder(home, GAME) / "game.yaml").read_bytes() == before
    assert public_acts(home) == []


def test_naming_that_was_killed_at_any_step_can_be_given_again(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, key=True, gate={"disk": 0})
    before = image_of(top(home))
    recorder = Recorder(top(home))
    assert rename_player(on(recorder, home), GAME, ONE, "Anna", NOW) == "Ann"
    assert len(recorder.journal) > 10

    for cut in range(len(recorder.journal) - 1):
        left = lay_out(before, tmp_path / "left")
        with pytest.raises(PowerCut):
            rename_player(on(Recorder(top(left), cut, PowerCut()), left), GAME, ONE, "Anna", NOW)

        assert rename_player(left, GAME, ONE, "Anna", NOW) == "Ann"
        assert (holder(left), secrets(left, ONE)) == (holder(home), secrets(home, ONE))
        assert [mail.rcpt for mail in queued(left)] == ["ann@example.test"]


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = a_club(tmp_path, key=True)
    send(home, GAME, "1", [{"at": "turn-1", "do": {"move": "stay"}}], key=secrets(home, ONE)[0])

    assert pbem(home, "seat", GAME, "1", "--name", "Anna") == 0

    told = capsys.readouterr().out
    assert tells(told, "1", "Anna", "Ann")
    assert "\nclub, 1: Anna\n" in told
    assert tells(told, "1")
    assert not any(secret in told for secret in secrets(home, ONE))
    assert pbem(home, "seat", GAME, "1", "--name", "Anna", "--new-secret") == 2


@pytest.mark.parametrize(
    "name", ["Seat 2", "2", "2; 1", "Cleo, Day", "everybody", "host", "BOB", "\u0412ob", "(free)"]
)
def test_no_door_gives_a_name_that_others_write_for_somebody_else(tmp_path: Path, name: str) -> None:
    home = a_club(tmp_path)
    before = {seat: holder(home, seat) for seat in (ONE, TWO)}

    with pytest.raises(WrongInput):
        rename_player(home, GAME, ONE, name, NOW)
    with pytest.raises(WrongInput):
        replace_player(home, GAME, ONE, Person(name, "x@example.test"), NOW)

    assert {seat: holder(home, seat) for seat in (ONE, TWO)} == before


@pytest.mark.parametrize("where", ["seats", "standby"])
@pytest.mark.parametrize("name", ["White", "seat red", "red, white", "all", "ann", "\u0391nn"])
def test_a_new_game_has_no_player_whose_name_others_write_for_somebody_else(
    tmp_path: Path, name: str, where: str
) -> None:
    home, players = a_home(tmp_path), tmp_path / "players.yaml"
    bob, finn = (name, "Finn") if where == "seats" else ("Bob", name)
    seats = f"  red: {{player: Ann}}\n  white: {{player: '{bob}'}}\n"
    players.write_text(f"seats:\n{seats}standby: [{{player: '{finn}'}}]\n", encoding="utf-8")

    if (name, where) == ("White", "seats"):
        new_game(home, "rose-king", "rose-9", players, {}, now=NOW)  # as the seat is called
        return
    place = "3:19: seats.white.player" if where == "seats" else "4:20: standby.0.player"
    with pytest.raises(WrongInput, match=f"^{players}:{place}: "):
        new_game(home, "rose-king", "rose-9", players, {}, now=NOW)
    assert not home.has("rose-9")
