"""Sign-up by mail: nobody gets a seat, or mail, in another's name."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.mail.conversation import signup
from pbem.mail.conversation.signup import PAUSE
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.facts import tells
from tests.homes import a_game, a_home
from tests.mail.homes import write_settings
from tests.mail.host import Host, read, text_of

CLEO, EVE = "cleo@example.test", "eve@elsewhere.test"
MARY = "mary@example.test"
JOIN = "host+web-1-join@pbem.test"
OPEN = "seats:\n  '1': {player: Ann, address: ann@example.test}\n  '2': {}\n  '3': {}\nopen: true\n"


def open_host(path: Path, table: str = OPEN, **mail: Json) -> Host:
    home: Home = a_home(path)
    write_settings(home, **mail)
    a_game(home, "web-1", rules="web-of-intrigue", table=table, deal=False)
    return Host(home)


def players(host: Host) -> dict[Seat, str]:
    return dict(SavedGame(host.home, "web-1").table.addresses)


def ask(host: Host, text: str = "I would like to play.", sender: str = CLEO) -> str:
    return host.gets(host.a_mail(text, sender=sender, subject="Join"), JOIN, sender).verdict


def confirm(host: Host, text: str = "Yes.", sender: str = CLEO) -> str:
    mail = read(next(row.raw for row in host.outbox("notice") if row.rcpt == sender))
    return host.gets(host.a_mail(text, sender=sender), str(mail["Reply-To"]), sender).verdict


def test_a_victim_of_forged_sign_ups_is_written_to_once_a_day_by_a_game_and_thrice_in_all(
    tmp_path: Path,
) -> None:
    host = open_host(tmp_path)
    for number in range(3):
        ask(host, f"again {number}", EVE)
    assert [row.rcpt for row in host.outbox()] == [EVE]

    for game in ("web-2", "web-3", "web-4", "web-5"):
        a_game(host.home, game, rules="web-of-intrigue", table=OPEN, deal=False)
        host.gets(host.a_mail("Me too", sender=EVE), JOIN.replace("web-1", game), EVE)

    assert [row.game for row in host.outbox()] == ["web-1", "web-2", "web-3"]


def flood(host: Host, number: int, domain: str = "elsewhere.test") -> None:
    for one in range(number):
        ask(host, sender=f"victim{one}@{domain}")


def asked(host: Host, *, later: bool) -> list[str]:
    """Return who is asked to confirm: at once, or later, the next one first."""
    found = [row for row in host.outbox("notice") if row.rcpt != MARY and bool(row.next_try) is later]
    return [row.rcpt for row in sorted(found, key=lambda row: row.next_try)]


def test_many_forged_sign_ups_slow_their_own_domain_and_nobody_else(tmp_path: Path) -> None:
    host = open_host(tmp_path, moderator=MARY)
    flood(host, 25)

    assert ask(host, sender=CLEO) == "asked"

    assert asked(host, later=False) == [f"victim{n}@elsewhere.test" for n in range(20)] + [CLEO]
    assert len(asked(host, later=True)) == 5
    assert confirm(host) == "joined"


def test_somebody_of_a_flooded_domain_is_answered_before_the_forged_ones_that_came_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signup, "MOST_WAITING", 10)
    host = open_host(tmp_path, moderator=MARY)
    flood(host, 40)

    ask(host, sender=EVE)

    assert asked(host, later=True)[0] == EVE
    (row,) = [row for row in host.outbox("notice") if row.rcpt == EVE]
    assert datetime.datetime.fromisoformat(row.next_try) <= host.now + PAUSE
    assert len(asked(host, later=True)) == 10
    assert confirm(host, sender=EVE) == "joined"


def test_the_moderator_is_told_of_a_flood_once_a_day(tmp_path: Path) -> None:
    host = open_host(tmp_path, moderator=MARY)
    flood(host, 20)
    assert [row for row in host.outbox() if row.rcpt == MARY] == []

    flood(host, 30)

    (told,) = [read(row.raw) for row in host.outbox() if row.rcpt == MARY]
    assert told["X-PBEM-Kind"] == "joins-slowed"
    assert tells(" ".join(text_of(told).split()), "20", "elsewhere.test")
    with host.home.journal() as db:
        assert [act.act for act in db.acts("web-1")] == ["joins slowed"]
