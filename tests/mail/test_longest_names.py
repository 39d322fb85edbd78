"""Every name at its longest, from invitation to digest: each mail can be sent, and each bounce is known."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.mail.account.addresses import in_an_id, report_id
from pbem.mail.account.settings import LONGEST_DOMAIN, mail_settings
from pbem.mail.conversation.pressmail import sender_of
from pbem.mail.conversation.replies import message_id_of
from pbem.store.mailout import Queued
from pbem.text.mail.compose import Outgoing, compose
from pbem.text.names import is_plain_address
from tests.homes import a_game, a_home
from tests.mail.homes import write_settings

GAME = "the-longest-name-2026"
DOMAIN = "a" * 48 + "." + "b" * 46 + ".test"
SEATS = {
    "plain": ("red", "white"),
    "long": ("x" * 40, "y" * 40),
    "other letters": ("Å" * 40, "\U0001f451" * 40),
    "odd": ("New York, N.Y. <x@y>"[:40].replace(" ", "_"), '"; =?utf-8?q?' + "z" * 20),
}
HOSTS = ("host", "mary.pbem", "h" * 19, "h" * 36)
PLAYERS = {"red": "Ö" * 60, "white": '"Dr." \\ <b@c>: =?x?= ' + "P" * 38}
ID = "t1.abcdefghijklm234.white@pbem.test"
MARY = "m" * 64 + "@" + DOMAIN


def is_well_formed(mail: Queued) -> EmailMessage:
    """Look at every header of a mail as it goes out, and return it read."""
    head = mail.raw.partition(b"\r\n\r\n")[0]
    assert head.isascii()
    assert max(map(len, head.split(b"\r\n"))) <= 998
    read = email.message_from_bytes(mail.raw, policy=email.policy.default)
    assert isinstance(read, EmailMessage)
    assert not [defect for part in read.walk() for defect in part.defects]
    for name in ("From", "To", "Reply-To"):
        for one in read[name].addresses if name in read else ():
            assert is_plain_address(one.addr_spec), one
    for address in filter(None, (mail.envelope_from, mail.rcpt)):
        assert is_plain_address(address), address
        assert len(address.rpartition("@")[0]) <= 64
    for text in (str(read["Message-ID"]), *str(read.get("References", "")).split()):
        assert len(text) <= 250, text
    assert len(str(read["Subject"])) <= 300
    assert all(len(part.get_filename() or "") <= 80 for part in read.walk())
    return read


@pytest.mark.parametrize("seat", [name for pair in SEATS.values() for name in pair])
def test_a_message_id_is_bounded_at_turn_9999_and_tells_seats_apart(tmp_path: Path, seat: str) -> None:
    home = a_home(tmp_path)
    write_settings(home, address=f"{'h' * 36}@{'d' * 50}.{'e' * 44}.test")
    settings = mail_settings(home)
    assert len(settings.domain) == LONGEST_DOMAIN
    saved = a_game(home, GAME)
    names = (
        f"press-{seat}.t9999.abcdefghijklm234.{seat}",
        f"in99999999.{seat}",
        f"unproven-signature.20261231.0a1b2c3d.{seat}",
        f"join-abcdefghijklm234.20261231.{seat}",
    )
    made = [message_id_of(saved, name, settings.domain) for name in names]
    made += [
        report_id(settings, GAME, 9999, seat, kind, 99)
        for kind in ("report", "invitation-again-for-20261231T235959")
    ]

    for one in made:
        assert len(one) <= 250, one
        mail = Outgoing("report", "", "a@b", "c@d", "x", one, "Sat, 21 Nov 2026 20:00:00 +0000", "x\n")
        assert f"Message-ID: {one}\r\n".encode() in compose(mail)
    assert in_an_id(seat) != in_an_id(seat[:-1] + "q")


def test_the_ids_of_usual_names_are_as_they_were(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    write_settings(home)
    saved = a_game(home)

    assert (
        report_id(mail_settings(home), "web-1", 12, "7", "report", 0) == "<web-1.t12.7.report.r0@pbem.test>"
    )
    assert message_id_of(saved, "in12.New York", "pbem.test") == "<rose-1.in12.New=20York@pbem.test>"
    long = message_id_of(saved, f"press-{'Å' * 40}.t1.abcdefghijklm234.white", "pbem.test")
    assert long.startswith("<rose-1.=")
    assert sender_of(
        saved, "pbem.test", ["<rose-1.press-red.t1.abcdefghijklm234.white@pbem.test>"], Seat("white")
    )
