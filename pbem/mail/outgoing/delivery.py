"""What `pbem receive` and `pbem send` do, each in a straight line; and a mailbox that is watched (IDLE)."""

from __future__ import annotations

import contextlib
import datetime
import imaplib
import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from pbem.host.office.watch import Uptime, beat, down_after, uptime
from pbem.host.run.losses import Aside, FaultGuard, make_aside
from pbem.mail.account.settings import Imap, MailSettings, add_error_cure, import_imap_tools, mail_settings
from pbem.mail.arrivals.intake import Arrival, IntakeCount, store_arrivals
from pbem.mail.arrivals.processing import SHUNTED, ProcessedMail, process, reopen_mails
from pbem.mail.arrivals.sources import SPOOL, close_mailbox, from_imap, from_maildir, from_spool, open_mailbox
from pbem.mail.conversation.acts import CommandLine
from pbem.mail.outgoing.letters import queue_reports, write_letters
from pbem.mail.outgoing.outbox import Sender, SendResult
from pbem.mail.outgoing.transports import Carrier, use_carrier
from pbem.play.homes.home import Home
from pbem.store.errors import OUR_FAULT, GateClosedError, WrongInput, error_in_words
from pbem.store.interface import WAIT_SECONDS
from pbem.store.journal import Journal
from pbem.text.names import mask_tokens

if TYPE_CHECKING:
    from imap_tools import BaseMailBox


Talk = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ReceiveResult:
    """What receiving came to.

    Attributes:
        taken: Mails that were taken in.
        processed: What became of each mail that was processed.
        problems: What could not be taken in: a source that cannot be read, or a mail of it.
        exit_code: What a program should end with: 0 everything was taken in, 1 something was not, 4 a mail
            tripped us up.
    """

    taken: IntakeCount
    processed: tuple[ProcessedMail, ...]
    problems: tuple[str, ...]
    exit_code: int = 0


def receive(
    home: Home,
    now: datetime.datetime,
    talk: Talk,
    commands: CommandLine,
    given: Callable[[Talk], Iterable[Arrival]] | None = None,
    uptime: Uptime | None = None,
) -> ReceiveResult:
    """Take mail in, make it safe, and process it; a source or a mail that fails keeps no other from it.

    Args:
        home: The home.
        now: The moment.
        talk: Tells the moderator.
        commands: Reads what the moderator mails.
        given: A source in place of those that `home.yaml` names.
        uptime: The machine's other clock, if `now` was read from the first.

    Raises:
        WrongInput: The home does not play by mail, or its journal is damaged.
        GateClosedError: Another program is processing and does not end.
    """
    settings = mail_settings(home)
    sources = [given] if given else list(_sources(home, settings, now))
    taken, problems = IntakeCount(0, 0), list[str]()
    troubles = FaultGuard(home, now, problems.append)

    def left(told: str) -> None:
        """Say that a mail is left where it lies."""
        talk(told)
        troubles.codes.append(WrongInput.exit_code)

    with home.journal() as db:
        beat(db, now, uptime, down_after(home))
        for source in sources:
            with troubles.around("not all mail was taken in"):
                more = store_arrivals(home, db, source(left), talk, troubles.set_aside)
                taken = IntakeCount(taken.new + more.new, taken.known + more.known)
    processed = process_inbox(home, now, commands)
    return ReceiveResult(taken, processed, tuple(problems), max(troubles.exit_code, _code(processed)))


def _code(processed: Iterable[ProcessedMail]) -> int:
    return OUR_FAULT if any(one.verdict == SHUNTED for one in processed) else 0


def process_inbox(home: Home, now: datetime.datetime, commands: CommandLine) -> tuple[ProcessedMail, ...]:
    """Process what was taken in; one program at a time."""
    with home.store.held("mail/processing", wait_seconds=WAIT_SECONDS):
        return tuple(process(home, now, commands))


def process_again(
    home: Home, now: datetime.datetime, commands: CommandLine, numbers: Iterable[int]
) -> ReceiveResult:
    """Process mails again that were set aside, and whatever else waits.

    Raises:
        WrongInput: A mail is not there or was not set aside; then nothing is changed.
        GateClosedError: Another program is processing and does not end.
    """
    mail_settings(home)
    reopen_mails(home, numbers)
    processed = process_inbox(home, now, commands)
    return ReceiveResult(IntakeCount(0, 0), processed, (), _code(processed))


def _sources(
    home: Home, settings: MailSettings, now: datetime.datetime
) -> Iterator[Callable[[Talk], Iterable[Arrival]]]:
    """Yield the spool, and what `home.yaml` names."""
    yield lambda talk: from_spool(home.store.beside / SPOOL, now, talk)
    maildir, imap = settings.maildir, settings.imap
    if maildir is not None:
        yield lambda talk: from_maildir(maildir, settings, now, talk)
    if imap is not None:
        yield lambda talk: _fetched(home, imap, settings, now, talk)


def _fetched(
    home: Home, imap: Imap, settings: MailSettings, now: datetime.datetime, talk: Talk
) -> Iterator[Arrival]:
    """Yield the mails of a mailbox, one program at a time: what one has moved is gone for another."""
    with home.store.held("mail/fetching", wait_seconds=WAIT_SECONDS):
        yield from from_imap(imap, settings, now, talk)


def send(
    home: Home,
    now: datetime.datetime,
    talk: Talk,
    *,
    again: bool = False,
    carrier: Carrier | None = None,
    games: Iterable[str] | None = None,
) -> SendResult:
    """Queue what was committed, and send what is due; a game or a mail that fails keeps no other from it.

    Args:
        home: The home.
        now: The moment.
        talk: Tells the moderator.
        again: Send what had failed, too.
        carrier: What takes mails out, in place of what `home.yaml` names.
        games: The games of which something may be committed and not queued; None: all.

    Raises:
        WrongInput: The home does not play by mail, or its journal is damaged.
        GateClosedError: Another program is sending.
    """
    settings = mail_settings(home)
    troubles = FaultGuard(home, now, talk)
    with home.journal() as db:
        write_letters(home, db, settings, now, troubles.set_aside, is_before_reports=True)
        queue_all(home, db, settings, now, talk, troubles.set_aside, games)
        write_letters(home, db, settings, now, troubles.set_aside)
        if again:
            db.requeue_failed()
        if carrier is not None:
            sent = Sender(home, db, settings, carrier, talk, now, aside=troubles.set_aside).send_all()
        else:
            with use_carrier(settings) as found:
                sent = Sender(home, db, settings, found, talk, now, aside=troubles.set_aside).send_all()
    return replace(sent, exit_code=max(sent.exit_code, troubles.exit_code))


def queue_all(
    home: Home,
    db: Journal,
    settings: MailSettings,
    now: datetime.datetime,
    talk: Talk,
    aside: Aside | None = None,
    games: Iterable[str] | None = None,
) -> int:
    """Queue what was committed of games, or of all; what fails is set aside, and the others go on."""
    new, aside = 0, aside or make_aside(talk)
    for game in home.games() if games is None else games:
        try:
            new += queue_reports(home, db, settings, game, now, aside)
        except Exception as wrong:
            aside(f"{game}: its reports are not queued", wrong)
    return new


@dataclass(frozen=True, slots=True)
class Letterbox:
    """The mail of a home at a moment.

    Attributes:
        home: The home, which plays by mail.
        now: The moment.
        talk: Told what went wrong.
        say: Told what became of each mail.
        commands: Reads what the moderator mails.
        uptime: The machine's other clock, if `now` was read from the first.
        told: What kept mail from being taken in; it is told once, however often mail is looked for.
        went_out: How many mails were sent, each time.
    """

    home: Home
    now: datetime.datetime
    talk: Callable[[str], None]
    say: Callable[[str], None]
    commands: CommandLine
    uptime: Uptime | None = None
    told: set[str] = field(default_factory=set)
    went_out: list[int] = field(default_factory=list)

    def take_in(self) -> tuple[int, int]:
        """Take mail in; return how many mails were processed, and what a program should end with."""
        received = receive(self.home, self.now, self.talk, self.commands, uptime=self.uptime)
        for one in received.processed:
            self.say(one.line())
        for problem in received.problems:
            if problem not in self.told:
                self.talk(f"pbem: {problem}")
        self.told.update(received.problems)
        return len(received.processed), received.exit_code

    def send_out(self, games: Iterable[str] | None = None) -> int:
        """Send what is due; return what a program should end with.

        Args:
            games: The games of which something may be committed and not queued; None: all.
        """
        sent = send(self.home, self.now, self.talk, games=games)
        self.went_out.append(sent.sent)
        return sent.exit_code


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


class StopRequestedError(Exception):
    """The program was told to end."""


class StopSignals:
    """SIGTERM and Ctrl-C: they end a wait at once, and wait themselves for what is being done."""

    def __init__(self) -> None:
        self._is_asked = self._waits = False

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Listen for them."""
        numbers = (signal.SIGTERM, signal.SIGINT)
        before = [(number, signal.signal(number, self._handle_signal)) for number in numbers]
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
                raise StopRequestedError
            yield
        finally:
            self._waits = False

    def _handle_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_asked:
            raise KeyboardInterrupt  # who says it twice does not want to wait; a kill does no harm
        self._is_asked = True
        if self._waits:
            self._waits = False
            raise StopRequestedError


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
    ending: StopSignals
    _told: str = ""
    _is_ready: bool = False
    _is_watching: bool = False

    def watch(self) -> None:
        """Watch until the program is told to end; a line that breaks is opened again.

        Raises:
            WrongInput: The package imap-tools is missing, or the server cannot be watched at all.
        """
        imap_tools = import_imap_tools()

        pause = 0.0
        with self.ending.heard(), contextlib.suppress(StopRequestedError):
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
            box = open_mailbox(self.imap)
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
        except StopRequestedError:
            with contextlib.suppress(OSError, imaplib.IMAP4.error):
                box.client.send(b"DONE\r\n")
            raise
        finally:
            close_mailbox(box)

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
            problems.append(error_in_words(wrong))
        if problems:
            self._talk_once("\n".join(problems))
        elif code == 0 and self._told:
            self._told = ""
            self.say("All is well again.")
        return code == 0

    def _tell_of_server(self, wrong: Exception) -> None:
        login, is_theirs = self.imap.login, isinstance(wrong, imaplib.IMAP4.error)
        words = (
            f"the server said or did: {wrong}"
            if is_theirs
            else add_error_cure(error_in_words(wrong), wrong, login)
        )
        self._talk_once(f"{login.user} at {login.server}, port {login.port}: {words}")

    def _talk_once(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self.talk(mask_tokens(text))


def _can_be_watched(client: imaplib.IMAP4) -> bool:
    """Tell whether a server says when mail comes; some do not tell that before the login."""
    return "IDLE" in client.capabilities or b"IDLE" in client.capability()[1][0].upper().split()


class CannotBeWatchedError(WrongInput):
    """A server has no way to say when mail comes."""
