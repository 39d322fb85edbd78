"""With a real mail server: a mailbox that is watched, and what becomes of a line that breaks."""

from __future__ import annotations

import contextlib
import imaplib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.mail.account.settings import OAuth, mail_settings
from pbem.mail.account.tokens import lock_token, next_token, save_token
from pbem.play.homes.home import Home
from tests.homes import top
from tests.mail.authorizing import CLIENT, Authorizer
from tests.mail.cutting import Wire, a_wire
from tests.mail.homes import a_mail_home, write_settings
from tests.mail.stack import PASSWORD, Stack, wait_for

pytestmark = pytest.mark.mailstack

ANN, HOST = "ann@example.test", "host@pbem.test"
PROGRAM = """
import sys
from pbem.mail.outgoing import delivery
delivery.RENEW_SECONDS = float(sys.argv[1])
delivery.FIRST_PAUSE, delivery.LONGEST_PAUSE, delivery.AGAIN_SECONDS = 0.1, 0.3, 1.0
from pbem.cli import run_command
sys.exit(run_command(["mailbox", "watch", "--home", sys.argv[2]]))
"""


@dataclass
class Watched:
    """A home whose mailbox is to be watched.

    Attributes:
        home: The home.
        authorizer: Who gives tokens.
        stack: The mail server.
        wire: The line to its mailbox.
        errors: Where what is told is written.
    """

    home: Home
    authorizer: Authorizer
    stack: Stack
    wire: Wire
    errors: Path

    def told(self) -> str:
        return self.errors.read_text(encoding="utf-8")

    @contextlib.contextmanager
    def watching(self, seconds: float = 600.0) -> Iterator[subprocess.Popen[bytes]]:
        """Watch, from when the mailbox is watched on."""
        words = [sys.executable, "-c", PROGRAM, str(seconds), str(top(self.home))]
        with self.errors.open("wb") as errors:
            program = subprocess.Popen(words, stderr=errors)
        try:
            wait_for(lambda: "pbem watches" in self.told(), self.told)
            wait_for(lambda: not self.stack.waits(HOST), self.told)
            yield program
        finally:
            program.kill()
            program.wait()

    def log_in_again(self) -> None:
        """Keep another token, as a login does: never while the program renews the one before."""
        with lock_token(self.oauth):
            save_token(self.oauth, next_token(None, self.authorizer.give("b"), CLIENT, time.time()))

    def ask(self, answers: int) -> None:
        """Let Ann ask how the game stands, and wait for so many answers in all."""
        raw = f"From: {ANN}\r\nTo: {self.address}\r\nSubject: status\r\nMessage-ID: <{answers}@x>\r\n\r\n\r\n"
        self.stack.deliver(ANN, self.address, raw.encode())
        wait_for(lambda: len(self.stack.letters(ANN)) == answers + 1, self.told)

    @property
    def oauth(self) -> OAuth:
        """How its home logs in."""
        found = mail_settings(self.home).oauth
        assert found is not None
        return found

    @property
    def address(self) -> str:
        """To whom Ann replies."""
        return str(message_from_bytes(self.stack.letters(ANN)[0])["Reply-To"])


@pytest.fixture
def watched(oauth_stack: tuple[Authorizer, Stack], tmp_path: Path) -> Iterator[Watched]:
    authorizer, stack = oauth_stack
    home = a_mail_home(tmp_path)
    stack.deliver("somebody@example.test", HOST, b"Subject: so that it is there\r\n\r\n")
    stack.settle()
    with a_wire(stack.imap) as wire:
        write_settings(
            home,
            imap={"server": "127.0.0.1", "port": wire.port, "user": HOST},
            smtp={"server": "localhost", "port": stack.submission, "security": "starttls", "user": HOST},
            oauth=authorizer.settings(),
        )
        watched = Watched(home, authorizer, stack, wire, tmp_path / "errors")
        save_token(watched.oauth, next_token(None, authorizer.give("a"), CLIENT, time.time()))
        assert run_command(["send", "--home", str(top(home))]) == 0
        stack.settle()
        yield watched


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_mail_that_arrives_is_answered_at_once_and_it_ends_when_it_is_told_to(
    watched: Watched, end: signal.Signals
) -> None:
    with watched.watching() as program:
        watched.ask(1)
        watched.ask(2)
        program.send_signal(end)
        assert program.wait(30) == 0
    assert watched.told().count("command-status") == 2
    assert "Traceback" not in watched.told()
    assert run_command(["receive", "--home", str(top(watched.home))]) == 0


def test_a_mailbox_with_a_password_can_be_watched_too(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PBEM_IMAP_PASSWORD", "PBEM_SMTP_PASSWORD"):
        monkeypatch.setenv(name, PASSWORD)
    write_settings(
        watched.home,
        imap={"server": "127.0.0.1", "port": watched.wire.port, "user": HOST},
        smtp={"server": "localhost", "port": watched.stack.submission, "security": "starttls", "user": HOST},
    )

    with watched.watching():
        watched.ask(1)


def test_a_server_that_ends_the_watch_is_watched_again_and_nobody_is_told(watched: Watched) -> None:
    with watched.watching():
        watched.ask(1)
        watched.wire.say(b"* BYE Autologout; idle for too long\r\n")
        watched.wire.cut()
        watched.ask(2)
    lines = watched.told().splitlines()
    assert [line for line in lines if not line.startswith("mail ")] == lines[:1]


def test_a_line_that_is_cut_is_opened_again_and_what_is_wrong_meanwhile_is_told_once(
    watched: Watched,
) -> None:
    with watched.watching():
        watched.ask(1)  # nothing is on its way when the line is cut
        watched.wire.is_down = True
        watched.wire.cut()
        wait_for(lambda: f"{HOST} at 127.0.0.1" in watched.told(), watched.told)
        tries = len(watched.wire.refused)
        wait_for(lambda: len(watched.wire.refused) > tries + 2, "more tries")
        watched.wire.is_down = False
        watched.ask(2)
        wait_for(lambda: "All is well again." in watched.told(), watched.told)
    assert watched.told().count(f"{HOST} at 127.0.0.1, port") == 1
    assert "a fault of pbem" not in watched.told()
    assert watched.told().count("All is well again.") == 1


def test_the_watch_is_renewed_before_the_server_ends_it(watched: Watched) -> None:
    with watched.watching(0.3):
        wait_for(lambda: watched.wire.heard.count(b"DONE") >= 3, watched.told)
        watched.ask(1)
    assert watched.wire.heard.count(b"IDLE") >= 3


def test_a_login_that_is_taken_back_is_told_once_and_the_watch_goes_on_after_another(
    watched: Watched,
) -> None:
    with watched.watching() as program:
        watched.ask(1)
        watched.authorizer.revoke_all()
        watched.wire.cut()
        wait_for(lambda: "pbem mailbox login" in watched.told(), watched.told)
        tries = len(watched.authorizer.grants)
        wait_for(lambda: len(watched.authorizer.grants) > tries + 1, "more tries")
        assert program.poll() is None

        watched.log_in_again()
        watched.ask(2)
    assert watched.told().count("Type: pbem mailbox login") == 1


def test_a_server_that_cannot_be_watched_is_told_with_the_way_out(
    watched: Watched, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = imaplib.IMAP4.capability

    def without(line: imaplib.IMAP4) -> tuple[str, list[bytes]]:
        kind, told = whole(line)
        return kind, [one.replace(b" IDLE", b"") for one in told]

    monkeypatch.setattr(imaplib.IMAP4, "capability", without)

    assert run_command(["mailbox", "watch", "--home", str(top(watched.home))]) == 1

    assert "pbem service install --every 1" in capsys.readouterr().err
