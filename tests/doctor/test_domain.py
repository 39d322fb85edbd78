"""What keeps mail and turns from going on: the domain, the mailbox, a test mail, and the night job."""

from __future__ import annotations

import datetime
import re
import ssl
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.cli.moderation.mailed import MailedCommands
from pbem.core.interface import Json
from pbem.doctor import Patient
from pbem.doctor import home as checks
from pbem.doctor.post import RoundTrip, WaitPlan, send_and_await
from pbem.host.office.watch import BEATS, NIGHTS
from pbem.mail.account.settings import mail_settings
from pbem.mail.account.tokens import next_token, save_token
from tests.doctor.ward import Found, Ward
from tests.facts import each_tells, tells
from tests.homes import NOW, top
from tests.hosting.games import MADE, a_club
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
    ward.zone.records = {key: value for key, value in {**ward.zone.records, **changed}.items() if value}

    found = ward.found()

    assert [one.part for one in found] == ["DNS"]
    assert tells(found[0].mend, *mend)


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
    monkeypatch.setattr("pbem.doctor.servers.SECONDS", 0.2)
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
    save_token(oauth, next_token(None, answer, oauth.client_id, mailbox.now.timestamp()))


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
        how = WaitPlan(lambda: self.now, self.pause, 10 * SECOND, self.said.append, MailedCommands())
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


LINE = "*/5 * * * * pbem /opt/pbem/bin/pbem run --due --home /srv/pbem/home >>/srv/pbem/pbem.log\n"


class Machine:
    """A machine that was made up: its tables of cron, its units, its processes."""

    def __init__(self, folder: Path) -> None:
        self.tables, self.units, self.processes = (
            folder / "cron.d",
            folder / "config/systemd/user",
            folder / "proc",
        )
        for made in (self.tables, self.units, self.processes, folder / "bin"):
            made.mkdir(parents=True)
        self.crontab = folder / "bin/crontab"
        self.runs("init")

    def runs(self, program: str) -> None:
        place = self.processes / str(len(list(self.processes.iterdir())) + 1)
        place.mkdir()
        (place / "comm").write_text(f"{program}\n", encoding="utf-8")

    def has_crontab(self, table: str) -> None:
        """Have a program `crontab` that prints a table."""
        self.crontab.write_text(f"#!/bin/sh\ncat <<'END'\n{table}END\n", encoding="utf-8")
        self.crontab.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    found = Machine(tmp_path / "machine")
    monkeypatch.setattr(checks, "TABLES", (found.tables, tmp_path / "no-crontab"))
    monkeypatch.setattr(checks, "PROCESSES", found.processes)
    monkeypatch.setattr(checks, "SYSTEM", tmp_path / "no-units")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "machine/config"))
    monkeypatch.setenv("PATH", f"{found.crontab.parent}:/usr/bin:/bin")
    return found


@pytest.fixture
def by_hand(machine: Machine, ward: Ward) -> Ward:
    """Return a home whose moderator has typed `pbem run --due` once."""
    with ward.home.journal() as db:
        db.set_note("", BEATS, None)
        db.set_note("", NIGHTS, None)
    assert ward.typed("run --due")[0] == 0
    return ward


def nightly(by_hand: Ward) -> list[Found]:
    return [one for one in by_hand.found() if one.part == "night job"]


def test_without_cron_and_timer_what_was_typed_by_hand_is_told_as_that(by_hand: Ward) -> None:
    (one,) = nightly(by_hand)

    assert tells(one.mend, "--user")


def test_a_home_without_mail_needs_a_night_job_where_a_game_has_deadlines(
    tmp_path: Path, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    home = str(top(a_club(tmp_path)))
    words = ["doctor", "--home", home, "--now", MADE.isoformat()]

    assert run_command(words) == 1
    assert tells(capsys.readouterr().out)
    machine.has_crontab(LINE)
    machine.runs("cron")
    run_command(words)
    assert "typed by hand" not in capsys.readouterr().out


@pytest.mark.parametrize("place", ["cron.d", "crontab"])
def test_a_line_of_cron_is_enough_where_cron_runs(by_hand: Ward, machine: Machine, place: str) -> None:
    if place == "cron.d":
        (machine.tables / "pbem").write_text(f"MAILTO=mary@example.org\n{LINE}", encoding="utf-8")
    else:
        machine.has_crontab(LINE)

    (one,) = nightly(by_hand)
    assert tells(one.mend, "--now")
    machine.runs("cron")
    assert nightly(by_hand) == []


@pytest.mark.parametrize(
    "line", [f"# {LINE}", "0 3 * * * root apt-get update\n", LINE.replace("run --due", "digest")]
)
def test_other_lines_of_cron_are_none(by_hand: Ward, machine: Machine, line: str) -> None:
    machine.has_crontab(line)
    machine.runs("cron")

    assert len(nightly(by_hand)) == 1


def test_a_timer_is_enough_when_it_is_started(by_hand: Ward, machine: Machine) -> None:
    assert run_command(["service", "install", "--user", "--yes", "--home", str(by_hand.top)]) == 0
    assert (machine.units / "pbem.timer").is_file()

    (one,) = nightly(by_hand)
    assert tells(one.text, "pbem.timer")
    assert one.mend == "systemctl --user daemon-reload && systemctl --user enable --now pbem.timer"
    assert subprocess.run(["sh", "-n", "-c", one.mend], check=False).returncode == 0

    (machine.units / "timers.target.wants").mkdir()  # which is what systemctl enable does
    (machine.units / "timers.target.wants/pbem.timer").symlink_to(machine.units / "pbem.timer")
    assert nightly(by_hand) == []


def test_what_was_done_for_hours_again_and_again_is_done_by_something(by_hand: Ward) -> None:
    for hours in range(1, 7):
        by_hand.now = NOW + datetime.timedelta(hours=hours)
        assert len(nightly(by_hand)) == 1
        assert by_hand.typed("run --due")[0] == 0

    assert nightly(by_hand) == []


def test_mail_that_is_watched_is_no_night_job(by_hand: Ward) -> None:
    for hours in range(1, 8):
        by_hand.now = NOW + datetime.timedelta(hours=hours)
        assert by_hand.typed("receive")[0] == 0

    assert len(nightly(by_hand)) == 1


def test_a_home_by_files_may_be_worked_by_hand(by_hand: Ward) -> None:
    by_hand.file("home.yaml").unlink()

    assert nightly(by_hand) == []
