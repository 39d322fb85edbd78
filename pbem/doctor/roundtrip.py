"""A test mail to the host itself and back: how long it takes, and what it went through."""

from __future__ import annotations

import datetime
import email
import email.utils
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.utils import format_datetime
from typing import Final

from pbem.doctor.machine import SET_CLOCK, SKEW
from pbem.doctor.patient import Finding, Patient
from pbem.mail.account.settings import MailSettings
from pbem.mail.arrivals.intake import raw_of
from pbem.mail.conversation.actlines import CommandLine
from pbem.mail.outgoing.delivery import receive
from pbem.mail.outgoing.transports import carrier_of
from pbem.store.records import Intake
from pbem.text.mail.compose import Outgoing, compose

PART: Final = "test mail"

_NAME: Final = "pbem-doctor"
"""What stands behind the plus sign of a test mail, where games have their names."""

_WORDS: Final = (
    "This is a mail of `pbem doctor` to itself. It shows that mail goes out and comes back. "
    "Nothing is done with it."
)

Clock = Callable[[], datetime.datetime]


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """What became of a test mail.

    Attributes:
        findings: What is wrong.
        seconds: How long it took; None if it did not come back.
        facts: What can be told of its way, each in words.
    """

    findings: tuple[Finding, ...]
    seconds: float | None = None
    facts: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Waiting:
    """How a test mail is waited for.

    Attributes:
        clock: Tells the moment.
        pause: Waits a little.
        most: So long it is waited for.
        talk: Told what goes wrong while mail is taken in.
        commands: Reads what the moderator mails.
    """

    clock: Clock
    pause: Callable[[], None]
    most: datetime.timedelta
    talk: Callable[[str], None]
    commands: CommandLine


def send_and_await(patient: Patient, settings: MailSettings, how: Waiting) -> RoundTrip:
    """Send a mail to the host itself, take mail in until it is there, and tell of its way.

    All mail that comes in meanwhile is taken in and processed, as by `pbem receive`.
    """
    code = secrets.token_hex(8)
    started = how.clock()
    address = f"{settings.local}+{_NAME}.{code}@{settings.domain}"
    message_id = f"<{_NAME}.{code}@{settings.domain}>"
    with patient.home.journal() as db:
        before = db.arrived()
    with carrier_of(settings) as carrier:
        answer = carrier.carry(settings.address, [address], _mail(settings, address, message_id, started))
    if answer.fate != "sent":
        text = f"the test mail was not taken: {answer.why or answer.fate}."
        return RoundTrip(
            (Finding(text, patient.pbem("doctor", "which looks at the server by itself"), PART),)
        )
    while True:
        receive(patient.home, how.clock(), how.talk, how.commands)
        if (found := _found(patient, before, message_id)) is not None:
            intake, raw = found
            wrong = (*_of_address(patient, intake, code), *_of_clock(raw, how.clock()))
            seconds = (how.clock() - started).total_seconds()
            return RoundTrip(wrong, seconds, tuple(_facts(settings, raw)))
        if how.clock() - started >= how.most:
            return RoundTrip((_lost(patient, settings, how.most),))
        how.pause()


def _mail(settings: MailSettings, to: str, message_id: str, now: datetime.datetime) -> bytes:
    return compose(
        Outgoing(
            kind="notice",
            envelope_from=settings.address,
            to=to,
            from_=settings.address,
            from_name=settings.name,
            subject="Does mail go out and come back?",
            message_id=message_id,
            date=format_datetime(now.astimezone(datetime.UTC)),
            text=_WORDS,
            headers=(("Auto-Submitted", "auto-generated"),),
        )
    )


def _found(patient: Patient, before: int, message_id: str) -> tuple[Intake, Message] | None:
    """Return the test mail, if it is among the mails that came in since."""
    with patient.home.journal() as db:
        for number in range(before + 1, db.arrived() + 1):
            intake = db.intake(number)
            raw = email.message_from_bytes(raw_of(patient.home, intake))
            if str(raw["Message-ID"]).strip() == message_id:
                return intake, raw
    return None


def _lost(patient: Patient, settings: MailSettings, most: datetime.timedelta) -> Finding:
    """Return that a test mail did not come back in time, with where to look for it."""
    text = (
        f"the test mail to {settings.address} went out, and did not come back within {most.seconds} seconds."
    )
    sends_here = settings.sendmail is not None or (settings.smtp is not None and settings.smtp.is_here)
    if sends_here:
        return Finding(text, "postqueue -p; journalctl -u 'postfix*' -n 20   # which say where it is", PART)
    later = patient.pbem("receive", "later; or look for it in the mailbox, among the spam too")
    return Finding(text, later, PART)


def _of_address(patient: Patient, intake: Intake, code: str) -> Iterator[Finding]:
    """Yield whether what stood behind the plus sign was lost on the way."""
    if code not in intake.recipient:
        text = "what stands behind the plus sign of the host's address is lost on the way."
        yield Finding(text, patient.edit("games/GAME/game.yaml", "key: true, and no mail needs it"), PART)


def _of_clock(raw: Message, now: datetime.datetime) -> Iterator[Finding]:
    """Yield whether this clock differs from that of the server that had the mail last."""
    received = raw.get_all("Received") or [""]
    told = str(received[0]).rpartition(";")[2].strip()
    try:
        moment = email.utils.parsedate_to_datetime(told)
    except ValueError:
        return
    if moment.tzinfo is not None and abs(now - moment) > SKEW:
        text = (
            f"the clock says {now.isoformat(timespec='minutes')}, and the mail server {moment.isoformat()}."
        )
        yield Finding(text, SET_CLOCK, "clock")


def _facts(settings: MailSettings, raw: Message) -> Iterator[str]:
    """Yield what a mail tells of its way: its signature, and what the own server made of it."""
    signed = str(raw["DKIM-Signature"] or "")
    fields = dict(one.strip().partition("=")[::2] for one in signed.split(";"))
    if fields.get("d"):
        yield f"it was signed (DKIM) for {fields['d']}"
    for one in raw.get_all("Authentication-Results") or ():
        if settings.authserv and str(one).strip().startswith(settings.authserv):
            yield " ".join(str(one).split())
