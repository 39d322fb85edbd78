"""A test mail goes to the host itself and back; how long it took is told, or where it was lost."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.cli.moderation.mailed import MailedCommands
from pbem.doctor.patient import Patient
from pbem.doctor.roundtrip import RoundTrip, Waiting, send_and_await
from pbem.mail.account.settings import mail_settings
from tests.doctor.ward import Ward, a_ward
from tests.facts import each_tells, tells
from tests.homes import NOW

SECOND = datetime.timedelta(seconds=1)


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    with a_ward(tmp_path) as found:
        yield found


@dataclass
class Way:
    """What lies between the server that takes the mail and the Maildir where it comes in.

    Attributes:
        ward: The home.
        delay: How often nothing has come.
        changed: What a mail is made of on its way.
    """

    ward: Ward
    delay: int = 1
    changed: Callable[[bytes], bytes] = lambda raw: raw
    now: datetime.datetime = NOW
    said: list[str] = field(default_factory=list)

    def pause(self) -> None:
        """Let a second pass, after which a mail may have come."""
        self.now += SECOND
        self.delay -= 1
        if self.delay == 0:
            mail = self.ward.sink.mails[-1]
            told = f"Delivered-To: {mail.recipient}\r\nReceived: from a by b; {self._date()}\r\n"
            raw = self.changed(told.encode() + mail.raw)
            (self.ward.top.parent / "mail" / "host" / "new" / "1.x").write_bytes(raw)

    def _date(self) -> str:
        return self.now.strftime("%a, %d %b %Y %H:%M:%S +0000")

    def goes(self) -> RoundTrip:
        home = self.ward.home
        patient = Patient(home, str(self.ward.top), NOW)
        how = Waiting(lambda: self.now, self.pause, 10 * SECOND, self.said.append, MailedCommands())
        return send_and_await(patient, mail_settings(home), how)


def test_a_mail_that_comes_back_is_timed_and_leaves_nothing_to_be_done(ward: Ward) -> None:
    trip = Way(ward, delay=4).goes()

    assert (trip.seconds, trip.findings, trip.facts) == (4.0, (), ())
    assert re.fullmatch(r"host\+pbem-doctor\.[0-9a-f]{16}@pbem\.test", ward.sink.mails[-1].recipient)
    with ward.home.journal() as db:
        assert (db.unread(), db.intake(1).verdict) == (0, "dropped")
        assert [one.kind for one in db.outbox("queued")] == []


def test_a_mail_that_somebody_else_takes_in_is_found_too(ward: Ward) -> None:
    way = Way(ward)
    pause = way.pause

    def paused() -> None:
        pause()
        assert ward.typed("receive")[0] == 0

    way.pause = paused  # type: ignore[method-assign]

    assert way.goes().seconds == 1.0


def test_a_mail_that_does_not_come_back_is_told_with_where_to_look(ward: Ward) -> None:
    trip = Way(ward, delay=99).goes()

    assert trip.seconds is None
    (found,) = trip.findings
    assert tells(found.text, "host@pbem.test", "10")


def test_what_is_lost_behind_the_plus_sign_is_told(ward: Ward) -> None:
    def bare(raw: bytes) -> bytes:
        return re.sub(rb"\+pbem-doctor\.[0-9a-f]{16}@pbem\.test", b"@pbem.test", raw, count=1).replace(
            b"To: host+", b"To: x+"
        )

    trip = Way(ward, changed=bare).goes()

    assert trip.seconds == 1.0
    (_found,) = trip.findings


def test_a_clock_that_differs_from_the_servers_is_told(ward: Ward) -> None:
    def earlier(raw: bytes) -> bytes:
        return raw.replace(b"21 Nov 2026 20:00", b"21 Nov 2026 19:10", 1)

    (found,) = Way(ward, changed=earlier).goes().findings

    assert found.part == "clock"
    assert tells(found.text, "2026-11-21T20:00+00:00", "2026-11-21T19:10")


def test_what_the_way_did_to_a_mail_is_told(ward: Ward) -> None:
    ward.write_settings(authserv="mx.pbem.test")
    added = (
        b"DKIM-Signature: v=1; a=rsa-sha256; d=pbem.test; s=pbem; b=x\r\n"
        b"Authentication-Results: mx.pbem.test; dkim=pass; spf=pass\r\n"
        b"Authentication-Results: mx.liar.test; dkim=fail\r\n"
    )

    trip = Way(ward, changed=lambda raw: added + raw).goes()

    assert each_tells(trip.facts, ("(DKIM)", "pbem.test"), ("mx.pbem.test", "dkim=pass", "spf=pass"))


def test_without_mail_no_test_mail_is_sent(ward: Ward, capsys: pytest.CaptureFixture[str]) -> None:
    ward.file("home.yaml").write_text("moderator: Mary\n", encoding="utf-8")

    assert run_command(["doctor", "--mail", "--home", str(ward.top)]) == 1

    assert tells(capsys.readouterr().out)
    assert run_command(["doctor", "--mail", "--now", NOW.isoformat(), "--home", str(ward.top)]) == 2
