"""Sending what the outbox holds: claim a mail, send it with a copy to the archive in one, mark it."""

from __future__ import annotations

import contextlib
import datetime
import os
import re
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from email.utils import format_datetime
from pathlib import Path
from typing import Final, Literal

from pbem.host.run.losses import Aside
from pbem.mail.account.settings import MailSettings
from pbem.mail.outgoing.letters import is_notice_true
from pbem.mail.outgoing.transports import Carrier, Fate, ServerReply
from pbem.play.homes.home import Home
from pbem.store.errors import OUR_FAULT, JournalRefused, WrongInput, fault_in_words
from pbem.store.journal import Journal
from pbem.store.mailout import QueuedMail
from pbem.store.records import ABOUT_NOW, Act, QueuedNotice, facts_of, iso
from pbem.text.mail.compose import set_mail_date

LOCK_PATIENCE: Final = 30.0
"""So many seconds are waited at most until a probe is in the archive."""

GRACE: Final = 1.5
"""So many seconds more for a mail that went the same way just before the probe."""

_HEAD: Final = 16 * 1024
_MESSAGE_ID: Final = re.compile(
    rb"^message-id:[ \t]*(?:\r?\n[ \t]+)?(<[^>\r\n]*>)", re.IGNORECASE | re.MULTILINE
)


def find_in_archive(archive: Path, wanted: Collection[str]) -> dict[str, Path]:
    """Return where the mails with these Message-IDs are in the archive; the newest files are read first.

    Raises:
        WrongInput: There is no such Maildir.
    """
    found: dict[str, Path] = {}
    for path in _newest_first(archive):
        try:
            with path.open("rb") as file:
                head = re.split(rb"\r?\n\r?\n", file.read(_HEAD), maxsplit=1)[0]
        except OSError:
            continue  # moved on meanwhile, by who reads it
        said = _MESSAGE_ID.search(head)
        message_id = said[1].decode("ascii", "replace") if said else ""
        if message_id in wanted:
            found[message_id] = path
            if len(found) == len(wanted):
                break
    return found


def await_probe(archive: Path, message_id: str, sleep: Callable[[float], None]) -> bool:
    """Wait until a probe is in the archive, and a little longer: what was sent before it should be there too.

    Returns:
        Whether it came; if not, the archive proves nothing now.
    """
    for _ in range(int(LOCK_PATIENCE / 0.1)):
        if found := find_in_archive(archive, (message_id,)):
            sleep(GRACE)
            for path in found.values():
                path.unlink(missing_ok=True)
            return True
        sleep(0.1)
    return False


def _newest_first(archive: Path) -> Iterator[Path]:
    folders = [archive / name for name in ("new", "cur")]
    if not all(folder.is_dir() for folder in folders):
        raise WrongInput(f"{archive} is no Maildir: it has no new and cur.", "See `archive` in home.yaml.")
    names = []
    for folder in folders:
        with os.scandir(folder) as entries:
            names += [(entry.stat().st_mtime, entry.path) for entry in entries if entry.name[0] != "."]
    for _, path in sorted(names, reverse=True):
        yield Path(path)


FIRST_PAUSE: Final = datetime.timedelta(minutes=5)
"""Until a mail that was not taken is tried again; doubled with every try."""

UNREACHABLE: Final = datetime.timedelta(seconds=30)
"""Until a worker tries a mail again for which no server was reached."""

GIVE_UP: Final = datetime.timedelta(days=2)
PATIENCE: Final = datetime.timedelta(hours=4)
"""A mail that is not taken for so long is no matter of greylisting any more: the exit code says so."""

LOCK_SECONDS: Final = 5.0

Talk = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SendResult:
    """What sending came to.

    Attributes:
        sent: Mails that were sent.
        failed: Mails that never will be, or that tripped the program up; the moderator should know.
        later: Mails that were not taken this time.
        unsure: Mails of which nobody can say yet whether they were sent.
        waiting: Mails that are not sent yet, these among them.
        exit_code: What a program should end with: 0 nothing is wrong, also if a server has put a mail off
            for a while; 1 the moderator should look: no server was reached, a mail was refused or is put off
            for hours, or nobody knows; 4 a mail tripped us up.
    """

    sent: int = 0
    failed: int = 0
    later: int = 0
    unsure: int = 0
    waiting: int = 0
    exit_code: int = 0

    def worse(self, code: int) -> SendResult:
        """Return the same with an exit code that is at least so bad."""
        return replace(self, exit_code=max(self.exit_code, code))


@dataclass(frozen=True, slots=True)
class Sender:
    """Everything that sending needs.

    Attributes:
        home: The home.
        db: Its journal.
        settings: What it says about mail.
        carrier: What takes mails out.
        talk: Tells the moderator.
        now: The moment of the run.
        sleep: Waits so many seconds.
        aside: Told of a mail that tripped the program up; the others are sent. None: what is wrong is raised.
    """

    home: Home
    db: Journal
    settings: MailSettings
    carrier: Carrier
    talk: Talk
    now: datetime.datetime
    sleep: Callable[[float], None] = time.sleep
    aside: Aside | None = None

    def send_all(self) -> SendResult:
        """Send everything that is due.

        Raises:
            GateClosedError: Another program is sending.
        """
        with self.home.store.held("mail/sending", wait_seconds=LOCK_SECONDS):
            unsure = self._resolve_all_claims()
            done = self._send_due()
            if done.unsure:
                done = replace(done, unsure=self._resolve_all_claims())
                unsure = 0
        waiting = self.db.waiting()
        done = replace(done, unsure=done.unsure + unsure, waiting=int(waiting))
        return done.worse(WrongInput.exit_code if done.unsure else 0)

    def send_one(self, number: int) -> SendResult:
        """Send one mail, if it is due and nobody else is sending it; without a server it is put off."""
        with self.home.store.claimed("outbox", number) as is_mine:
            if not is_mine:
                return SendResult()
            mail = self.db.queued(number)
            unsure = self._resolve_claims([mail]) if mail.state == "claimed" else 0
            done, fate = self._send_one(number, SendResult())
            if fate == "unreachable" or unsure or done.unsure:
                self.db.postpone_mail(number, self.now + UNREACHABLE)
        return replace(done, unsure=done.unsure + unsure)

    def _resolve_all_claims(self) -> int:
        """Find out about mails that killed senders had claimed; return of how many nobody can say yet."""
        with contextlib.ExitStack() as stack:
            claimed = []
            for mail in self.db.outbox("claimed"):
                is_mine = stack.enter_context(self.home.store.claimed("outbox", mail.id))
                if is_mine and self.db.queued(mail.id).state == "claimed":
                    claimed.append(mail)
            return self._resolve_claims(claimed)

    def _resolve_claims(self, claimed: list[QueuedMail]) -> int:
        """Find out about mails that were claimed by somebody who is gone."""
        if not claimed:
            return 0
        archive = self.settings.archive
        found: dict[str, object] = {}
        if archive is not None:
            wanted = [mail.message_id for mail in claimed]
            found.update(find_in_archive(archive, wanted))
            if len(found) < len(wanted) and not self._probe_archive():
                self._warn_of_unproven(len(wanted) - len(found))
                claimed = [mail for mail in claimed if mail.message_id in found]
                return self._mark_settled(claimed, found, len(wanted) - len(found))
            found.update(find_in_archive(archive, wanted))
        return self._mark_settled(claimed, found, 0)

    def _mark_settled(self, claimed: list[QueuedMail], found: dict[str, object], unsure: int) -> int:
        for mail in claimed:
            if mail.message_id in found:
                self.db.mark(mail.id, "sent", self.now)
            else:
                self.db.mark(mail.id, "queued", self.now, why="the sender was stopped")
        return unsure

    def _probe_archive(self) -> bool:
        """Tell whether a mail that is sent to the archive now gets there."""
        archive, settings = self.settings.archive, self.settings
        assert archive is not None, "the caller has looked"
        message_id = f"<probe.{time.time_ns()}@{settings.domain}>"
        head = (
            f"From: <{settings.address}>\r\nTo: <{settings.archive_address}>\r\nMessage-ID: {message_id}\r\n"
            f"Date: {format_datetime(self.now)}\r\n"
        )
        raw = f"{head}Subject: probe\r\nAuto-Submitted: auto-generated\r\n\r\n".encode()
        answer = self.carrier.carry(self._plain_sender(), [settings.archive_address], raw)
        return answer.fate == "sent" and await_probe(archive, message_id, self.sleep)

    def _warn_of_unproven(self, mails: int) -> None:
        self.talk(
            f"{self.settings.archive} gets no mail now, so nobody can say whether mails that were being sent "
            f"when the sender was stopped went out: {mails}. Each is kept, and looked for again next time."
        )

    def _send_due(self) -> SendResult:
        total, last = SendResult(), -1
        pause = 60 / self.settings.per_minute if self.settings.per_minute else 0.0
        while (number := self.db.next_due(self.now, last)) is not None:
            last = number
            with self.home.store.claimed("outbox", number) as is_mine:
                total, fate = self._send_one(number, total) if is_mine else (total, "")
            if fate == "unreachable":
                break
            if fate:
                self.sleep(pause)
        return total

    def _send_one(self, number: int, total: SendResult) -> tuple[SendResult, Fate | Literal[""]]:
        """Send a mail that nobody else is sending, if it is still due; count it, and say its fate."""
        mail = self.db.claim(number, self.now)
        if mail is None:
            return total, ""
        try:
            if (told := self._outdated_notice(mail)) is not None:
                self.db.mark_overtaken(mail.id, told)
                return total, ""
            answer = self._transmit_mail(mail)
            return self._mark(mail, answer, total), answer.fate
        except (WrongInput, OSError):  # it is about the disk, and so about all mails
            raise
        except Exception as fault:
            return self._set_aside(mail, fault, total), ""

    def _outdated_notice(self, mail: QueuedMail) -> QueuedNotice | None:
        """Weigh a mail that is about to leave; return the notice in it if what that tells is so no longer.

        Of a game that cannot be read nobody knows it, and the mail goes out as it is.
        """
        told = self.db.notice_of_mail(mail.message_id) if mail.kind in ABOUT_NOW else None
        if told is None:
            return None
        try:
            return None if is_notice_true(self.home, self.db, told, self.now) else told
        except JournalRefused:
            raise
        except WrongInput:
            return None

    def _transmit_mail(self, mail: QueuedMail) -> ServerReply:
        recipients = [mail.rcpt, *filter(None, [self.settings.archive_address])]
        raw = set_mail_date(mail.raw, format_datetime(self.now))  # however long it has waited
        sender = self.settings.address if self.settings.plain_sender else mail.envelope_from
        return self.carrier.carry(sender or self._plain_sender(), recipients, raw)

    def _set_aside(self, mail: QueuedMail, fault: Exception, total: SendResult) -> SendResult:
        """Set a mail aside that tripped the program up; `pbem send --again` tries it once more."""
        if self.aside is None:
            raise fault
        self.carrier.close()  # the line may be in the middle of this mail, and the next begins a new one
        told = fault_in_words(fault)
        with self.db.writing():
            self.db.mark(mail.id, "failed", self.now, why=told)
            self.db.act(self._failure(mail, told))
        about = f"{mail.game}: " if mail.game else ""
        what = f"the {mail.kind} of turn {mail.turn} to {mail.seat or 'the moderator'} is not sent"
        self.aside(f"{about}{what}", fault)  # the same words for all notices, or each would set off another
        return replace(total, failed=total.failed + 1).worse(OUR_FAULT)

    def _plain_sender(self) -> str:
        """Return the envelope's sender of a mail that has none: answers, which must not bounce (RFC 3834).

        A provider's server, which asks who we are, takes no mail without a sender. There it is the host's own
        address: what comes back to it is known as a notice or as automatic, and is never answered.
        """
        login = self.settings.smtp
        return self.settings.address if login is not None and login.user else ""

    def _mark(self, mail: QueuedMail, answer: ServerReply, total: SendResult) -> SendResult:
        """Note what became of a mail, and count it."""
        if answer.fate == "sent":
            self.db.mark(mail.id, "sent", self.now)
            return replace(total, sent=total.sent + 1)
        self.talk(f"{mail.message_id}: {answer.why}")
        if answer.fate == "unknown" and self.settings.archive is not None:
            return replace(total, unsure=total.unsure + 1)  # it stays claimed, and is looked for
        age = self.now - datetime.datetime.fromisoformat(mail.created)
        if answer.fate == "refused" or (answer.fate != "unreachable" and age > GIVE_UP):
            with self.db.writing():
                self.db.mark(mail.id, "failed", self.now, why=answer.why)
                self.db.act(self._failure(mail, answer.why))
            return replace(total, failed=total.failed + 1).worse(WrongInput.exit_code)
        pause = FIRST_PAUSE * 2 ** min(mail.tries - 1, 12)
        next_try = None if answer.fate == "unreachable" else self.now + pause
        self.db.mark(mail.id, "queued", self.now, why=answer.why, next_try=next_try)
        is_bad = answer.fate == "unreachable" or answer.is_fault or age > PATIENCE
        return replace(total, later=total.later + 1).worse(WrongInput.exit_code if is_bad else 0)

    def _failure(self, mail: QueuedMail, why: str) -> Act:
        facts = facts_of("mail-failed", mail=mail.kind, turn=mail.turn, seat=mail.seat, why=why)
        return Act(iso(self.now), "host", mail.game, "mail failed", "", 0, facts)
