"""Mails looked up by the moderator: one with its answers, or all that are not with their readers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from pbem.core.interface import Json
from pbem.host.notices.news import (
    loss_in_words,
    lost_now,
    mend_command,
    resend_command,
)
from pbem.host.notices.questions import UNTOLD, barred, find_question, may_show_words
from pbem.host.run.losses import seats_without_queued_report
from pbem.host.time.deadlines import last_run_moment
from pbem.mail.arrivals.cases import mail_fingerprint
from pbem.mail.arrivals.intake import LostMailError, read_raw_mail
from pbem.mail.arrivals.processing import ProcessedMail
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journal import Journal
from pbem.store.mailout import QueuedMail
from pbem.store.records import MODERATOR, TOLD_BEFORE, Intake, iso
from pbem.text.mail.bodies import Text, text_of
from pbem.text.mail.letter import Letter, Part, read_letter
from pbem.text.mail.quotes import own_lines
from pbem.text.names import mask_tokens
from pbem.text.plaintext import printable_text

MOST_LINES: Final = 200
"""So many lines of a mail are shown."""

_ORDERS: Final = ("text/plain", "text/x-yaml", "text/yaml", "application/x-yaml", "application/yaml")


@dataclass(frozen=True, slots=True)
class SentMail:
    """A mail that goes or went out.

    Attributes:
        message_id: Its Message-ID.
        kind: What it is: "report", "receipt" and so on.
        game: The game it is about, or "".
        turn: The turn it is about.
        seat: The seat that it is for, "moderator", or "".
        to: Its address.
        at: When it was queued, ISO 8601.
        state: "queued", "claimed", "sent", "failed", "bounced" or "muted".
        why: What the server said, or why it is kept back; or "".
        subject: Its subject.
        words: What it says; its secrets are starred.
    """

    message_id: str
    kind: str
    game: str
    turn: int
    seat: str
    to: str
    at: str
    state: str
    why: str
    subject: str
    words: str

    def told(self) -> list[str]:
        """Return it in lines for people."""
        about = " ".join(filter(None, (self.game, f"turn {self.turn}" if self.game else "", self.seat)))
        why = f" ({self.why})" if self.why else ""
        return [
            f"{self.kind} {about}".strip(),
            f"to {self.to}, queued {minute_text(self.at)}, {self.state}{why}",
            f"Subject: {self.subject}",
            barred(self.words, MOST_LINES),
        ]


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """A mail that came in.

    Attributes:
        number: Its number, as the log prints it.
        verdict: What became of it, in a word; "" if it was not processed yet.
        rule: The rule that decided.
        game: The game it is about, or "".
        seat: The seat it came from, or "".
        at: When it came, ISO 8601.
        sender: Who wrote it, as far as that can be read.
        subject: Its subject.
        words: What it says; its secrets are starred. Not of a game in which the moderator plays.
        raw: Where its bytes are kept, from the home's `mail` folder.
        answers: What was written in answer to it.
        asks: What waits, or waited, for a word of the moderator in it; or None.
    """

    number: int
    verdict: str
    rule: str
    game: str
    seat: str
    at: str
    sender: str
    subject: str
    words: str
    raw: str
    answers: tuple[SentMail, ...]
    asks: Mapping[str, Json] | None

    def told(self) -> list[str]:
        """Return it in lines for people."""
        became = ProcessedMail(
            self.number, self.verdict or "not processed yet", self.rule, self.game, self.seat
        )
        return [
            became.line() if self.rule else f"mail {self.number}: {became.verdict}",
            f"from {self.sender}, {minute_text(self.at)}; the mail itself: mail/{self.raw}",
            f"Subject: {self.subject}",
            barred(self.words, MOST_LINES),
            *(line for one in self.answers for line in ("", f"Answered: {one.told()[0]}", *one.told()[1:])),
            *([] if self.answers else ["", "No answer to it was queued."]),
        ]


def find_incoming_mail(home: Home, db: Journal, number: int) -> IncomingMail:
    """Return a mail that came in, with what was answered.

    Raises:
        WrongInput: There is none of this number, or its file is gone.
    """
    if not 0 < number <= db.arrived():
        hint = "The log, `pbem digest` and your mails from pbem name the numbers of mails."
        raise WrongInput(f"no mail {number} came in.", hint)
    intake = db.intake(number)
    letter, unread = _letter_of(home, intake)
    asks = find_question(db, number)
    may_show = asks is not None or not _is_of_moderators_game(home, intake)
    words = "\n".join(_words(letter, with_files=True)) if letter else unread
    return IncomingMail(
        number=number,
        verdict=intake.verdict,
        rule=intake.rule,
        game=intake.game,
        seat=intake.seat,
        at=intake.received,
        sender=(letter.sender if letter else "") or intake.envelope_from or "nobody",
        subject=mask_tokens(printable_text(letter.subject)) if letter else "",
        words=mask_tokens(words or "(no words)") if may_show else UNTOLD,
        raw=intake.raw,
        answers=tuple(_answers(db, intake, letter, may_show=may_show)),
        asks=asks.facts() if asks else None,
    )


def find_sent_mail(home: Home, db: Journal, message_id: str) -> SentMail:
    """Return a mail that goes or went out, by its Message-ID.

    Raises:
        WrongInput: There is none.
    """
    found = db.find_by_message_id(f"<{message_id.strip().strip('<>')}>")
    if found is None:
        hint = "Name a mail by its number or its Message-ID, as the log prints them."
        raise WrongInput(f"there is no mail {message_id!r}.", hint)
    return _sent_mail(found, may_show=not found.seat or not _is_moderator_playing(home, found.game))


def _letter_of(home: Home, intake: Intake) -> tuple[Letter | None, str]:
    """Return a mail that came in; or None, and why it cannot be read."""
    try:
        found = read_letter(read_raw_mail(home, intake))
    except LostMailError:
        return None, "(its file is not there any more)"
    return (found, "") if isinstance(found, Letter) else (None, found.text)


def _answers(db: Journal, intake: Intake, written: Letter | None, *, may_show: bool) -> Iterator[SentMail]:
    """Yield what was or will be written in answer to a mail.

    It names the mail's Message-ID, or its own names the mail's number, or the day and what the mail says. A
    warning names nothing of the mail: it is the first one from then on, or the last one before.
    """
    yield from _warnings(db, intake, may_show=may_show)
    message_id = written.message_id if written else None
    lines = own_lines(written) if written else ()
    code = f"empty-{mail_fingerprint(lines, written)}.{intake.received[:10].replace('-', '')}"
    named = re.compile(rf"[.<](in{intake.id}|{code})[.@]")
    for one in db.answers_to(intake.game, intake.seat):
        letter = read_letter(one.raw)
        is_answer = isinstance(letter, Letter) and message_id and letter.header("in-reply-to") == message_id
        if is_answer or named.search(one.message_id):
            yield _sent_mail(one, may_show=may_show)
    for _, told in db.untold(intake.game):
        if named.search(f"{told.name}@"):
            of = (told.kind, told.game, told.turn, told.seat, told.address, told.at)
            words = mask_tokens(told.words) if may_show else UNTOLD
            yield SentMail("", *of, "queued", "", f"[{told.game}] {told.title}", words)


def _warnings(db: Journal, intake: Intake, *, may_show: bool) -> Iterator[SentMail]:
    """Yield what the player was warned with that a mail did not prove whose it is, or cannot be read."""
    name = {"warned": ".unproven-", "refused": ".unreadable-"}.get(intake.verdict, "")
    if not name or (intake.verdict == "refused" and intake.rule != "unreadable"):
        return
    found = [one for one in db.answers_to(intake.game, intake.seat) if name in one.message_id]
    before = [one for one in found if one.created <= intake.received]
    since = [one for one in found if one.created >= intake.received]
    is_again = intake.rule.endswith(TOLD_BEFORE)
    for one in before[-1:] if is_again and before else since[:1]:
        yield _sent_mail(one, may_show=may_show)


def _sent_mail(one: QueuedMail, *, may_show: bool) -> SentMail:
    letter = read_letter(one.raw)
    assert isinstance(letter, Letter), "pbem wrote it"
    return SentMail(
        message_id=one.message_id,
        kind=one.kind,
        game=one.game,
        turn=one.turn,
        seat=one.seat,
        to=one.rcpt,
        at=one.created,
        state=one.state,
        why=one.why,
        subject=mask_tokens(letter.subject),
        words=mask_tokens("\n".join(_words(letter, with_files=False))) if may_show else UNTOLD,
    )


def _words(letter: Letter, *, with_files: bool) -> Iterator[str]:
    """Yield the lines of a mail's text and of the orders attached to it, and the names of all other files."""
    for part in letter.parts:
        if part.content_type == "text/plain" and not part.is_attached:
            yield from _lines(part)
        elif with_files and part.content_type in _ORDERS:
            yield from ("", f"(the file {printable_text(part.filename)[:60]}:)", *_lines(part))
        elif part.filename:
            yield f"(with it comes: {printable_text(part.filename)[:60]})"


def _lines(part: Part) -> list[str]:
    found = text_of(part)
    return (
        [printable_text(line).rstrip() for line in found.lines] if isinstance(found, Text) else [found.text]
    )


def _is_of_moderators_game(home: Home, intake: Intake) -> bool:
    """Tell whether a mail is of a seat in a game in which the moderator plays."""
    return bool(intake.seat) and intake.seat != MODERATOR and _is_moderator_playing(home, intake.game)


def _is_moderator_playing(home: Home, game: str) -> bool:
    """Tell whether the moderator plays in a game; of one that cannot be opened, nobody knows."""
    try:
        return bool(game) and not may_show_words(SavedGame(home, game))
    except WrongInput:
        return False


def minute_text(at: str) -> str:
    """Return a moment of the journal, ISO 8601, to the minute."""
    return f"{at[:16].replace('T', ' ')} UTC"


UNWRITTEN: Final = "unwritten"
"""The state of what is to be told, and is no mail yet."""

_STATES: Final = {
    UNWRITTEN: "is to be written, since",
    "queued": "waits since",
    "claimed": "is being sent, or its sender was stopped; queued",
    "failed": "was refused; queued",
    "bounced": "came back; queued",
}


@dataclass(frozen=True, slots=True)
class WaitingMail:
    """A mail that is not with its reader.

    Attributes:
        kind: What it is: "report", "receipt" and so on.
        game: The game it is about, or "".
        turn: The turn it is about.
        seat: The seat that it is for; "" for the moderator or nobody at the table.
        to: Its address.
        since: When it was queued, or was to be told, ISO 8601.
        state: "unwritten", "queued", "claimed", "failed" or "bounced".
        why: What the server said, or "".
        next_try: It is not tried again before this moment, ISO 8601; "" for at once, or never.
        command: What goes on with it.
    """

    kind: str
    game: str
    turn: int
    seat: str
    to: str
    since: str
    state: str
    why: str
    next_try: str
    command: str

    def line(self) -> str:
        """Return it in a line for people."""
        about = f" of {self.game}, turn {self.turn}" if self.game else ""
        reader = f"{self.seat} ({self.to})" if self.seat else self.to
        again = f"; tried again after {minute_text(self.next_try)}" if self.next_try else ""
        why = f": {loss_in_words(self.why, self.seat)}" if self.why else ""
        return f"{self.kind}{about}, to {reader}: {_STATES[self.state]} {minute_text(self.since)}{why}{again}"


def waiting_mails(home: Home, db: Journal) -> list[WaitingMail]:
    """Return the mails that wait, were refused or came back, by what goes on with them.

    What came back counts until its reader is heard, and only where the seat still has that address.
    """
    found = [*_reports(home, db), *_tellings(db)]
    found += [_waiting_mail(one) for state in ("queued", "claimed") for one in db.outbox(state)]
    found += [
        _waiting_mail(one) for one in lost_now(home, db.came_back(is_open=True)) if _is_relevant(home, one)
    ]
    return sorted(found, key=lambda one: one.command)


def waiting_mail_lines(mails: list[WaitingMail]) -> Iterator[str]:
    """Yield mails in lines for people, below those of one kind the command that goes on with them."""
    for command, alike in groupby(mails, key=lambda one: one.command):
        yield from (one.line() for one in alike)
        yield f"    {command}"


def _reports(home: Home, db: Journal) -> Iterator[WaitingMail]:
    """Yield the reports of newest turns that are no mails yet."""
    for game in home.games():
        try:
            saved = SavedGame(home, game)
            seats, at = seats_without_queued_report(saved, db), iso(last_run_moment(saved))
        except WrongInput:  # a damaged game is told of by `pbem doctor`
            continue
        for seat in seats:
            of, to = ("report", game, saved.turn, seat), saved.players.address(seat)
            yield WaitingMail(*of, to, at, UNWRITTEN, "", "", "pbem send")


def _tellings(db: Journal) -> Iterator[WaitingMail]:
    for _, one in db.untold():
        of = (one.kind, one.game, one.turn, one.seat)
        yield WaitingMail(*of, one.address, one.at, UNWRITTEN, "", "", "pbem send")


def _waiting_mail(one: QueuedMail) -> WaitingMail:
    mend = mend_command(one)
    command = resend_command(one) or mend
    if one.state == "failed":
        command = f"pbem send --again, or with another address: {mend}" if mend else "pbem send --again"
    elif one.state != "bounced":
        command = "pbem send"
    of = (one.kind, one.game, one.turn, "" if one.seat == MODERATOR else one.seat)
    return WaitingMail(*of, one.rcpt, one.created, one.state, one.why, one.next_try, command)


def _is_relevant(home: Home, one: QueuedMail) -> bool:
    """Tell whether a lost mail still matters: it was refused, or is of a game that is here."""
    return one.state == "failed" or (bool(mend_command(one)) and home.has(one.game))
