"""With a real mail server: what is sent arrives as it was sent, and what comes in is taken in once."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.mail.account.addresses import bounce_address
from pbem.mail.account.settings import mail_settings
from pbem.mail.arrivals import spool
from pbem.mail.arrivals.intake import read_raw_mail
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.mailout import QueuedMail
from pbem.store.records import Intake
from tests.homes import game_folder, orders_text, top
from tests.mail.homes import TWO_BY_MAIL, a_mail_home, write_settings
from tests.mail.host import N2, Host
from tests.mail.stack import OWNER, PASSWORD, Stack, a_stack, missing, python_of_owner, wait_for

pytestmark = pytest.mark.mailstack

ANN, BOB, HOST = "ann@example.test", "bob@example.test", "host@pbem.test"


@pytest.fixture
def home(stack: Stack, tmp_path: Path) -> Home:
    """Return a home whose mail goes through the server, with an archive; nothing is left of tests before."""
    for name in ("pbem.test", "example.test"):
        shutil.rmtree(stack.folder / "mail" / name, ignore_errors=True)
    home = a_mail_home(tmp_path)
    stack.deliver(ANN, "archive@pbem.test", b"Subject: so that it is there\r\n\r\n")
    stack.deliver(ANN, HOST, b"Subject: so that it is there\r\n\r\n")
    stack.settle()
    settings(home, stack, maildir=str(stack.maildir(HOST)))
    assert run_command(["receive", "--home", str(top(home))]) == 0
    return home


def settings(home: Home, stack: Stack, **more: object) -> None:
    """Write the mail section of a home that sends through the server."""
    write_settings(
        home,
        smtp={"server": "127.0.0.1", "port": stack.smtp},
        archive=str(stack.maildir("archive@pbem.test")),
        archive_address="archive@pbem.test",
        **more,  # type: ignore[arg-type]
    )


def pbem(home: Home, *words: str) -> int:
    return run_command([*words, "--home", str(top(home))])


def outbox(home: Home) -> list[QueuedMail]:
    with home.journal() as db:
        return [db.queued(number) for (number,) in db.rows("SELECT id FROM outbox ORDER BY id")]


def newest(home: Home) -> Intake:
    with home.journal() as db:
        return db.intake(db.arrived())


def swaks(stack: Stack, sender: str, to: str, body: str) -> None:
    """Send a mail as from a shell."""
    words = ["swaks", "--server", f"127.0.0.1:{stack.smtp}", "--from", sender, "--to", to, "--body", body]
    subprocess.run([*words, "--header", "Subject: orders"], check=True, capture_output=True)


def orders(seat: str = "red") -> str:
    return orders_text("rose-1", seat, N2)


def test_a_report_reaches_its_reader_and_the_archive_as_it_was_sent(home: Home, stack: Stack) -> None:
    assert pbem(home, "send") == 0
    stack.settle()

    red, white = outbox(home)
    for mail, address in ((red, ANN), (white, BOB)):
        (letter,) = stack.letters(address)
        head, _, body = letter.partition(b"\n\n")
        assert mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2] == body
        assert f"Return-Path: <{mail.envelope_from}>".encode() in head
    assert len(stack.letters("archive@pbem.test")) == 3, "one was there before"
    assert [mail.state for mail in outbox(home)] == ["sent", "sent"]


def test_mail_is_fetched_by_imap_in_order_and_moved(
    home: Home, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    settings(home, stack, imap={"server": "127.0.0.1", "port": stack.imap, "user": HOST, "security": "none"})
    to = Host(home).address()
    for number in range(3):
        swaks(stack, ANN, to, f"mail number {number}")
        stack.settle()
    stack.deliver(ANN, to, b"Subject: big\r\n\r\n" + b"x" * 70 + b"\r\n" * 600_000)
    stack.settle()

    assert pbem(home, "receive") == 0

    with home.journal() as db:
        found = [db.intake(number) for number in range(db.arrived() - 3, db.arrived() + 1)]
    assert [one.source for one in found] == ["imap"] * 4
    assert [
        f"mail number {number}".encode() in read_raw_mail(home, found[number]) for number in range(3)
    ] == [True] * 3
    assert {(one.envelope_from, one.recipient) for one in found} == {(ANN, to)}
    assert (found[3].verdict, found[3].rule) == ("refused", "unreadable")
    assert [one.received for one in found] == sorted(one.received for one in found)
    assert len(list(stack.maildir(HOST).glob(".Processed/*/*,S=*"))) == 5
    assert pbem(home, "receive") == 0
    assert newest(home).id == found[3].id


def test_an_imap_server_that_refuses_is_said_and_what_was_spooled_is_processed_all_the_same(
    home: Home, stack: Stack, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "wrong")
    settings(home, stack, imap={"server": "127.0.0.1", "port": stack.imap, "user": HOST, "security": "none"})
    spool.keep(str(top(home)), ANN, HOST, lambda _most: b"", 1)

    assert pbem(home, "receive") == 1

    said = capsys.readouterr()
    assert "1 mail taken in, 1 processed." in said.out
    assert f"{HOST} at 127.0.0.1, port {stack.imap}: " in said.err
    assert "wrong" not in said.err.replace('Response status "OK" expected', "")


def test_a_bounce_comes_back_to_the_seat_that_its_address_names(home: Home, stack: Stack) -> None:
    file = game_folder(home, "rose-1") / "game.yaml"
    file.write_text(TWO_BY_MAIL.replace(BOB, "gone@bounced.test"), encoding="utf-8")
    assert pbem(home, "send") == 0
    stack.settle()

    assert pbem(home, "receive") == 0

    assert [(mail.seat, mail.state) for mail in outbox(home)] == [("red", "sent"), ("white", "bounced")]
    assert newest(home).envelope_from == ""
    assert newest(home).recipient == outbox(home)[1].envelope_from


def test_sendmail_takes_mail_out_for_reader_and_archive(home: Home, stack: Stack) -> None:
    program = top(home) / "sendmail"
    program.write_text(f'#!/bin/sh\nexec /usr/sbin/sendmail -C {stack.folder}/pf "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    write_settings(
        home,
        sendmail="sendmail",
        archive=str(stack.maildir("archive@pbem.test")),
        archive_address="archive@pbem.test",
    )

    assert pbem(home, "send") == 0
    stack.settle()

    assert [len(stack.letters(one)) for one in (ANN, BOB, "archive@pbem.test")] == [1, 1, 3]
    (letter,) = stack.letters(ANN)
    assert f"Return-Path: <{outbox(home)[0].envelope_from}>".encode() in letter
    parsed = message_from_bytes(letter, policy=default)
    report = game_folder(home, "rose-1") / "turns" / "0001" / "reports" / "red" / "report.txt"
    body = parsed.get_body(("plain",))
    assert body is not None
    assert body.get_content().endswith(report.read_text(encoding="utf-8"))


def test_a_lone_line_feed_before_a_dot_ends_no_mail(home: Home, stack: Stack) -> None:
    to = Host(home).address()
    forged = f"MAIL FROM:<{BOB}>\r\nRCPT TO:<{to}>\r\nDATA\r\nSubject: forged\r\n\r\nforged\r\n.\r\nQUIT\r\n"
    with socket.create_connection(("127.0.0.1", stack.smtp)) as line, line.makefile("rb") as answers:
        answers.readline()
        for word in ("EHLO x", f"MAIL FROM:<{ANN}>", f"RCPT TO:<{to}>", "DATA"):
            line.sendall(f"{word}\r\n".encode())
            while answers.readline()[3:4] == b"-":
                pass
        line.sendall(b"Subject: one\r\n\r\nhello\n.\n" + forged.encode())
        answers.read()
    stack.settle()
    pbem(home, "receive")

    with home.journal() as db:
        assert db.rows("SELECT envelope_from FROM intake WHERE id > 1") == [(ANN,)]
    assert b"MAIL FROM" in read_raw_mail(home, newest(home)).partition(b"\n\n")[2]


@contextlib.contextmanager
def _listening(home: Home, stack: Stack, *words: str) -> Iterator[None]:
    """Let `pbem lmtp` listen where the server hands mail for lmtp.test over."""
    command = [
        sys.executable,
        "-m",
        "pbem",
        "lmtp",
        "--home",
        str(top(home)),
        "--port",
        str(stack.lmtp),
        *words,
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr
        assert "takes mail in by LMTP" in program.stderr.readline()
        try:
            yield
        finally:
            program.send_signal(signal.SIGTERM)
            program.communicate()
        assert program.returncode == 0


def test_a_server_to_which_nobody_listens_keeps_the_mail_and_hands_it_over_later(
    home: Home, stack: Stack
) -> None:
    settings(home, stack, address="host@lmtp.test")
    swaks(stack, ANN, Host(home).address(), orders())
    wait_for(lambda: len(stack.queue()) == 1, "the mail to be deferred")

    with _listening(home, stack):
        stack.flush()
        stack.settle()

    assert pbem(home, "receive") == 0
    assert newest(home).verdict == "lodged"


def test_the_server_pipes_mail_to_the_spool(tmp_path: Path) -> None:
    if why := missing() or ("" if python_of_owner() else "only root may start this Python"):
        pytest.skip(why)
    owner = pwd.getpwnam(OWNER)
    place = Path("/tmp") / f"spoolhome.{os.getpid()}"
    place.mkdir()
    try:
        home = a_mail_home(place, address="host@spool.test", sendmail="/bin/true")
        to = Host(home).address()
        for path in (place, *place.rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid)
        with a_stack(top(home)) as stack:
            swaks(stack, ANN, to, orders())
            stack.settle()
            back = bounce_address(mail_settings(home), SavedGame(home, "rose-1"), Seat("red"), 1, 0)
            stack.deliver("", back, b"Subject: failed\r\n\r\n")
            stack.settle()

        assert pbem(home, "receive") == 0
        with home.journal() as db:
            found = list(db.rows("SELECT source, envelope_from, recipient, verdict FROM intake ORDER BY id"))
        assert found[0] == ("spool", ANN, to, "lodged")
        assert found[1][:3] == ("spool", "", back)
    finally:
        shutil.rmtree(place)
