"""Who has had the seats of a game: players and their tenures, kept level with `game.yaml`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.office.status import status_of
from pbem.host.people.gamewriting import Person
from pbem.host.people.names import rename_player
from pbem.host.people.seats import replace_player
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.tenures import TENURES, PlayerId, Tenure
from pbem.store.records import Note
from tests.homes import top
from tests.hosting.games import GAME, HOUR, MADE, a_club, due, pbem, queued, stay
from tests.mail.test_mending import secrets

ONE, TWO = Seat("1"), Seat("2")


def by_hand(home: Home, before: str, after: str) -> None:
    """Change words of the game's file as its moderator does."""
    path = top(home) / "games" / GAME / "game.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def tenures(home: Home, seat: Seat = ONE) -> tuple[Tenure, ...]:
    return SavedGame(home, GAME).tenures.of(seat)


def names(home: Home, seat: Seat = ONE) -> list[tuple[str, ...]]:
    return [one.names for one in tenures(home, seat)]


def ids(home: Home, seat: Seat = ONE) -> list[PlayerId | None]:
    return [one.player.id if one.player is not None else None for one in tenures(home, seat)]


def noted(home: Home) -> str | None:
    with home.journal() as db:
        return db.note(GAME, TENURES)


def opened(home: Home) -> None:
    """Open the game as any command does that changes it."""
    with home.journal():
        pbem(home, "pause", GAME)
        pbem(home, "resume", GAME)


def a_turn(home: Home, hours: int) -> None:
    number = SavedGame(home, GAME).turn
    stay(home, "1", "2", "3", label=f"turn-{number}")
    pbem(home, "run", GAME, now=MADE + hours * HOUR)
    assert SavedGame(home, GAME).turn == number + 1


def test_a_player_is_never_compared_with_a_name() -> None:
    with pytest.raises(TypeError):
        PlayerId("Ann") == "Ann"  # type: ignore[comparison-overlap]  # noqa: B015
    with pytest.raises(TypeError):
        assert PlayerId("Ann") in ("Ann", "Bob")  # type: ignore[comparison-overlap]
    assert PlayerId("a") == PlayerId("a") != PlayerId("b")


def test_another_name_at_the_same_address_is_the_same_player_with_the_same_secrets(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    opened(home)
    before, (who,) = secrets(home, ONE), ids(home)

    by_hand(home, "Ann,", "Anna Lee,")

    assert ids(home) == [who]
    assert names(home) == [("Ann", "Anna Lee")]
    assert secrets(home, ONE) == before
    assert status_of(home, GAME, MADE).by_hand == ()
    a_turn(home, 1)
    by_hand(home, "Anna Lee,", "Ann,")
    assert names(home) == [("Ann", "Anna Lee", "Ann")]
    assert secrets(home, ONE) == before


def test_another_address_of_the_same_name_is_the_same_player(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    opened(home)
    before = ids(home)

    by_hand(home, "ann@", "anna@")
    opened(home)
    assert ids(home) == before

    by_hand(home, "Ann,", "Anna,")
    assert ids(home) == before, "the new address is known by now"


def test_another_name_and_address_are_another_player_until_a_command_says_otherwise(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    opened(home)
    (who,) = ids(home)
    by_hand(home, "Ann,", "Dora,")
    by_hand(home, "ann@", "dora@")

    found = SavedGame(home, GAME).tenures
    former = found.untold(ONE)
    assert former is not None and former.id == who
    assert found.former(ONE, 1) == former
    assert len(status_of(home, GAME, MADE).by_hand) == 1

    rename_player(home, GAME, ONE, "Dora", MADE)
    assert ids(home) == [who]
    assert names(home) == [("Ann", "Dora")]


def test_a_name_of_before_that_a_command_gives_back_makes_the_change_by_hand_undone(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    by_hand(home, "Ann,", "Dora,")
    assert len(status_of(home, GAME, MADE).by_hand) == 1

    rename_player(home, GAME, ONE, "Ann", MADE)

    assert status_of(home, GAME, MADE).by_hand == ()
    assert names(home) == [("Ann",)]


def test_who_was_written_by_hand_and_is_given_the_seat_has_it_by_a_command(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    opened(home)
    by_hand(home, "Ann,", "Dora,")
    by_hand(home, "ann@", "dora@")
    replace_player(home, GAME, ONE, Person("Dora"), MADE)

    assert [(one.names, one.began) for one in tenures(home)] == [(("Ann",), "taken"), (("Dora",), "command")]


def test_what_a_hand_wrote_and_took_back_before_a_turn_was_run_never_was(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    opened(home)
    before = tenures(home)
    by_hand(home, "Ann,", "Dora,")
    by_hand(home, "ann@", "dora@")
    opened(home)
    assert len(tenures(home)) == 2

    by_hand(home, "Dora,", "Ann,")
    by_hand(home, "dora@", "ann@")
    assert tenures(home) == before


def test_who_shares_an_address_and_is_given_the_seat_by_a_command_is_another(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    replace_player(home, GAME, ONE, Person("Dan", "ann@example.test"), MADE)

    assert names(home) == [("Ann",), ("Dan",)]
    assert len({*ids(home)}) == 2


def test_who_comes_back_is_the_player_who_left(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    replace_player(home, GAME, ONE, Person("Dan", "dan@example.test"), MADE)
    a_turn(home, 1)
    replace_player(home, GAME, ONE, Person("Ann", "ann@example.test"), MADE + HOUR)

    first, second, third = ids(home)
    assert first == third != second
    assert SavedGame(home, GAME).tenures.former(ONE, 0) is None


def test_a_report_is_of_who_had_the_seat_when_it_was_made_also_of_a_turn_that_was_taken_back(
    tmp_path: Path,
) -> None:
    home = a_club(tmp_path)
    a_turn(home, 1)
    pbem(home, "undo", GAME)
    replace_player(home, GAME, ONE, Person("Dan", "dan@example.test"), MADE)
    a_turn(home, 1)
    a_turn(home, 2)

    found = SavedGame(home, GAME).tenures
    for tenure in (found.at(ONE, 1), found.at(ONE, 2, 0)):
        assert tenure.names == ("Ann",)
    for tenure in (found.at(ONE, 2), found.at(ONE, 3)):
        assert tenure.names == ("Dan",)


def test_who_came_after_a_turn_that_is_taken_back_gets_the_one_that_is_run_in_its_place(
    tmp_path: Path,
) -> None:
    home = a_club(tmp_path)
    a_turn(home, 1)
    replace_player(home, GAME, ONE, Person("Dan", "dan@example.test"), MADE)
    pbem(home, "undo", GAME)
    a_turn(home, 1)

    found = SavedGame(home, GAME).tenures
    assert found.at(ONE, 2).names == ("Dan",)
    assert found.at(ONE, 2, 0).names == ("Ann",)


def test_a_standby_is_another_player_than_one_who_had_two_names(tmp_path: Path) -> None:
    standby: Json = [{"player": "Finn", "address": "finn@example.test"}]
    home = a_club(tmp_path, silent="hold", misses={"after": 1, "then": "standby"}, standby=standby)
    rename_player(home, GAME, ONE, "Anna", MADE)
    stay(home, "2", "3")
    due(home, MADE + 200 * HOUR)
    saved = SavedGame(home, GAME)
    assert saved.players.standby(ONE) == "Finn"

    former = saved.tenures.former(ONE, 1)

    assert former is not None and former.name == "Anna"
    opened(home)
    assert names(home) == [("Ann", "Anna"), ("Finn",)]
    pbem(home, "undo", GAME, now=MADE + 200 * HOUR)
    opened(home)
    assert names(home) == [("Ann", "Anna")]


def test_bringing_level_twice_notes_nothing_more(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    opened(home)
    before = noted(home)
    assert before is not None

    opened(home)
    a_turn(home, 1)

    assert noted(home) == before


def test_a_home_without_notes_stays_without(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    a_turn(home, 1)
    by_hand(home, "Ann,", "Dora,")
    a_turn(home, 2)

    assert not home.has_journal
    assert names(home) == [("Ann",), ("Dora",)]


def test_without_the_journal_tenures_are_made_again_of_the_reports(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    a_turn(home, 1)
    replace_player(home, GAME, ONE, Person("Dan", "dan@example.test"), MADE)
    a_turn(home, 2)
    replace_player(home, GAME, TWO, Person("Eve", "eve@example.test"), MADE)
    a_turn(home, 3)

    def seen() -> list[object]:
        found = SavedGame(home, GAME).tenures
        return [(seat, turn, found.at(seat, turn).names) for seat in (ONE, TWO) for turn in range(5)]

    before = seen()
    shutil.rmtree(top(home) / "mail")

    assert seen() == before


def test_an_id_leaves_the_home_neither_by_mail_nor_in_the_archive_nor_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path, by_mail=True)
    opened(home)
    replace_player(home, GAME, ONE, Person("Dan", "dan@example.test"), MADE)
    a_turn(home, 1)
    pbem(home, "send")
    keys = [one.key.encode() for seat in (ONE, TWO) for one in ids(home, seat) if one is not None]
    assert len(keys) == 3
    assert run_command(["archive", str(tmp_path / "pages"), "--home", str(top(home))]) == 0
    capsys.readouterr()
    pbem(home, "status", GAME, "--json")
    run_command(["report", GAME, "1", "--json", "--home", str(top(home))])
    told = [capsys.readouterr().out.encode(), *(mail.raw for mail in queued(home))]
    files = [
        path for folder in (tmp_path / "pages", top(home)) for path in folder.rglob("*") if path.is_file()
    ]
    told += [path.read_bytes() for path in files if not path.name.startswith("mail.db")]

    assert len(told) > 20
    assert not [one for one in told if any(key in one for key in keys)]


def test_names_that_an_older_version_noted_are_those_of_one_player(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    before = secrets(home, ONE)
    rename_player(home, GAME, ONE, "Anna", MADE)
    home.store.note([Note(GAME, TENURES, None), Note(GAME, "names:1", json.dumps(["Ann", "Anna"]))])
    a_turn(home, 1)

    assert names(home) == [("Ann", "Anna")]
    assert secrets(home, ONE) == before
