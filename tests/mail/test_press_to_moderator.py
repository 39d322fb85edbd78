"""Press to the moderator that no mail brings there waits as press in a file does, until it was put aside."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pbem.core.interface import Json
from pbem.host.office.status import status_of
from pbem.text.strictyaml import dump
from tests.homes import NOW, orders_text
from tests.mail.host import N2, Host, a_host

GAME: Final = "rose-1"
WISH: Final = "May I go on holiday?"
MODERATOR: Final = "mary@example.test"


def waiting(host: Host) -> list[str]:
    """Return the names of what waits for the moderator, as the status shows it."""
    return [one.rpartition(" ")[2] for one in status_of(host.home, GAME, NOW).to_answer]


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


@pytest.mark.parametrize("how", ["orders", "alone", "address"])
def test_press_that_a_mail_brings_to_the_moderator_comes_once(tmp_path: Path, how: str) -> None:
    host = a_host(tmp_path, moderator=MODERATOR)

    sent(host, how, ["white", "moderator"])

    assert waiting(host) == []
    assert [row.rcpt for row in host.outbox("notice")] == [MODERATOR]
