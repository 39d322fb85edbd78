"""Watching a mailbox (IMAP IDLE, RFC 2177): mail is taken in and answered as soon as it is there."""

from __future__ import annotations

import contextlib
import datetime
import imaplib
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from pbem.host.office.watch import uptime
from pbem.mail.account.settings import Imap, need_package, with_cure
from pbem.mail.arrivals.sources import opened, shut
from pbem.mail.conversation.actlines import CommandLine
from pbem.mail.outgoing.delivery import Letterbox
from pbem.play.homes.home import Home
from pbem.store.errors import GateClosedError, WrongInput, told_in_words
from pbem.text.names import mask

if TYPE_CHECKING:
    from imap_tools import BaseMailBox

RENEW_SECONDS: Final = 540.0
"""So long is waited at once: a server may end it after 30 minutes, and routers forget a line sooner."""

AGAIN_SECONDS: Final = 60.0
"""So long is waited after mail could not be taken in or sent."""

STEADY_SECONDS: Final = 60.0
"""A line that held so long was a good one: the next is opened at once."""

FIRST_PAUSE: Final = 5.0
LONGEST_PAUSE: Final = 300.0
"""Seconds between two tries to reach the server."""

_IDLE_TALK: Final = re.compile(rb"\* (\d+ (EXPUNGE|FETCH|RECENT)|OK|NO|FLAGS|VANISHED)\b", re.IGNORECASE)
"""What a server says besides that there is mail, or that it ends."""


class EndedError(Exception):
    """The program was told to end."""


class Ending:
    """SIGTERM and Ctrl-C: they end a wait at once, and wait themselves for what is being done."""

    def __init__(self) -> None:
        self._is_asked = self._waits = False

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Listen for them."""
        numbers = (signal.SIGTERM, signal.SIGINT)
        before = [(number, signal.signal(number, self._asked)) for number in numbers]
        try:
            yield
        finally:
            for number, handler in before:
                signal.signal(number, handler)

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for something, or until the program is told to end.

        Raises:
            EndedError: It was told.
        """
        self._waits = True
        try:
            if self._is_asked:
                raise EndedError
            yield
        finally:
            self._waits = False

    def _asked(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_asked:
            raise KeyboardInterrupt  # who says it twice does not want to wait; a kill does no harm
        self._is_asked = True
        if self._waits:
            self._waits = False
            raise EndedError


@dataclass(slots=True)
class Watcher:
    """Watches a mailbox.

    Attributes:
        home: The home to which its mail belongs.
        imap: The mailbox.
        clock: Tells the moment.
        talk: Told what went wrong, once as long as it stays the same.
        say: Told what became of each mail.
        commands: Reads what the moderator mails.
        ready: Called when the mailbox is watched for the first time.
        ending: Knows when to end.
    """

    home: Home
    imap: Imap
    clock: Callable[[], datetime.datetime]
    talk: Callable[[str], None]
    say: Callable[[str], None]
    commands: CommandLine
    ready: Callable[[], None]
    ending: Ending
    _told: str = ""
    _is_ready: bool = False
    _is_watching: bool = False

    def watch(self) -> None:
        """Watch until the program is told to end; a line that breaks is opened again.

        Raises:
            WrongInput: The package imap-tools is missing, or the server cannot be watched at all.
        """
        imap_tools = need_package()

        pause = 0.0
        with self.ending.heard(), contextlib.suppress(EndedError):
            while True:
                with self.ending.waiting():
                    time.sleep(pause)
                began = time.monotonic()
                try:
                    self._watch_one_line()
                except CannotBeWatchedError:
                    raise
                except (WrongInput, OSError, imaplib.IMAP4.error, imap_tools.ImapToolsError) as wrong:
                    is_steady = time.monotonic() - began >= STEADY_SECONDS
                    pause = 0.0 if is_steady else min(max(pause * 2, FIRST_PAUSE), LONGEST_PAUSE)
                    if not self._is_watching:  # a line that held for a while is opened again without a word
                        self._tell_of_server(wrong)

    def _watch_one_line(self) -> None:
        """Watch on one line to the server, until it breaks."""
        self._is_watching = False
        with self.ending.waiting():
            box = opened(self.imap)
        idle: Any = box.idle
        try:
            if not _can_be_watched(box.client):
                hint = "Let a night job look often: pbem service install --every 1."
                raise CannotBeWatchedError(f"{self.imap.login.server} does not say when mail comes.", hint)
            while True:
                # Told of what comes first, and then taking in what is there: nothing falls between.
                idle.start()
                if not self._is_ready:
                    self._is_ready = True
                    self.ready()
                self._is_watching = True
                seconds = RENEW_SECONDS if self._work() else AGAIN_SECONDS
                self._await_mail(box, seconds)
                idle.stop()
        except EndedError:
            with contextlib.suppress(OSError, imaplib.IMAP4.error):
                box.client.send(b"DONE\r\n")
            raise
        finally:
            shut(box)

    def _await_mail(self, box: BaseMailBox, seconds: float) -> None:
        """Wait until there is mail, the line breaks, or the time is over."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            with self.ending.waiting():
                told = box.idle.poll(timeout=left)
            if not told or not all(_IDLE_TALK.match(line) for line in told):
                return

    def _work(self) -> bool:
        """Take in, process and answer what is there; return whether all went well."""
        problems: list[str] = []
        letters = Letterbox(self.home, self.clock(), problems.append, self.say, self.commands, uptime())
        try:
            _, code = letters.take_in()
            code = max(code, letters.send_out())
        except (WrongInput, GateClosedError, OSError) as wrong:
            code = 1
            problems.append(told_in_words(wrong))
        if problems:
            self._tell("\n".join(problems))
        elif code == 0 and self._told:
            self._told = ""
            self.say("All is well again.")
        return code == 0

    def _tell_of_server(self, wrong: Exception) -> None:
        login, is_theirs = self.imap.login, isinstance(wrong, imaplib.IMAP4.error)
        words = (
            f"the server said or did: {wrong}" if is_theirs else with_cure(told_in_words(wrong), wrong, login)
        )
        self._tell(f"{login.user} at {login.server}, port {login.port}: {words}")

    def _tell(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self.talk(mask(text))


def _can_be_watched(client: imaplib.IMAP4) -> bool:
    """Tell whether a server says when mail comes; some do not tell that before the login."""
    return "IDLE" in client.capabilities or b"IDLE" in client.capability()[1][0].upper().split()


class CannotBeWatchedError(WrongInput):
    """A server has no way to say when mail comes."""
