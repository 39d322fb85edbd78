"""What is said to a mail server with a token, word by word, and what of its answers is told."""

from __future__ import annotations

import base64
import contextlib
import imaplib
import smtplib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.mail.account.settings import KNOWN, Login, OAuth
from pbem.mail.account.tokens import RefusedTokenError, log_into_imap, log_into_smtp
from pbem.store.errors import WrongInput

ERROR = base64.b64encode(b'{"status":"400","schemes":"Bearer","scope":"https://mail.google.com/"}').decode()
"""As Gmail says it (OAuth 2.0 Mechanism, "Error Response")."""

GOOGLE = b"user=me@x.example\x01auth=Bearer at\x01\x01"
STANDARD = b"n,a=me@x.example,\x01host=127.0.0.1\x01port=%d\x01auth=Bearer at\x01\x01"


def login(port: int) -> Login:
    oauth = OAuth(KNOWN["google"], "1", None, Path("token"))
    return Login("127.0.0.1", port, "none", "me@x.example", None, "", oauth)


@contextlib.contextmanager
def talking(greeting: str, answer: Callable[[str], str]) -> Iterator[tuple[int, list[str]]]:
    """Let a server answer each line; give its port, and the lines that it hears."""
    heard: list[str] = []
    lines: list[socket.socket] = []

    def talk() -> None:
        with contextlib.suppress(OSError):
            line, _ = door.accept()
            lines.append(line)
            with line, line.makefile("rw", newline="", encoding="ascii") as file:
                file.write(greeting)
                file.flush()
                for said in file:
                    heard.append(said.removesuffix("\r\n"))
                    file.write(answer(heard[-1]))
                    file.flush()

    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = threading.Thread(target=talk)
        thread.start()
        try:
            yield door.getsockname()[1], heard
        finally:
            for one in (door, *lines):  # a client that failed has hung up nothing
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            thread.join()


def imap_server(offers: str, last: str = "NO [AUTHENTICATIONFAILED] wrong") -> Callable[[str], str]:
    """Return what a server of IMAP answers, which refuses every token."""
    tag, left = "", 0

    def answer(line: str) -> str:
        nonlocal tag, left
        words = line.split(" ")
        if "CAPABILITY" in words:
            return f"* CAPABILITY IMAP4rev1 {offers}\r\n{words[0]} OK done\r\n"
        if "LOGOUT" in words:
            return f"* BYE bye\r\n{words[0]} OK done\r\n"
        if "AUTHENTICATE" in words:
            tag, left = words[0], 2
        else:
            left -= 1
        if left == 2:
            return "+ \r\n"
        return f"+ {ERROR}\r\n" if left == 1 else f"{tag} {last}\r\n"

    return answer


def smtp_server(offers: str, last: str = "535 5.7.8 no") -> Callable[[str], str]:
    """Return what a server of SMTP answers, which refuses every token."""

    def answer(line: str) -> str:
        if line.lower().startswith("ehlo"):
            return f"250-mx.example\r\n250 AUTH {offers}\r\n"
        return f"334 {ERROR}\r\n" if line.startswith("AUTH ") else f"{last}\r\n"

    return answer


def log_in_by_imap(answer: Callable[[str], str], wrong: type[Exception], told: str) -> tuple[int, list[str]]:
    """Log in, which fails; return the port, and what the server hears of the mechanism and of the token."""
    with talking("* OK ready\r\n", answer) as (port, heard):
        client = imaplib.IMAP4("127.0.0.1", port, timeout=20)
        with pytest.raises(wrong, match=told):
            log_into_imap(client, login(port), "at")
        client.logout()
    return port, [heard[1].partition(" ")[2], *heard[2:-1]]


def log_in_by_smtp(answer: Callable[[str], str], wrong: type[Exception], told: str) -> tuple[int, list[str]]:
    """Log in, which fails; return the port, and what the server hears of the mechanism and of the token."""
    with talking("220 mx.example\r\n", answer) as (port, heard):
        line = smtplib.SMTP("127.0.0.1", port, timeout=20)
        line.ehlo()
        with pytest.raises(wrong, match=told):
            log_into_smtp(line, login(port), "at")
        line.close()
    return port, heard[1:3]


@pytest.mark.parametrize(
    ("offers", "mechanism", "first", "end"),
    [
        ("AUTH=XOAUTH2", "XOAUTH2", GOOGLE, ""),
        ("AUTH=XOAUTH2 AUTH=OAUTHBEARER", "OAUTHBEARER", STANDARD, "AQ=="),
    ],
)
def test_a_refusal_is_ended_as_the_mechanism_says_and_told(
    offers: str, mechanism: str, first: bytes, end: str
) -> None:
    told = "status 400, scope https://mail.*"
    imap = log_in_by_imap(imap_server(f"SASL-IR {offers}"), RefusedTokenError, f"{told}FAILED. wrong")
    smtp = log_in_by_smtp(
        smtp_server(offers.replace("AUTH=", "")), RefusedTokenError, f"{told}; 535 5.7.8 no"
    )

    words = [
        base64.b64encode(first % port if b"%d" in first else first).decode() for port in (imap[0], smtp[0])
    ]
    assert imap[1] == [f"AUTHENTICATE {mechanism}", words[0], end]
    assert smtp[1] == [f"AUTH {mechanism} {words[1]}", end]


def test_a_server_that_cannot_tell_now_has_not_refused() -> None:
    later = "NO [UNAVAILABLE] Temporary authentication failure"
    log_in_by_imap(imap_server("SASL-IR AUTH=XOAUTH2", later), imaplib.IMAP4.error, "Temporary")
    log_in_by_smtp(smtp_server("XOAUTH2", "454 4.7.0 later"), smtplib.SMTPAuthenticationError, "454")


def test_a_server_that_takes_no_tokens_is_told_with_its_place() -> None:
    with talking("* OK ready\r\n", imap_server("AUTH=PLAIN")) as (port, _):
        client = imaplib.IMAP4("127.0.0.1", port, timeout=20)
        with pytest.raises(WrongInput, match=str(port)):
            log_into_imap(client, login(port), "at")
        client.logout()


def test_a_server_that_takes_tokens_only_on_an_encrypted_line_is_told_with_what_to_write() -> None:
    with (
        talking("* OK ready\r\n", imap_server("STARTTLS LOGINDISABLED")) as (port, _),
        imaplib.IMAP4("127.0.0.1", port, timeout=20) as client,
        pytest.raises(WrongInput),
    ):
        log_into_imap(client, login(port), "at")
