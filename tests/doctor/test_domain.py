"""What keeps mail from coming in or being believed: the domain, the mailbox, and the way of a test mail."""

from __future__ import annotations

import datetime
import re
import ssl
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.cli.moderation.mailed import MailedCommands
from pbem.core.interface import Json
from pbem.doctor.patient import Patient
from pbem.doctor.roundtrip import RoundTrip, Waiting, send_and_await
from pbem.mail.account.settings import mail_settings
from pbem.mail.account.tokens import keep_token, next_token
from tests.doctor.ward import Found, Ward
from tests.facts import each_tells, tells
from tests.homes import NOW
from tests.mail.sink import a_sink
from tests.mail.stack import CERTIFICATE

SPF = ("pbem.test", "TXT")


FAULTS: dict[str, tuple[Any, ...]] = {
    "no server takes mail": ({("pbem.test", "MX"): []}, "pbem.test. MX 10 MACHINE.pbem.test."),
    "no mail is taken": ({("pbem.test", "MX"): ["0 ."]}, "pbem.test. MX 10 MACHINE.pbem.test."),
    "a server without an address": (
        {("pbem.test", "MX"): ["10 mx.pbem.test.", "5 old.pbem.test."]},
        "old.pbem.test. A THE.IP.OF.IT",
    ),
    "no SPF": ({SPF: ['"hello"']}, 'pbem.test. TXT "v=spf1 mx -all"'),
    "two SPF": ({SPF: ['"v=spf1 mx -all"', '"v=spf1 a -all"']}, "pbem.test", "v=spf1 a -all; v=spf1 mx -all"),
    "SPF for anybody": ({SPF: ['"v=spf1 +all"']}, 'pbem.test. TXT "v=spf1 mx -all"'),
    "no DMARC": ({("_dmarc.pbem.test", "TXT"): []}, '_dmarc.pbem.test. TXT "v=DMARC1; p=none"'),
    "something else where DMARC should be": (
        {("_dmarc.pbem.test", "TXT"): ['"v=spf1 -all"']},
        '_dmarc.pbem.test. TXT "v=DMARC1; p=none"',
    ),
    "no DKIM": ({("pbem._domainkey.pbem.test", "TXT"): []}, "opendkim-genkey -d pbem.test -s pbem"),
    "no name": ({("7.2.0.192.in-addr.arpa", "PTR"): []}, "192.0.2.7 mx.pbem.test (PTR)"),
    "another's name": ({("7.2.0.192.in-addr.arpa", "PTR"): ["dsl7.net.test."]}, "192.0.2.7 mx.pbem.test"),
}
"""By what is wrong: the records that are otherwise, and what mends it."""


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_with_a_domain_is_found_and_the_record_that_mends_it_is_said(
    ward: Ward, fault: tuple[Any, ...]
) -> None:
    changed, *mend = fault
    sound = dict(ward.zone.records)
    ward.zone.records = {key: value for key, value in {**sound, **changed}.items() if value}

    found = ward.found()

    assert [one.part for one in found] == ["DNS"]
    assert tells(found[0].mend, *mend)
    ward.zone.records = sound
    assert ward.found() == []


def test_a_policy_of_the_domain_above_counts(ward: Ward) -> None:
    ward.write_settings(address="host@games.pbem.test")
    here = {"pbem.test": "games.pbem.test", "pbem._domainkey.pbem.test": "pbem._domainkey.games.pbem.test"}
    ward.zone.records.update(
        {(here[name], kind): value for (name, kind), value in ward.zone.records.items() if name in here}
    )

    assert ward.found() == []


def test_a_domain_with_an_address_and_no_mx_takes_mail_itself(ward: Ward) -> None:
    del ward.zone.records["pbem.test", "MX"]
    ward.zone.records["pbem.test", "A"] = ["192.0.2.7"]

    assert ward.found() == []


def test_a_name_server_that_is_silent_is_told(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.doctor.domain.SECONDS", 0.2)
    ward.zone.is_silent = True

    (found,) = ward.found()

    assert tells(found.text, "pbem.test")


@pytest.mark.parametrize("server", ["ns.example.org", "127.0.0.1:x", "127.0.0.1:99999"])
def test_what_is_no_name_server_is_refused(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["doctor", "--dns", server]) == 2
    assert tells(capsys.readouterr().err)


OAUTH: dict[str, Json] = {"provider": "microsoft", "client_id": "11-22"}
TOKEN: dict[str, Json] = {"access_token": "at", "refresh_token": "rt", "expires_in": 3600}


@pytest.fixture
def mailbox(ward: Ward) -> Ward:
    """Return a home whose mailbox is logged in to with OAuth 2."""
    ward.write_settings(oauth=OAUTH)
    return ward


def log_in(mailbox: Ward, **more: Json) -> None:
    oauth = mail_settings(mailbox.home).oauth
    assert oauth is not None
    answer = {name: value for name, value in (TOKEN | more).items() if value is not None}
    keep_token(oauth, next_token(None, answer, oauth.client_id, mailbox.now.timestamp()))


def the_one(mailbox: Ward) -> Found:
    (found,) = mailbox.found()
    return found


@pytest.mark.parametrize("file", ["mailbox-token.json", "secret-of-the-program"])
def test_what_others_can_read_is_told_with_what_mends_it(mailbox: Ward, file: str) -> None:
    mailbox.file("secret-of-the-program").touch(mode=0o600)
    mailbox.write_settings(oauth={**OAUTH, "client_secret_file": "secret-of-the-program"})
    log_in(mailbox)
    mailbox.file(file).chmod(0o644)

    found = the_one(mailbox)

    assert tells(found.text, file, "0644")
    mailbox.mend(found.mend)
    assert mailbox.found() == []


def test_a_token_that_nothing_renews_is_told_before_it_runs_out(mailbox: Ward) -> None:
    log_in(mailbox, refresh_token=None)

    found = the_one(mailbox)

    assert tells(found.text, "2026-11-21T21:00+00:00")
    assert found.mend.startswith("pbem mailbox login")


@pytest.mark.parametrize("text", ["{}", "not JSON"])
def test_a_damaged_token_is_told(mailbox: Ward, text: str) -> None:
    log_in(mailbox)
    mailbox.file("mailbox-token.json").write_text(text, encoding="utf-8")

    assert the_one(mailbox).part == "settings"


def test_a_secret_of_the_program_that_is_lost_is_told(mailbox: Ward) -> None:
    mailbox.write_settings(oauth={**OAUTH, "client_secret_file": "lost"})

    found = the_one(mailbox)

    mailbox.mend(found.mend, answer="hush\n")
    log_in(mailbox)
    assert mailbox.found() == []


def test_the_package_that_lacks_is_told(mailbox: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    log_in(mailbox)
    monkeypatch.setitem(sys.modules, "oauthlib", None)

    assert the_one(mailbox).mend == "pip install 'pbem[oauth]'"


def test_a_server_that_takes_tokens_only_on_an_encrypted_line_is_told(mailbox: Ward) -> None:
    log_in(mailbox, expires_in=10**9)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with a_sink(tls=context) as sink:
        mailbox.write_settings(oauth=OAUTH, smtp=mailbox.login(user="host", port=sink.port))

        found = the_one(mailbox)

    assert found.mend.endswith("home.yaml   # below smtp: security: starttls")


SECOND = datetime.timedelta(seconds=1)


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
