"""Press to the moderator that no mail brings there waits as press in a file does, until it was put aside."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pbem.core.interface import Json
from pbem.host.notices.digest import digest
from pbem.host.office.status import status_of
from pbem.text.strictyaml import dump
from tests.homes import NOW, orders_text
from tests.hosting.games import pbem
from tests.mail.host import N2, Host, a_host

GAME: Final = "rose-1"
WISH: Final = "May I go on holiday?"
MODERATOR: Final = "mary@example.test"
TO: Final[tuple[Json, ...]] = ("moderator", ["moderator"], ["white", "moderator"])


def waiting(host: Host) -> list[str]:
    """Return the names of what waits for the moderator, as the status shows it."""
    return [one.rpartition(" ")[2] for one in status_of(host.home, GAME, NOW).to_answer]


def put_aside(host: Host) -> None:
    for name in waiting(host):
        pbem(host.home, "answer", name, "--aside")


def sent(host: Host, how: str, to: Json, *, anonymous: bool = False) -> str:
    """Send press as a player would, and return the verdict."""
    press: Json = {"to": to, "say": WISH, **({"anonymous": True} if anonymous else {})}
    if how == "address":
        readers = to if isinstance(to, str) else ", ".join(map(str, to if isinstance(to, list) else ()))
        signed = "anonymous: true\n" if anonymous else ""
        text, address = f"to: {readers}\n{signed}\n{WISH}", host.press_address()
    elif how == "alone":
        text, address = dump({"game": GAME, "seat": "red", "press": [press]}), host.address()
    else:
        text, address = orders_text(GAME, "red", N2, press=[press]), host.address()
    return host.gets(host.a_mail(text), address).verdict


@pytest.mark.parametrize("anonymous", [False, True])
@pytest.mark.parametrize("to", TO)
@pytest.mark.parametrize("how", ["orders", "alone", "address"])
def test_press_by_mail_waits_where_the_home_names_no_moderator(
    tmp_path: Path, how: str, to: Json, anonymous: bool
) -> None:
    host = a_host(tmp_path, "press: {anonymous: true}\n")

    assert sent(host, how, to, anonymous=anonymous) in ("lodged", "press")

    assert len(waiting(host)) == 1
    with host.home.journal() as db:
        assert any(WISH in one for one in digest(host.home, db, (), [GAME]).asked)
    put_aside(host)
    assert waiting(host) == []


@pytest.mark.parametrize("moderator", ["", MODERATOR])
@pytest.mark.parametrize("how", ["orders", "alone"])
def test_press_in_one_of_too_many_mails_waits(tmp_path: Path, how: str, moderator: str) -> None:
    host = a_host(tmp_path, receipts_per_hour=1, **({"moderator": moderator} if moderator else {}))
    for _ in range(2):
        host.gets(host.a_mail(orders_text(GAME, "red", N2)), host.address())

    assert sent(host, how, "moderator") in ("lodged", "press")

    assert len(waiting(host)) == 1


def test_of_too_many_that_wait_press_waits_all_the_same(tmp_path: Path) -> None:
    host = a_host(tmp_path, receipts_per_hour=100)
    for number in range(20):
        host.gets(host.a_mail(f"to: moderator\n\nWhat about {number}?"), host.address())

    assert sent(host, "address", "moderator") == "press"

    assert len(waiting(host)) == 21


@pytest.mark.parametrize("how", ["orders", "alone", "address"])
def test_press_that_a_mail_brings_to_the_moderator_comes_once(tmp_path: Path, how: str) -> None:
    host = a_host(tmp_path, moderator=MODERATOR)

    sent(host, how, ["white", "moderator"])

    assert waiting(host) == []
    assert [row.rcpt for row in host.outbox("notice")] == [MODERATOR]
