"""With a real mail server that takes tokens: logging in, receiving, sending, and what becomes of a token."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.mail import granting
from pbem.play.home import Home
from tests.homes import top
from tests.mail.authorizing import Authorizer
from tests.mail.homes import a_mail_home, write_settings
from tests.mail.stack import Stack

pytestmark = pytest.mark.mailstack

ANN, HOST = "ann@example.test", "host@pbem.test"


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let nobody sleep between two questions; return how long each would have."""
    times: list[float] = []
    monkeypatch.setattr(granting, "sleep", times.append)
    return times


@pytest.fixture
def home(oauth_stack: tuple[Authorizer, Stack], tmp_path: Path) -> Home:
    """Return a home whose mailbox takes tokens; nobody has logged in."""
    home = a_mail_home(tmp_path)
    authorizer, stack = oauth_stack
    stack.deliver(ANN, HOST, b"Subject: so that it is there\r\n\r\n")
    stack.settle()
    point(home, authorizer, stack)
    return home


def point(home: Home, authorizer: Authorizer, stack: Stack, **more: object) -> None:
    """Write where the mailbox is, and how one logs in."""
    write_settings(
        home,
        imap={"server": "localhost", "port": stack.imaps, "security": "tls", "user": HOST},
        smtp={"server": "localhost", "port": stack.submission, "security": "starttls", "user": HOST},
        oauth=authorizer.settings(**more),
    )


def pbem(home: Home, words: str) -> int:
    return run_command([*words.split(), "--home", str(top(home))])


def a_mail(stack: Stack, subject: str = "hello") -> None:
    raw = f"From: {ANN}\r\nTo: host+anything@pbem.test\r\nSubject: {subject}\r\n\r\nHello.\r\n"
    stack.deliver(ANN, "host+anything@pbem.test", raw.encode())
    stack.settle()


def test_after_a_login_on_another_device_mail_comes_in_and_goes_out(
    oauth_stack: tuple[Authorizer, Stack],
    home: Home,
    slept: list[float],
    capsys: pytest.CaptureFixture[str],
) -> None:
    authorizer, stack = oauth_stack
    authorizer.device_answers = ["authorization_pending", "slow_down", "authorization_pending"]

    assert pbem(home, "mailbox login") == 0
    said = capsys.readouterr().out
    assert "type the code WDJB-MJHT" in said
    assert slept == [1.0, 1.0, 6.0, 6.0]
    token = top(home) / "mailbox-token.json"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600

    a_mail(stack)
    assert pbem(home, "receive") == 0
    assert pbem(home, "send") == 0
    stack.settle()
    assert len(stack.letters(ANN)) == 1
    assert authorizer.asked >= 2, "the mail server asks for each login"

    capsys.readouterr()
    assert pbem(home, "mailbox status --json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["provider"], told["renewable"], told["problem"]) == ("other", True, "")
    kept = json.loads(token.read_text(encoding="utf-8"))
    for path in top(home).rglob("*"):
        if path.is_file() and path != token:
            data = path.read_bytes()
            assert kept["access"].encode() not in data, path
            assert kept["refresh"].encode() not in data, path
