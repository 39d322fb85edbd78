"""Who has had the seats of a game: players and their tenures, kept level with `game.yaml`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import newest_report_telling
from pbem.host.office.status import status_of
from pbem.host.people.names import rename_player
from pbem.host.people.seatorders import seat_orders
from pbem.host.people.seats import replace_player
from pbem.host.run.notes import SENT, note
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.tenures import TENURES, PlayerId
from tests.homes import top
from tests.hosting.games import GAME, HOUR, MADE, a_club, due, noted, pbem, queued, stay
from tests.mail.test_mending import secrets
from tests.written import yaml_beside

ONE, TWO = Seat("1"), Seat("2")


def does(home: Home, done: str) -> None:
    """Do one thing: a command about seat 1, a change of the game's file by hand, or a turn."""
    word, _, who = done.partition(" ")
    number = SavedGame(home, GAME).turn
    if word == "opened":  # by any command that changes it
        with home.journal():
            pbem(home, "pause", GAME)
            pbem(home, "resume", GAME)
    elif word == "turn":
        stay(home, "1", "2", "3", label=f"turn-{number}")
        assert pbem(home, "run", GAME, now=MADE + number * HOUR) == 0
    elif word == "undo":
        assert pbem(home, "undo", GAME, now=MADE + number * HOUR) == 0
    elif word == "renamed":
        rename_player(home, GAME, ONE, who, MADE)
    elif word == "given":
        replace_player(home, GAME, ONE, Person(*who.split()), MADE)
    else:
        before, after = word.split(">")
        path = top(home) / "games" / GAME / "game.yaml"
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")


def a_home_after(path: Path, *done: str, by_mail: bool = False) -> Home:
    """Return a club in which something was done."""
    home = a_club(path, by_mail=by_mail)
    for one in done:
        does(home, one)
    return home


def names(home: Home, seat: Seat = ONE) -> list[tuple[str, ...]]:
    return [one.names for one in SavedGame(home, GAME).tenures.of(seat)]


def ids(home: Home, seat: Seat = ONE) -> list[PlayerId | None]:
    found = SavedGame(home, GAME).tenures.of(seat)
    return [one.player.id if one.player is not None else None for one in found]


def with_a_standby(path: Path, opened: str = "") -> Home:
    """Return a club in whose newest turn Finn took the seat of Ann, who had missed one."""
    standby: Json = [{"player": "Finn", "address": "finn@example.test"}]
    home = a_club(path, silent="hold", misses={"after": 1, "then": "standby"}, standby=standby)
    if opened:
        does(home, opened)
    stay(home, "2", "3")
    due(home, MADE + 200 * HOUR)
    return home


DAN: Final = "given Dan dan@example.test"
TABLES: Final = yaml_beside(__file__, "tenures.yaml")


@pytest.mark.parametrize("row", TABLES["histories"].values(), ids=TABLES["histories"])
def test_who_has_had_a_seat_is_known_by_name_address_and_commands(
    tmp_path: Path, row: dict[str, Any]
) -> None:
    home = a_home_after(tmp_path, *row["done"])

    found = ids(home)
    assert names(home) == [tuple(one.split(", ")) for one in row["names"]]
    assert "".join("ab"[[*dict.fromkeys(found)].index(one)] for one in found) == row["players"]
    assert len(status_of(home, GAME, MADE).by_hand) == row["by_hand"]
    assert (SavedGame(home, GAME).tenures.untold(ONE) != "") is bool(row["by_hand"])


def test_another_name_at_the_same_address_is_the_same_player_with_the_same_secrets(tmp_path: Path) -> None:
    home = a_home_after(tmp_path, "opened", by_mail=True)
    before, (who,) = secrets(home, ONE), ids(home)

    does(home, "Ann,>Anna-Lee,")

    assert ids(home) == [who]
    assert names(home) == [("Ann", "Anna-Lee")]
    assert secrets(home, ONE) == before
    assert status_of(home, GAME, MADE).by_hand == ()
    does(home, "turn")
    does(home, "Anna-Lee,>Ann,")
    assert names(home) == [("Ann", "Anna-Lee", "Ann")]
    assert secrets(home, ONE) == before


def test_a_player_is_never_compared_with_a_name() -> None:
    with pytest.raises(TypeError):
        PlayerId("Ann") == "Ann"  # type: ignore[comparison-overlap]  # noqa: B015
    with pytest.raises(TypeError):
        assert PlayerId("Ann") in ("Ann", "Bob")  # type: ignore[comparison-overlap]
    assert PlayerId("a") == PlayerId("a") != PlayerId("b")


def rows_about_players(home: Home) -> tuple[list[str], list[tuple[str, str]]]:
    """Return whom the journal means as senders of orders that stand, and as readers of what is to be told."""
    with home.journal() as db:
        senders = [json.loads(value)[0] for value in db.notes(GAME, SENT).values()]
        return senders, [(one.seat, one.reader) for _, one in db.untold() if one.is_theirs]


def test_rows_of_the_journal_mean_players_by_their_ids(tmp_path: Path) -> None:
    home = a_home_after(tmp_path, by_mail=True)
    stay(home, "1")
    (ann,) = ids(home)
    does(home, DAN)
    with home.journal() as db:
        db.write(newest_report_telling(SavedGame(home, GAME), MADE, TWO, "again"))

    senders, readers = rows_about_players(home)

    assert ann is not None and senders == [ann.key]
    keys = {str(seat): one.key for seat in (ONE, TWO) for one in ids(home, seat) if one is not None}
    assert {*readers} == {*keys.items()}


def test_names_in_rows_of_an_older_version_still_mean_who_had_them(tmp_path: Path) -> None:
    home = a_home_after(tmp_path, by_mail=True)
    stay(home, "1")
    does(home, DAN)
    with home.journal() as db:
        sender, sha, name = json.loads(db.notes(GAME, SENT)[f"{SENT}1"])
        db.write([note(GAME, f"{SENT}1", [name, sha])])
        db.write(newest_report_telling(SavedGame(home, GAME), MADE, TWO, "again"))
        db.run("UPDATE tellings SET reader = 'Bob' WHERE seat = '2'")
        db.run("UPDATE tellings SET reader = 'Ann' WHERE seat = '1'")
    rename_player(home, GAME, TWO, "Bert", MADE)

    saved = SavedGame(home, GAME)
    assert seat_orders(saved, noted(home))[ONE].sender == name == "Ann"
    told = {(one.seat, one.kind) for one in queued(home)}
    assert ("2", "report") in told and ("1", "report") not in told
    assert sender == (who.key if (who := ids(home)[0]) is not None else "")


def test_a_report_is_of_who_had_the_seat_when_it_was_made_also_of_a_turn_that_was_taken_back(
    tmp_path: Path,
) -> None:
    found = SavedGame(a_home_after(tmp_path, "turn", DAN, "undo", "turn", "turn"), GAME).tenures

    assert [found.at(ONE, turn).names for turn in (1, 2, 3)] == [("Ann",), ("Dan",), ("Dan",)]
    assert found.at(ONE, 2, 0).names == ("Ann",)
    assert found.former(ONE, 2) is None


def test_a_standby_is_another_player_than_one_who_had_two_names(tmp_path: Path) -> None:
    home = with_a_standby(tmp_path, "renamed Anna")
    saved = SavedGame(home, GAME)
    assert saved.players.standby(ONE) == "Finn"

    former = saved.tenures.former(ONE, 1)

    assert former is not None and former.name == "Anna"
    does(home, "opened")
    assert names(home) == [("Ann", "Anna"), ("Finn",)]
    pbem(home, "undo", GAME, now=MADE + 200 * HOUR)
    does(home, "opened")
    assert names(home) == [("Ann", "Anna")]


@pytest.mark.parametrize("row", TABLES["standby"], ids=lambda row: str(row["done"]))
def test_a_standby_has_a_seat_until_somebody_is_given_it(tmp_path: Path, row: dict[str, Any]) -> None:
    home = with_a_standby(tmp_path, "opened")

    for one in row["done"]:
        does(home, one)

    assert names(home) == [tuple(one.split(", ")) for one in row["names"]]
    assert SavedGame(home, GAME).players.holder(ONE) == row["holder"]


def test_a_seat_that_a_standby_had_stays_given_back_where_the_journal_is_lost(tmp_path: Path) -> None:
    home = with_a_standby(tmp_path)
    found = [SavedGame(home, GAME).players.holder(ONE)]
    does(home, "given Ann ann@example.test")
    does(home, "turn")

    shutil.rmtree(top(home) / "mail")

    assert [*found, SavedGame(home, GAME).players.holder(ONE)] == ["Finn", "Ann"]


def test_bringing_level_twice_notes_nothing_more(tmp_path: Path) -> None:
    home = a_home_after(tmp_path, "opened")
    with home.journal() as db:
        before = db.note(GAME, TENURES)

    for one in ("opened", "turn"):
        does(home, one)

    with home.journal() as db:
        assert db.note(GAME, TENURES) == before is not None


def test_a_home_without_notes_stays_without(tmp_path: Path) -> None:
    home = a_home_after(tmp_path, "turn", "Ann,>Dora,", "turn")

    assert not home.has_journal
    assert names(home) == [("Ann",), ("Dora",)]


def test_without_the_journal_tenures_are_made_again_of_the_reports(tmp_path: Path) -> None:
    home = a_home_after(tmp_path, "turn", DAN, "turn")
    replace_player(home, GAME, TWO, Person("Eve", "eve@example.test"), MADE)
    does(home, "turn")

    def seen() -> list[object]:
        found = SavedGame(home, GAME).tenures
        return [(seat, turn, found.at(seat, turn).names) for seat in (ONE, TWO) for turn in range(5)]

    before = seen()
    shutil.rmtree(top(home) / "mail")

    assert seen() == before


def test_an_id_leaves_the_home_neither_by_mail_nor_in_the_archive_nor_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home_after(tmp_path, "opened", DAN, "turn", by_mail=True)
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
