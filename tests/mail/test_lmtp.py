"""LMTP: on this machine only, an answer for every recipient, and none that is not true."""

from __future__ import annotations

import contextlib
import smtplib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from pbem.mail.account.settings import mail_settings
from pbem.mail.arrivals.intake import read_raw_mail
from pbem.mail.arrivals.lmtp import ListenAddress, LmtpHandler, serve
from pbem.mail.arrivals.spool import MOST_BYTES
from pbem.play.homes.home import Home
from pbem.store.errors import WrongInput
from pbem.store.records import Intake
from tests.homes import NOW
from tests.mail.homes import a_mail_home

RED = "host+rose-1.abcdefghijklm234@pbem.test"
RAW = b"Subject: orders\r\n\r\nplay: N2\r\n"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return a_mail_home(tmp_path)


@contextlib.contextmanager
def listening(
    home: Home, work: Callable[[], None] | None = None, place: ListenAddress | None = None
) -> Iterator[tuple[ListenAddress, list[str]]]:
    """Give where a server listens, in a thread, and what it says."""
    said: list[str] = []
    found: list[ListenAddress] = []
    there, end = threading.Event(), []
    taker = LmtpHandler(home, mail_settings(home), lambda: NOW, said.append)

    def ready(where: ListenAddress) -> None:
        found.append(where)
        there.set()

    def add(_loop: object, _number: int, stop: Callable[[], None]) -> None:
        end.append((_loop, stop))

    with mock.patch("asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler", add):
        server = threading.Thread(target=serve, args=(taker, place or ListenAddress(port=0), ready, work))
        server.start()
        assert there.wait(60)
        try:
            yield found[0], said
        finally:
            loop, stop = end[0]
            loop.call_soon_threadsafe(stop)  # type: ignore[attr-defined]
            server.join()


def refusal(line: smtplib.LMTP, raw: bytes) -> int:
    """Return the code with which a mail is refused."""
    with pytest.raises(smtplib.SMTPResponseException) as refused:
        line.sendmail("ann@example.test", [RED], raw)
    return refused.value.smtp_code


def intakes(home: Home) -> list[Intake]:
    with home.journal() as db:
        return list(db.unprocessed_mails())


def test_a_mail_is_safe_when_the_server_is_told_so_and_each_recipient_has_an_answer(home: Home) -> None:
    with listening(home) as (place, _), smtplib.LMTP(place.host, place.port) as line:
        line.ehlo_or_helo_if_needed()
        assert line.mail("ann@example.test")[0] == 250
        codes = [
            line.rcpt(one)[0] for one in (RED, "guest@pbem.test", "host@elsewhere.test", "host@pbem.test")
        ]
        code, _ = line.data(RAW)
        second = line.getreply()[0]
        found = intakes(home)
        line.sendmail("", ["host+bounce.rose-1.red.t1r0@pbem.test"], RAW)

    assert codes == [250, 550, 550, 250]
    assert (code, second) == (250, 250)
    assert [(one.source, one.envelope_from, one.recipient) for one in found] == [
        ("lmtp", "ann@example.test", RED),
        ("lmtp", "ann@example.test", "host@pbem.test"),
    ]
    assert {one.moment for one in found} == {NOW}
    assert read_raw_mail(home, found[0]) == RAW
    assert intakes(home)[-1].envelope_from == "", "a bounce has no sender"


def test_a_server_that_delivers_again_is_answered_and_changes_nothing(home: Home) -> None:
    for _ in range(2):
        with listening(home) as (place, _), smtplib.LMTP(place.host, place.port) as line:
            line.sendmail("ann@example.test", [RED], RAW)

    assert len(intakes(home)) == 1


@pytest.mark.parametrize("wrong", [OSError(28, "No space left on device"), RuntimeError("a fault of ours")])
def test_a_mail_that_cannot_be_kept_stays_with_the_server(home: Home, wrong: Exception) -> None:
    fault = mock.patch("pbem.mail.arrivals.lmtp.store_arrival", side_effect=wrong)
    with listening(home) as (place, said), smtplib.LMTP(place.host, place.port) as line, fault:
        refused = refusal(line, RAW)

    assert refused == 451
    assert any(str(wrong) in text for text in said)
    assert intakes(home) == []


def test_a_fault_in_the_dialogue_is_temporary_and_shows_no_token(home: Home) -> None:
    wrong = ValueError(f"odd address {RED}")
    fault = mock.patch("pbem.mail.arrivals.lmtp.read_recipient", side_effect=wrong)
    with listening(home) as (place, said), smtplib.LMTP(place.host, place.port) as line, fault:
        line.ehlo_or_helo_if_needed()
        line.mail("ann@example.test")
        assert line.rcpt(RED)[0] == 451

    assert said
    assert not any("abcdefghijklm234" in text for text in said)


def test_a_mail_that_is_too_big_is_refused_while_the_sender_listens(home: Home) -> None:
    with listening(home) as (place, _), smtplib.LMTP(place.host, place.port) as line:
        refused = refusal(line, RAW + b"x\r\n" * MOST_BYTES)

    assert refused == 552
    assert intakes(home) == []


def test_a_lone_line_feed_before_a_dot_ends_no_mail(home: Home) -> None:
    smuggled = b"MAIL FROM:<bob@example.test>\r\nRCPT TO:<" + RED.encode() + b">\r\nDATA\r\nforged\r\n"
    with listening(home) as (place, _), socket.create_connection((place.host, place.port)) as line:
        answers = line.makefile("rb")
        words = b"LHLO x\r\nMAIL FROM:<ann@example.test>\r\nRCPT TO:<" + RED.encode() + b">\r\nDATA\r\n"
        line.sendall(words)
        while not answers.readline().startswith(b"354"):
            pass
        line.sendall(b"Subject: one\r\n\r\nhello\n.\n" + smuggled + b"\r\n.\r\nQUIT\r\n")
        assert answers.readline().startswith(b"250")
        assert answers.readline().startswith(b"221")

    (found,) = intakes(home)
    assert found.envelope_from == "ann@example.test"
    assert b"forged" in read_raw_mail(home, found)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "mx.example.org", ""])
def test_it_does_not_listen_to_the_world(host: str) -> None:
    with pytest.raises(WrongInput):
        ListenAddress(host, 2424)


def test_a_place_that_is_taken_is_said(home: Home) -> None:
    with listening(home) as (place, _):
        taker = LmtpHandler(home, mail_settings(home), lambda: NOW, print)
        with (
            mock.patch("asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler"),
            pytest.raises(WrongInput),
        ):
            serve(taker, place, lambda _where: None, None)


def test_the_work_is_done_after_mails_and_a_fault_in_it_loses_none(home: Home) -> None:
    worked = threading.Event()

    def work() -> None:
        worked.set()
        raise OSError(28, "No space left on device")

    with listening(home, work) as (place, _said), smtplib.LMTP(place.host, place.port) as line:
        assert not worked.is_set()
        line.sendmail("ann@example.test", [RED], RAW)
        assert worked.wait(60)
        worked.clear()
        line.sendmail("ann@example.test", [RED], RAW + b"more\r\n")
        assert worked.wait(60)

    assert len(intakes(home)) == 2
