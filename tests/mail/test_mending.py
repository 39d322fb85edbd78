"""A seat is mended: a wrong address, a secret that others saw; and what a host is told of a seat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.office.status import facts_of_seat
from pbem.mail.account.addresses import token_of
from pbem.mail.outgoing.seatrepair import SeatRepair, mend_seat
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.homes import game_folder, orders_path, send
from tests.hosting.games import GAME, HOUR, MADE, a_club, pbem, queued

ONE, TWO = Seat("1"), Seat("2")
NOW = MADE + 3 * HOUR
STAY: Json = {"at": "turn-1", "do": {"move": "stay"}}


def a_failing_club(tmp_path: Path) -> Home:
    """Return a club whose mails to seat 1 are at a wrong address: its report and a notice failed."""
    home = a_club(tmp_path, by_mail=True, gate={"disk": 0}, key=True)
    assert pbem(home, "announce", GAME, "Welcome, all.") == 0
    assert pbem(home, "send") == 0
    for mail in queued(home):
        if mail.seat == ONE:
            with home.journal() as db:
                db.mark(mail.id, "failed", MADE + HOUR, why="550 no such user")
    return home


def secrets(home: Home, seat: Seat) -> tuple[str, str]:
    saved = SavedGame(home, GAME)
    with home.journal() as db:
        return saved.players.key(seat), token_of(saved, seat, db)


def test_what_had_failed_goes_to_the_new_address_with_a_new_secret_in_it(tmp_path: Path) -> None:
    home = a_failing_club(tmp_path)
    old, other = secrets(home, ONE), secrets(home, TWO)
    assert {mail.kind for mail in queued(home) if mail.state == "failed"} == {"report", "notice"}

    done = mend_seat(home, GAME, ONE, NOW, "anna@example.test")

    new = secrets(home, ONE)
    assert done == SeatRepair("Ann", "anna@example.test", new[0])
    assert not set(old) & set(new)
    assert secrets(home, TWO) == other
    waiting = [mail for mail in queued(home) if mail.state == "queued"]
    assert {mail.rcpt for mail in waiting} == {"anna@example.test"}
    assert [mail.kind for mail in waiting] == ["notice", "notice", "report"]
    for mail in waiting:
        assert new[1].encode() in mail.raw
        assert old[1].encode() not in mail.raw
        assert b"<ann@example.test>" not in mail.raw
    with home.journal() as db:
        db.requeue_failed()
    assert [mail for mail in queued(home) if mail.state == "queued" and mail.rcpt == "ann@example.test"] == []
    assert "address: anna@example.test" in (game_folder(home, GAME) / "game.yaml").read_text("utf-8")


def test_the_command_shows_a_seat_and_never_its_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_failing_club(tmp_path)
    send(home, GAME, "1", [STAY], key=secrets(home, ONE)[0])
    file = orders_path(home, GAME, ONE)
    file.write_text(f"{file.read_text(encoding='utf-8')}  # EXAMPLE of the form\n", encoding="utf-8")

    capsys.readouterr()
    assert pbem(home, "seat", GAME, "1") == 0

    told = capsys.readouterr().out
    lodged = told[told.index("\ngame: ") :]
    assert yaml.safe_load(lodged)["orders"] == [STAY], "what the player wrote, but for the key"
    assert "#" not in lodged
    assert pbem(home, "seat", GAME, "1", "--json") == 0
    assert yaml.safe_load(json.loads(capsys.readouterr().out)["lodged"]) == yaml.safe_load(lodged)
    assert pbem(home, "seat", GAME, "2", "--json") == 0
    other = json.loads(capsys.readouterr().out)
    assert (other["sent"], other["lodged"]) == (facts_of_seat(home, GAME, TWO).sent, "")
    assert other["sent"] > 0
    for seat in (ONE, TWO):
        assert not any(secret in told + json.dumps(other) for secret in secrets(home, seat))


def test_two_new_secrets_before_mails_go_out_are_one_mail_and_one_report(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, key=True)
    before, old = len(queued(home)), secrets(home, ONE)

    first = mend_seat(home, GAME, ONE, NOW)
    second = mend_seat(home, GAME, ONE, NOW + HOUR)

    assert first.address == second.address == "ann@example.test"
    assert len({old[0], first.key, second.key}) == 3
    mails = queued(home)[before:]
    assert [mail.kind for mail in mails] == ["notice", "report"]
    assert all(secrets(home, ONE)[1].encode() in mail.raw for mail in mails)


def test_an_address_that_is_mended_twice_is_told_once(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    assert pbem(home, "send") == 0
    mend_seat(home, GAME, ONE, NOW, "wrong@example.test")
    for mail in queued(home):
        if mail.rcpt == "wrong@example.test":
            with home.journal() as db:
                db.mark(mail.id, "bounced", NOW, why="550 no such user")

    mend_seat(home, GAME, ONE, NOW + HOUR, "anna@example.test")

    mails = [mail for mail in queued(home) if mail.rcpt == "anna@example.test" and mail.state == "queued"]
    assert [mail.kind for mail in mails] == ["notice", "report"]
    assert secrets(home, ONE)[1].encode() in mails[0].raw
