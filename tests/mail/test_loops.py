"""Machines that answer machines: loops end before they begin; mails have more of it, in the rows `loops`."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.delivery import queue_all
from pbem.store.mailout import QueuedMail
from tests.homes import NOW, a_game, a_home
from tests.mail.homes import write_settings
from tests.mail.host import ANN, N2, Host, a_host, read, text_of

_AUTOMATIC = ("Auto-Submitted", "X-Auto-Response-Suppress", "X-Loop", "List-Id")


def reports(host: Host) -> None:
    """Queue the reports of what was committed."""
    with host.home.journal() as db:
        queue_all(host.home, db, mail_settings(host.home), host.now, print)


def sent(host: Host) -> list[QueuedMail]:
    """Take what waits out of the outbox, as if it were sent."""
    with host.home.journal() as db:
        rows = db.outbox("queued")
        for row in rows:
            db.mark(row.id, "sent", host.now)
    return rows


def robot(row: QueuedMail, *, is_polite: bool, quotes: bool) -> bytes:
    """Return what a vacation robot answers to a mail."""
    got = read(row.raw)
    mail = EmailMessage()
    mail["From"] = row.rcpt
    mail["To"] = str(got["Reply-To"] or got["From"])
    mail["Subject"] = f"Away: {got['Subject']}"
    mail["Message-ID"] = f"<away-{row.id}@example.test>"
    if is_polite:
        mail["Auto-Submitted"] = "auto-replied"
    quoted = "".join(f"> {line}\n" for line in text_of(got).splitlines()) if quotes else ""
    mail.set_content(f"I am on the beach until Monday.\n\n{quoted}")
    return mail.as_bytes()


def _as_sent(mail: EmailMessage) -> EmailMessage:
    return mail


def _stripped(mail: EmailMessage) -> EmailMessage:
    """Return a mail as a gateway passes it on that knows better than to keep headers."""
    for name in _AUTOMATIC:
        del mail[name]
    return mail


@pytest.mark.parametrize(
    ("gateway", "start"), [(_as_sent, "report"), (_stripped, "report"), (_stripped, "orders")]
)
def test_two_hosts_wired_to_each_other_exchange_at_most_one_reply_each(
    tmp_path: Path, gateway: Callable[[EmailMessage], EmailMessage], start: str
) -> None:
    domains = ("one.test", "two.test")
    hosts = {}
    for number, domain in enumerate(domains):
        home = a_home(tmp_path / domain)
        write_settings(home, address=f"host@{domain}")
        other = f"host@{domains[1 - number]}"
        table = f"seats:\n  red: {{player: Ann, address: {other}}}\n  white: {{player: Bob}}\n"
        a_game(home, table=table, seed=bytes([number]) * 32)
        hosts[domain] = Host(home)
    one, two = hosts["one.test"], hosts["two.test"]
    addresses = {domain: host.address() for domain, host in hosts.items()}
    if start == "report":
        reports(one)
    else:
        one.orders(N2, sender="host@two.test")
    replies = dict.fromkeys(domains, 0)
    for _ in range(20):
        for domain, host in hosts.items():
            other = domains[1 - domains.index(domain)]
            for row in sent(host):
                replies[domain] += row.kind == "receipt"
                mail = gateway(_mail(row))
                hosts[other].put(mail.as_bytes(), addresses[other], row.envelope_from)
            host.process()

    first = {"one.test": 1} if start == "orders" else {}
    for domain, count in replies.items():
        assert count <= 1 + first.get(domain, 0), domain
    assert two.said


def _mail(row: QueuedMail) -> EmailMessage:
    mail = read(row.raw)
    assert isinstance(mail, EmailMessage)
    return mail


def _orders() -> str:
    return "game: rose-1\nseat: red\norders:\n- at: red-1\n  do: {play: N2}\n"


def test_a_flood_is_answered_eleven_times_an_hour_at_most(tmp_path: Path) -> None:
    host = a_host(tmp_path)
    for number in range(50):
        host.put(host.a_mail(_orders() + f"# {number}\n"), host.address())
        host.put(host.a_mail(f"hello {number}"), host.address())

    said = host.process()

    assert len(said) == 100
    assert len(host.outbox()) == 11
    assert sum(one.verdict == "lodged" for one in said) == 31
    assert "# 49" in host.lodged()
    host.now = NOW + datetime.timedelta(minutes=59)
    host.gets(host.a_mail("status"), host.address())
    assert len(host.outbox()) == 11


@pytest.mark.parametrize(
    ("answers", "most", "auth"),
    [
        ("host@pbem.test", ["notice"], ""),
        ("host@pbem.test", ["notice"], "auth: token\n"),
        ("Reply-To", ["notice", "receipt"], ""),
        ("Reply-To", ["notice", "receipt"], "auth: sender\n"),
    ],
)
def test_a_robot_that_does_not_say_what_it_is_and_lacks_the_secret_brings_one_notice_a_day(
    tmp_path: Path, answers: str, most: list[str], auth: str
) -> None:
    host = a_host(tmp_path, auth)
    host.orders(N2)
    (last,) = sent(host)
    for day in range(2):
        host.now = NOW + datetime.timedelta(days=day)
        told: list[QueuedMail] = []
        for n in range(4):  # the first time to the plain address, then what was told is answered
            away = read(robot(told[-1] if told else last, is_polite=False, quotes=True))
            away.replace_header("Message-ID", f"<away-{day}-{n}@example.test>")
            to = str(read(told[-1].raw)[answers]) if told and answers == "Reply-To" else "host@pbem.test"
            host.gets(away.as_bytes(), to, ANN)
            told += sent(host)

        assert [one.kind for one in told] == most
        assert {one.rcpt for one in told} == {ANN}
