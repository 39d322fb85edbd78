"""Mail on its way: mails that got stuck, and a test mail to the host itself and back."""

from __future__ import annotations

import contextlib
import datetime
import email
import email.utils
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.utils import format_datetime
from typing import Final

from pbem.doctor import Finding, Patient
from pbem.doctor.home import SET_CLOCK, SKEW
from pbem.host.notices.news import (
    doubtful_notices,
    loss_in_words,
    lost_now,
    resend_command,
)
from pbem.host.run.losses import seats_without_queued_report
from pbem.host.time.deadlines import last_run_moment
from pbem.mail.account.settings import MailSettings
from pbem.mail.arrivals.intake import read_raw_mail
from pbem.mail.conversation.acts import CommandLine
from pbem.mail.outgoing.delivery import receive
from pbem.mail.outgoing.transports import use_carrier
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journal import Journal
from pbem.store.mailout import QueuedMail
from pbem.store.records import Intake
from pbem.text.mail.compose import Outgoing, compose

PATIENCE: Final = datetime.timedelta(hours=1)
"""A mail that waits for longer is stuck: night jobs come every few minutes."""

_MOST: Final = 5


def look_at_stuck_mails(patient: Patient) -> Iterator[Finding]:
    """Yield which mails got stuck, the first ones of each kind by name."""
    patient.needed_mail()
    if not patient.home.has_journal:
        return
    with patient.home.journal() as db:
        yield from _check_unread(patient, db)
        yield from _set_aside(patient, db)
        yield from _check_unsent(patient, db)
        yield from _check_failed(patient, db)
        yield from _check_returned(patient, db)
        yield from _check_doubtful(patient, db)
        yield from _check_unmade_reports(patient, db)


def _check_unread(patient: Patient, db: Journal) -> Iterator[Finding]:
    oldest = db.oldest_new()
    if oldest is not None and patient.now - oldest > PATIENCE:
        since = oldest.isoformat(timespec="minutes")
        text = f"{_mail_count_phrase(db.unread())} not processed, the first since {since}."
        yield Finding(text, patient.pbem("receive"))
    waits = [
        one for one in db.mails_without_verdict(_MOST) if one.verdict and patient.now - one.moment > PATIENCE
    ]
    if waits:
        games = ", ".join(dict.fromkeys(one.game or "the home" for one in waits))
        text = f"{_mail_count_phrase(len(waits))} put off again and again; something is wrong with {games}."
        yield Finding(text, patient.pbem("receive", "which says what"))


def _set_aside(patient: Patient, db: Journal) -> Iterator[Finding]:
    for one in db.mails_with_verdict(("shunted",), after=0)[-_MOST:]:
        text = (
            f"mail {one.id} tripped pbem up, and was set aside; mail/shunted/{one.id}.txt has what to report."
        )
        yield Finding(text, patient.pbem(f"receive --again {one.id}"))


def _check_unsent(patient: Patient, db: Journal) -> Iterator[Finding]:
    for state in ("queued", "claimed"):
        late = [one for one in db.outbox(state) if _is_late(one, patient.now)]
        if late:
            why = next((one.why for one in late if one.why), "")
            since = f"{late[0].created}{f': {why}' if why else ''}"
            text = f"{_mail_count_phrase(len(late))} not sent, the first since {since}."
            yield Finding(text, patient.pbem("send"))
    if untold := db.count_unwritten_notices():
        what = "1 thing is" if untold == 1 else f"{untold} things are"
        oldest = min(datetime.datetime.fromisoformat(one.at) for _, one in db.untold())
        if patient.now - oldest > PATIENCE:
            yield Finding(f"{what} still to be told to players or to you.", patient.pbem("send"))


def _is_late(one: QueuedMail, now: datetime.datetime) -> bool:
    return now - datetime.datetime.fromisoformat(one.created) > PATIENCE


def _check_failed(patient: Patient, db: Journal) -> Iterator[Finding]:
    for one in [*lost_now(patient.home, db.outbox("failed"))][-_MOST:]:
        why = f": {one.why}" if one.why else ""
        to = f"to {one.seat} of {one.game} " if one.seat else "to the moderator "
        address = (
            f"if the address is wrong: {patient.pbem(f'seat {one.game} {one.seat} --address NAME@DOMAIN')}"
        )
        text = f"the {one.kind} of turn {one.turn} {to}was refused{why}."
        yield Finding(text, patient.pbem("send --again", address if one.seat else ""))


def _check_returned(patient: Patient, db: Journal) -> Iterator[Finding]:
    """Yield which mails to seats of running games came back."""
    for one in [*lost_now(patient.home, db.came_back(is_open=True))][-_MOST:]:
        if one.state != "bounced" or not one.seat or one.game not in patient.running:
            continue
        why = loss_in_words(one.why, one.seat)
        way = "--resend" if resend_command(one) else "--address NAME@DOMAIN"
        text = f"the {one.kind} of turn {one.turn} to {one.seat} of {one.game} came back: {why}."
        yield Finding(text, patient.pbem(f"seat {one.game} {one.seat} {way}"))


def _check_doubtful(patient: Patient, db: Journal) -> Iterator[Finding]:
    """Yield which mails of running games may have come back."""
    for game in patient.running:
        with contextlib.suppress(WrongInput):  # told with the games
            for one in doubtful_notices(SavedGame(patient.home, game), db)[-_MOST:]:
                text = (
                    f"mail {one.id} may say that a mail to {one.seat} of {game} came back; it proves nothing."
                )
                mend = patient.pbem(f"seat {game} {one.seat} --address NAME@DOMAIN")
                yield Finding(text, patient.pbem(f"answer {one.id}", f"which shows it; then perhaps {mend}"))


def _check_unmade_reports(patient: Patient, db: Journal) -> Iterator[Finding]:
    """Yield of which games the reports of the newest turn have not become mails."""
    for game in patient.games:
        try:
            saved = SavedGame(patient.home, game)
            readers = (
                ", ".join(seats_without_queued_report(saved, db))
                if patient.now - last_run_moment(saved) > PATIENCE
                else ""
            )
        except WrongInput:
            continue  # told with the games
        if readers:
            text = f"{game}: the reports of turn {saved.turn} did not go out to {readers}."
            yield Finding(text, patient.pbem("send"))


def _mail_count_phrase(number: int) -> str:
    return "1 mail is" if number == 1 else f"{number} mails are"


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
class WaitPlan:
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


def send_and_await(patient: Patient, settings: MailSettings, how: WaitPlan) -> RoundTrip:
    """Send a mail to the host itself, take mail in until it is there, and tell of its way.

    All mail that comes in meanwhile is taken in and processed, as by `pbem receive`.
    """
    code = secrets.token_hex(8)
    started = how.clock()
    address = f"{settings.local}+{_NAME}.{code}@{settings.domain}"
    message_id = f"<{_NAME}.{code}@{settings.domain}>"
    with patient.home.journal() as db:
        before = db.arrived()
    with use_carrier(settings) as carrier:
        answer = carrier.carry(settings.address, [address], _mail(settings, address, message_id, started))
    if answer.fate != "sent":
        text = f"the test mail was not taken: {answer.why or answer.fate}."
        return RoundTrip(
            (Finding(text, patient.pbem("doctor", "which looks at the server by itself"), PART),)
        )
    while True:
        receive(patient.home, how.clock(), how.talk, how.commands)
        if (found := _find_test_mail(patient, before, message_id)) is not None:
            intake, raw = found
            wrong = (*_check_plus_address(patient, intake, code), *_check_clock(raw, how.clock()))
            seconds = (how.clock() - started).total_seconds()
            return RoundTrip(wrong, seconds, tuple(_authentication_facts(settings, raw)))
        if how.clock() - started >= how.most:
            return RoundTrip((_lost_finding(patient, settings, how.most),))
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


def _find_test_mail(patient: Patient, before: int, message_id: str) -> tuple[Intake, Message] | None:
    """Return the test mail, if it is among the mails that came in since."""
    with patient.home.journal() as db:
        for number in range(before + 1, db.arrived() + 1):
            intake = db.intake(number)
            raw = email.message_from_bytes(read_raw_mail(patient.home, intake))
            if str(raw["Message-ID"]).strip() == message_id:
                return intake, raw
    return None


def _lost_finding(patient: Patient, settings: MailSettings, most: datetime.timedelta) -> Finding:
    """Return that a test mail did not come back in time, with where to look for it."""
    text = (
        f"the test mail to {settings.address} went out, and did not come back within {most.seconds} seconds."
    )
    sends_here = settings.sendmail is not None or (settings.smtp is not None and settings.smtp.is_here)
    if sends_here:
        return Finding(text, "postqueue -p; journalctl -u 'postfix*' -n 20   # which say where it is", PART)
    later = patient.pbem("receive", "later; or look for it in the mailbox, among the spam too")
    return Finding(text, later, PART)


def _check_plus_address(patient: Patient, intake: Intake, code: str) -> Iterator[Finding]:
    """Yield whether what stood behind the plus sign was lost on the way."""
    if code not in intake.recipient:
        text = "what stands behind the plus sign of the host's address is lost on the way."
        yield Finding(text, patient.edit("games/GAME/game.yaml", "key: true, and no mail needs it"), PART)


def _check_clock(raw: Message, now: datetime.datetime) -> Iterator[Finding]:
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


def _authentication_facts(settings: MailSettings, raw: Message) -> Iterator[str]:
    """Yield what a mail tells of its way: its signature, and what the own server made of it."""
    signed = str(raw["DKIM-Signature"] or "")
    fields = dict(one.strip().partition("=")[::2] for one in signed.split(";"))
    if fields.get("d"):
        yield f"it was signed (DKIM) for {fields['d']}"
    for one in raw.get_all("Authentication-Results") or ():
        if settings.authserv and str(one).strip().startswith(settings.authserv):
            yield " ".join(str(one).split())
