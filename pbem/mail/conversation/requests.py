"""What players can ask for by mail, one function each; the table of words is in `commands`."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.host.people.ballots import KINDS
from pbem.host.people.voting import vote
from pbem.host.run.acting import refuse_cancelled
from pbem.host.run.notes import read_notes
from pbem.host.time.moving import announce_absence, cancel_absences, time_away
from pbem.host.time.whens import EXAMPLES, read_when
from pbem.mail.arrivals.desk import Desk
from pbem.mail.outgoing.duenow import due_now
from pbem.mail.outgoing.reportmails import Post, form_page_file, newest_again
from pbem.play.config.schedule import DAY
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import Declined
from pbem.text.mail.message.compose import Attachment

_DAY: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_BETWEEN: Final = re.compile(
    rf"\s+(?:to|until|till|through|[-–])\s+|(?<=[a-z])\s*[-–]\s*(?=[0-9])|\s*\.\.\s*|(?<=[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})\s*[-/]\s*(?={_DAY})",
    re.IGNORECASE,
)
"""What stands between the first day of an absence and its last."""

_TH: Final = r"(?:\.|st|nd|rd|th)?"
_IN_A_MONTH: Final = re.compile(
    rf"(?P<before>[a-z]{{3,}}\.? )?(?P<first>[0-9]{{1,2}}{_TH})\s*(?:to|until|till|through|[-–])\s*"
    rf"(?P<last>[0-9]{{1,2}}{_TH})(?P<after>(?(before)|(?: of)? [a-z]{{3,}}\.?)(?:,? [0-9]{{4}})?)",
    re.IGNORECASE,
)
"""Two days of a month that is named once: `10 to 12 December`, `Dec 10-12`."""

_VOTE_STARTS: Final = re.compile(r"^(?:for\s+)?(?:an?\s+|the\s+)?")
_VOTE_ENDS: Final = re.compile(r"\s+of\s+(?:the|this|our)\s+(?:deadline|game)\W*$")
"""What may stand around the word of a vote: `for an extension of the deadline`."""

_BEFORE: Final = re.compile(r"^(?:from|until|till|to)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wish:
    """A command as it was given.

    Attributes:
        words: What stands behind its word.
        number: The number of its mail.
    """

    words: str
    number: int


@dataclass(frozen=True, slots=True)
class Told:
    """What came of a command, for its sender.

    Attributes:
        subject: In a few words.
        paragraphs: In sentences.
        quoted: What is shown besides, such as orders.
        attachments: Files that come with it.
        is_done: It was carried out.
        tells_end: It says how the moderator ended the game.
    """

    subject: str
    paragraphs: tuple[str, ...]
    quoted: str = ""
    attachments: tuple[Attachment, ...] = ()
    is_done: bool = True
    tells_end: bool = False


def rules(desk: Desk, saved: SavedGame, _seat: Seat, _wish: Wish) -> Told:
    """Send the game book, as a page and as plain text."""
    files = Post(desk.settings, saved, desk.db).book
    said = (
        f"Attached is the game book of {saved.name}: the rules, all tables, how orders are written, and the "
        f"options of this game. {files[0].name} is a page that you can open and print; {files[1].name} says "
        "the same as plain text."
    )
    return Told("The game book", (said,), attachments=files)


def resend(desk: Desk, saved: SavedGame, seat: Seat, wish: Wish) -> Told:
    """Send the seat's newest report again."""
    mail = newest_again(Post(desk.settings, saved, desk.db), seat, f"in{wish.number}", desk.now)
    if mail is not None:
        desk.db.put(mail, desk.now)
    return Told("Your newest report", (f"Your report of turn {saved.turn} is sent again.",))


def page(desk: Desk, saved: SavedGame, seat: Seat, _wish: Wish) -> Told:
    """Send the seat's form page, also where it is not asked yet."""
    if isinstance(saved.ask, Outcome):
        raise Declined(f"{saved.name} is over; there is nothing to order.")
    refuse_cancelled(saved)
    due = due_now(saved, seat, read_notes(desk.db, saved.home, saved.name))
    file = form_page_file(Post(desk.settings, saved, desk.db), seat, due)
    said = (
        f"Attached is the page of your newest report to click orders in, {file.name}. It is for you alone: "
        "show it to nobody."
    )
    return Told("The page for your orders", (said,), attachments=(file,))


def days_ahead(now: datetime.datetime) -> str:
    """Return a first day and a last that are to come, as `absent` takes them: an example."""
    first, last = (now + days * DAY for days in (14, 21))
    return f"{first:%Y-%m-%d} to {last:%Y-%m-%d}"


def absent(desk: Desk, saved: SavedGame, seat: Seat, wish: Wish) -> Told:
    """Note that the seat's player is away, whole days in the player's own time zone."""
    words = wish.words.lower()
    if words in ("off", "no", "cancel", "back"):
        effect = cancel_absences(desk.home, saved.name, seat, desk.now, seat)
        return Told("You are back", (f"Noted: you are back. {effect}",))
    if not words:
        raise Declined("it names no days.", to_player="A day is written 2026-12-24 or 24 Dec.")
    days = _days(_BEFORE.sub("", wish.words.strip()))
    if len(days) > 2:
        raise Declined(f"{wish.words!r} names more than a first day and a last.", to_player=EXAMPLES)
    *first, last = (read_when(day, desk.now, saved.table.zone_of(seat)) for day in days)
    absence = time_away(first[0] if first else None, last, desk.now)
    effect = announce_absence(desk.home, saved.name, seat, absence, desk.now, seat)
    back = "If you are back earlier, write `absent back` in the first line of a mail."
    return Told(
        "You are away", (f"Noted: you are away {absence.told(saved.table, seat)}.", f"{effect} {back}")
    )


def _days(words: str) -> list[str]:
    """Return the first day and the last of an absence, or the last alone; a month may count for both."""
    if found := _IN_A_MONTH.fullmatch(words):
        before, after = found["before"] or "", found["after"].replace(" of ", " ")
        return [f"{before}{found[day]}{after}".replace(".", "") for day in ("first", "last")]
    return _BETWEEN.split(words)


def vote_for(desk: Desk, saved: SavedGame, seat: Seat, wish: Wish) -> Told:
    """Vote; what is carried by it happens."""
    return _voted(desk, saved, seat, wish, yes=True)


def vote_no_more(desk: Desk, saved: SavedGame, seat: Seat, wish: Wish) -> Told:
    """Take a vote back."""
    return _voted(desk, saved, seat, wish, yes=False)


def _voted(desk: Desk, saved: SavedGame, seat: Seat, wish: Wish, *, yes: bool) -> Told:
    kind = _VOTE_STARTS.sub("", _VOTE_ENDS.sub("", wish.words.lower())).strip()
    kind = "extension" if kind == "extend" else kind
    if kind not in KINDS:
        known = f"There are votes for {', '.join(KINDS)}."
        raise Declined(f"there is no vote for {kind!r}.", to_player=known)
    voted = vote(desk.home, saved.name, seat, kind, desk.now, yes=yes)
    return Told(f"Your vote: {kind}", (voted.text,))
