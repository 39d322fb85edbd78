"""Mails of the host that come back are noted for the seat that they were sent to, and not answered."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.doctor import Patient
from pbem.doctor.post import look_at_stuck_mails
from pbem.host.notices.digest import news_of
from pbem.host.office.status import status_of
from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.delivery import queue_all
from pbem.store.mailout import Outbound
from tests.facts import tells
from tests.homes import top
from tests.mail.homes import write_settings
from tests.mail.host import Host, a_host

NOTICE = """From: MAILER-DAEMON@mx.example.test
Message-ID: <dsn@mx.example.test>
Subject: Delivery Status Notification
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b

Your mail could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.test

Final-Recipient: rfc822; ann@example.test
Action: {action}
Status: 5.1.1

--b--
"""


def sent(path: Path) -> tuple[Host, str]:
    """Return a host whose reports are out, and where a bounce of the one to red comes back to."""
    host = a_host(path)
    with host.home.journal() as db:
        queue_all(host.home, db, mail_settings(host.home), host.now, print)
        for row in db.outbox("queued"):
            db.mark(row.id, "sent", host.now)
        (red,) = [row for row in db.outbox("sent") if row.seat == "red"]
    return host, red.envelope_from


def bounced(host: Host) -> list[str]:
    """Return the seats whose reports are known to have come back."""
    with host.home.journal() as db:
        return [row.seat for row in db.outbox("bounced")]


@pytest.mark.parametrize(
    ("action", "verdict", "rule", "seats"),
    [
        ("failed", "bounced", "bounce", ["red"]),
        ("delayed", "delayed", "bounce", []),
        ("relayed", "dropped", "arrived", []),
    ],
)
def test_a_notice_of_delivery_counts_if_it_says_that_a_mail_failed_whatever_was_made_of_its_letters(
    tmp_path: Path, action: str, verdict: str, rule: str, seats: list[str]
) -> None:
    host, back = sent(tmp_path)

    said = host.gets(NOTICE.format(action=action).encode(), back.upper(), "")

    assert (said.verdict, said.rule, said.seat) == (verdict, rule, "red")
    assert bounced(host) == seats
    assert host.outbox() == []


def test_only_what_went_to_the_address_that_gave_it_back_came_back_and_the_server_is_quoted(
    tmp_path: Path,
) -> None:
    host, back = sent(tmp_path)
    with host.home.journal() as db:
        for number, rcpt in enumerate(("ann.wrong@example.test", "ann.wrong@example.test")):
            raw = b"Subject: again\r\n\r\n"
            db.put(
                Outbound("rose-1", 1, "red", "notice", 0, rcpt, back, f"<n{number}@pbem.test>", raw), host.now
            )
        for row in db.outbox("queued"):
            db.mark(row.id, "sent", host.now)
    notice = NOTICE.format(action="failed").replace("ann@example.test", "ann.wrong@example.test")
    said = "Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such\n user here"

    host.gets(notice.replace("Status: 5.1.1", said).encode(), back, "")

    with host.home.journal() as db:
        assert [row.rcpt for row in db.outbox("bounced")] == ["ann.wrong@example.test"] * 2
        assert {row.why for row in db.outbox("bounced")} == {"550 5.1.1 no such user here"}
        assert news_of(host.home, db, ()) == [], "it was not the address of now"
        file = top(host.home) / "games/rose-1/game.yaml"
        file.write_text(file.read_text("utf-8").replace("ann@", "ann.wrong@"), encoding="utf-8")
        (first, *_) = news_of(host.home, db, ())
    assert tells(first, "red (ann.wrong@example.test)")


def test_a_notice_that_shows_which_mail_it_is_about_counts_for_that_alone(tmp_path: Path) -> None:
    host, back = sent(tmp_path)
    with host.home.journal() as db:
        raw = b"Subject: again\r\n\r\n"
        db.put(
            Outbound("rose-1", 1, "red", "notice", 0, "ann@example.test", back, "<n@pbem.test>", raw),
            host.now,
        )
        db.mark(db.outbox("queued")[0].id, "sent", host.now)

    host.gets(f"{NOTICE.format(action='failed')}\nMessage-ID: <n@pbem.test>\n".encode(), back, "")

    with host.home.journal() as db:
        assert [row.message_id for row in db.outbox("bounced")] == ["<n@pbem.test>"]


def test_a_bounce_of_a_mail_that_an_older_version_sent_is_understood(tmp_path: Path) -> None:
    host, back = sent(tmp_path)
    old = "host+bounce.rose-1.New=20York.t1r0.abcdefghijklm234@pbem.test"
    with host.home.journal() as db:
        db.run("UPDATE outbox SET envelope_from = ? WHERE envelope_from = ?", old, back)

    said = host.gets(NOTICE.format(action="failed").encode(), old.lower(), "")

    assert (said.verdict, said.seat) == ("bounced", "red")
    assert bounced(host) == ["red"]


def test_a_notice_that_proves_nothing_marks_nothing_and_is_told(tmp_path: Path) -> None:
    """Any stranger can write one; but a host whose mails lose their return address must hear of it."""
    host, _ = sent(tmp_path)
    strange = NOTICE.format(action="failed").replace("ann@example.test", "eve@example.test")
    late = NOTICE.format(action="delayed").replace("dsn@", "dsn2@")
    by_id = strange.replace("--b--", "--b\n\nMessage-ID:\n <rose-1.t0.white.invitation.r0@pbem.test>\n--b--")
    with host.home.journal() as db:
        (white,) = [row for row in db.outbox("sent") if row.seat == "white"]
    by_id = by_id.replace("<rose-1.t0.white.invitation.r0@pbem.test>", white.message_id)

    for text, verdict, seat in (
        (strange, "bounced", ""),
        (late, "bounced", ""),
        (by_id.replace("dsn@", "dsn3@"), "doubted", "white"),
        (NOTICE.format(action="failed").replace("dsn@", "dsn4@"), "doubted", "red"),
    ):
        said = host.gets(text.encode(), "host@pbem.test", "")
        assert (said.verdict, said.seat) == (verdict, seat)

    assert (bounced(host), host.outbox()) == ([], [])
    with host.home.journal() as db:
        assert tells("\n".join(news_of(host.home, db, ())), "4", "rose-1", "red")
    back = status_of(host.home, "rose-1").came_back
    assert [(one.seat, one.state) for one in back] == [("white", "doubted"), ("red", "doubted")]
    found = [one for one in look_at_stuck_mails(Patient(host.home, "home", host.now)) if "rose-1" in one.text]
    assert len(found) == 2

    with host.home.journal() as db:
        raw = b"Subject: again\r\n\r\n"
        bounces = "host+b_abcdefghijklmnop@pbem.test"
        later = host.now + datetime.timedelta(minutes=1)
        db.put(
            Outbound("rose-1", 1, "red", "notice", 0, "ann@example.test", bounces, "<n@pbem.test>", raw),
            later,
        )
        db.mark(db.outbox("queued")[0].id, "sent", later)
    assert [one.seat for one in status_of(host.home, "rose-1").came_back] == ["white", "red"], "no proof"

    host.gets(host.a_mail("status"), host.address())
    assert [one.seat for one in status_of(host.home, "rose-1").came_back] == ["white"]


PLAIN = "From: {}\nMessage-ID: <plain@mx.example.test>\nSubject: {}\n\n{}\n"
SERVER = "Mail Administrator <mail-admin@mx.example.test>"


@pytest.mark.parametrize(
    ("sender", "subject", "text", "verdict"),
    [
        (SERVER, "Mail", "Sorry.\nann@example.test: mailbox full", "bounced"),
        (SERVER, "Mail", "<ann@example.test>: host mx said: 554 rejected", "bounced"),
        (SERVER, "Undeliverable: Orders", "Nobody here has that name.", "bounced"),
        (SERVER, "Mail", "Delivery to ann@example.test has failed.", "bounced"),
        ("MAILER-DAEMON@mx.example.test", "Warning: message delayed 24 hours", "See below.", "delayed"),
        (SERVER, "Warning", "It has not yet been delivered: 550 later. We will keep trying.", "delayed"),
        (SERVER, "Mail", "Message-ID: <x@pbem.test>\n550 5.1.1 in the mail itself", "doubted"),
        (SERVER, "Mail", "We are at 10.5.1.1 and 12:550 today", "doubted"),
        ("MAILER-DAEMON@mx.example.test", "Mail", "", "doubted"),
        ("Ann <ann@example.test>", "Re: Orders", "Unknown to me; I am on the beach.", "doubted"),
        ("Ann <ann@example.test>\nAuto-Submitted: auto-replied", "Away", "My office is full.", "dropped"),
    ],
)
def test_what_comes_where_bounces_go_counts_as_what_it_shows_or_is_told(
    tmp_path: Path, sender: str, subject: str, text: str, verdict: str
) -> None:
    """Only servers know the address, and what they write has no form; what shows nothing is told."""
    host, back = sent(tmp_path)

    by_hand = "ann@example.test" if subject.startswith("Re:") else ""
    said = host.gets(PLAIN.format(sender, subject, text).encode(), back, by_hand)

    assert (said.verdict, said.seat) == (verdict, "red")
    with host.home.journal() as db:
        told = [row.why for row in db.outbox("bounced")]
    assert len(told) == (verdict == "bounced")
    assert host.outbox() == []
    if "mailbox full" in text:
        assert told == ["ann@example.test: mailbox full"]


@pytest.mark.parametrize(
    ("to", "plain_sender"), [("host@pbem.test", True), ("host@pbem.test", False), ("mary@example.test", True)]
)
def test_a_notice_that_comes_to_the_plain_address_is_known_by_the_head_that_it_shows(
    tmp_path: Path, to: str, plain_sender: bool
) -> None:
    """Whose mail came back stands in where it is answered, which no stranger knows."""
    host, _ = sent(tmp_path)
    write_settings(host.home, plain_sender=plain_sender)
    with host.home.journal() as db:
        (red,) = [row for row in db.outbox("sent") if row.seat == "red"]
    head = red.raw.partition(b"\r\n\r\n")[0].decode()
    address = host.address("red")
    assert address in head
    notice = NOTICE.format(action="failed").removesuffix("--b--\n")
    shown = f"{notice}--b\nContent-Type: text/rfc822-headers\n\n{head}\n\n--b--\n"
    guessed = shown.replace(address, address.replace(address.split(".")[1][:4], "aaaa"))
    assert guessed != shown
    others = shown.replace(address, host.address("white"))
    older = shown.replace(red.message_id, "<rose-1.t0.red.report.r0@pbem.test>")

    for forged in (guessed, others, older):
        assert host.gets(forged.encode(), to, "").verdict == "doubted"
    assert bounced(host) == []

    said = host.gets(shown.encode(), to, "")

    assert (said.verdict, said.rule, said.game, said.seat) == ("bounced", "bounce", "rose-1", "red")
    assert bounced(host) == ["red"]
    assert host.outbox() == []
