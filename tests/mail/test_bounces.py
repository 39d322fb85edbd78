"""Mails of the host that come back are noted for the seat that they were sent to, and not answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.host.notices.digest import news_of
from pbem.mail.account.settings import mail_settings
from pbem.mail.outgoing.delivery import queue_all
from pbem.store.mailout import OutboundMail
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


def test_only_what_went_to_the_address_that_gave_it_back_came_back_and_the_server_is_quoted(
    tmp_path: Path,
) -> None:
    host, back = sent(tmp_path)
    with host.home.journal() as db:
        for number, rcpt in enumerate(("ann.wrong@example.test", "ann.wrong@example.test")):
            raw = b"Subject: again\r\n\r\n"
            db.put(
                OutboundMail("rose-1", 1, "red", "notice", 0, rcpt, back, f"<n{number}@pbem.test>", raw),
                host.now,
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
            OutboundMail("rose-1", 1, "red", "notice", 0, "ann@example.test", back, "<n@pbem.test>", raw),
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
