"""What the journal holds, a class for each table; every kind of thing done or told; and jobs for workers."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from pbem.core.interface import Json

Kind: TypeAlias = Literal[
    "report", "receipt", "press", "reminder", "deadline", "vote", "notice", "digest", "invitation"
]
"""Of a mail that goes out."""

ABOUT_NOW: Final = ("reminder", "deadline", "vote")
"""The kinds of notices that tell how things are now: whether one is sent is decided when it leaves."""


TOLD_BEFORE: Final = "-again"
WITH_ORDERS: Final = "-orders"
"""End the rule of a mail that did not prove whose it is: its player was told of such a one the same day, or
orders stand in it; the former stands behind the latter."""

PRESS_WITH_SECRET: Final = "press-secret"
PRESS_WITH_ORDERS: Final = "press-orders"
PRESS_TO_NOBODY: Final = "press-readers"
"""The rules of press that was not passed on: a secret or orders stand in it, or its readers are not known."""

WITH_OLDER_MAIL: Final = "older-mail"
"""The rule of words that were not passed on, for lines of an older mail stand among them."""

LATE_ORDERS: Final = "late-orders"
"""The rule of orders that came after the deadline, and are good for nothing that is asked after its run."""

PROVEN: Final = (
    *("orders", "press", "to-moderator", "press-in-reply", "command", "two-sets", "question", "no-orders"),
    *(PRESS_WITH_SECRET, PRESS_WITH_ORDERS, PRESS_TO_NOBODY, WITH_OLDER_MAIL, LATE_ORDERS),
)
"""The rules of mails that a player wrote, as is proven, and that no program sent."""

MODERATOR: Final = "moderator"
HOST: Final = "host"
"""Whose an act is, if it is not a seat's."""


class Intake(NamedTuple):
    """A mail that came in; the order of ids is the order of arrival.

    Attributes:
        id: Its number.
        key: What it is recognised by when it comes again.
        source: Where it came from: maildir, imap, lmtp, spool, mbox or stdin.
        received: When our own side had it, ISO 8601 in UTC.
        envelope_from: The sender of its envelope; "" for a bounce.
        recipient: The address it was delivered to; may hold a token, see `addresses.mask`.
        sha256: Of its bytes.
        message_id: Its Message-ID as far as it is valid, once it was read; or "".
        raw: Its file, from the home's `mail` folder.
        state: "new" or "done".
        verdict: What became of it, in a word.
        rule: The rule of the screening that decided.
        game: The game it is about, or "".
        seat: The seat it came from, or "".
        receipt: The number of the receipt its orders get, noted before they are lodged; 0 for none.
    """

    id: int
    key: str
    source: str
    received: str
    envelope_from: str
    recipient: str
    sha256: str
    message_id: str
    raw: str
    state: str
    verdict: str
    rule: str
    game: str
    seat: str
    receipt: int

    @property
    def moment(self) -> datetime.datetime:
        """When our own side had it."""
        return datetime.datetime.fromisoformat(self.received)


class QueuedNotice(NamedTuple):
    """Something to be told, until it was written to its reader.

    Attributes:
        name: What tells it from all others: the same again is the same, and changes nothing.
        game: The game it is about, or "".
        turn: The newest turn then.
        seat: Whom it is told; "" for the moderator.
        kind: What it is; "report" for the newest report once more.
        address: Where mail for the reader goes.
        reader: Which player has the seat, from `Tenure.who`; the name of one who has lost it; or "". An older
            pbem noted the name of both.
        is_theirs: 1 if the seat is the reader's; 0 for one who has lost it, and for the moderator.
        title: Its subject, without the game; of a report what tells one wish for it from others.
        words: What is told.
        at: When it was to be told, ISO 8601.
        facts: Its kind and facts, from `records.facts_of`; "" if an older pbem noted it.
    """

    name: str
    game: str
    turn: int
    seat: str
    kind: Kind
    address: str
    reader: str
    is_theirs: int
    title: str
    words: str
    at: str
    facts: str = ""


class Act(NamedTuple):
    """Something that the moderator or the program did.

    Attributes:
        at: When, ISO 8601.
        who: "moderator", "host" or a seat.
        game: The game, or "".
        act: The verb.
        detail: The words of an announcement or a fault; of an act of an older pbem what was done. Else "".
        public: 1 if it touched the game, so that all its players may read it; else 0.
        facts: Its kind and facts, from `records.facts_of`; "" if an older pbem noted it.
    """

    at: str
    who: str
    game: str
    act: str
    detail: str
    public: int
    facts: str = ""


class Note(NamedTuple):
    """Something that is noted of a game until it is noted otherwise.

    Attributes:
        game: The game, or "".
        key: What it is about.
        value: What is noted; None forgets it.
    """

    game: str
    key: str
    value: str | None


class AddressChange(NamedTuple):
    """Mails to a seat that did not get there go to another address, or under another token.

    Attributes:
        game: The game.
        seat: The seat.
        before: Where they were to go.
        address: Where they go now.
        old: The seat's token that stands in them.
        new: The one that counts.
    """

    game: str
    seat: str
    before: str
    address: str
    old: str
    new: str


class NoticeReplacement(NamedTuple):
    """Something to be told in place of what was to be told before, as long as nobody has written that.

    It is noted, and never part of a change of files.

    Attributes:
        before: The name of the former.
        told: What is told in its place if it was not written to its reader; None for nothing at all.
        otherwise: What is told if it was.
    """

    before: str
    told: QueuedNotice | None
    otherwise: QueuedNotice


Row: TypeAlias = Act | Note | QueuedNotice | AddressChange | NoticeReplacement
"""What is written into the journal together with a change."""


def iso_with_offset(moment: datetime.datetime) -> str:
    """Return a moment as people are told it: with its own offset."""
    return moment.isoformat(timespec="microseconds")


def iso(moment: datetime.datetime) -> str:
    """Return a moment so that texts sort as moments do."""
    return moment.astimezone(datetime.UTC).isoformat(timespec="microseconds")


Fact: TypeAlias = str | int | bool | datetime.datetime | list[str] | None

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    # deadlines and pauses
    "deadline-moved": ("label", "due", "before", "why"),
    "game-paused": ("start", "end", "due", "begun", "why"),
    "game-resumed": ("start", "due", "off"),
    "absence-noted": ("seat", "start", "end"),
    "absence-ended": ("seat",),
    "reminder": ("label", "due"),
    # votes
    "vote-given": ("seat", "player", "vote", "yes", "ayes", "needed"),
    "vote-proposed": ("vote", "ayes", "needed"),
    "vote-withdrawn": ("vote", "ayes", "needed"),
    "vote-carried": ("vote",),
    # the course of a game
    "game-cancelled": ("why",),
    "game-brought-back": ("due",),
    "turn-undone": ("turn",),
    "turn-undone-later": ("turn",),
    "turn-remade": ("turn",),
    "turn-stands": ("turn",),
    "report-corrected": ("turn",),
    "report-again": ("turn",),
    "gate-overridden": ("turn", "reasons"),
    "run-refused": ("reasons",),
    "orders-lodged-for": ("seat", "receipt"),
    "press-lodged-for": ("seat",),
    "orders-held": ("seat", "player", "why"),
    "orders-released": ("seat", "player"),
    # seats and their players
    "seat-taken": ("seat", "player"),
    "seat-freed": ("seat", "player"),
    "bot-took-over": ("seat", "missed", "skill"),
    "standby-took-over": ("seat", "missed", "player"),
    "player-returned": ("seat",),
    "player-replaced": ("seat", "by", "player", "former"),
    "player-renamed": ("seat",),
    "seat-welcome": ("seat",),
    "seat-lost": ("seat",),
    "secret-renewed": ("seat", "what"),
    "report-wanted": ("seat",),
    # the moderator
    "announcement": (),
    "answer": ("name", "what", "seat", "player"),
    "question-settled": ("name", "seat"),
    "press-to-moderator": ("seat",),
    "acts-address": ("is_open",),
    "acts-unproven": ("sign",),
    "answer-refused": ("name",),
    "digest": (),
    "send-by-hand": (),
    # answers to orders, as their mails have them; a fault is LINE:COLUMN:KIND in the player's mail
    "receipt": ("number", "withdraws", "mended", "left_out", "cautions"),
    "press-receipt": ("mended", "left_out", "stands"),
    "refused": ("faults", "mended", "offer"),
    # mail and faults
    "mail-bounced": ("turn", "seat", "why"),
    "mail-failed": ("mail", "turn", "seat", "why"),
    "joins-slowed": ("many", "domain", "game", "minutes"),
    "template-failed": ("file",),
    "fault": ("file",),
}
"""The kinds, each with the names of its facts."""

NEWEST_ONLY: Final = "secret-renewed"
"""The kind of which only the newest counts that a seat is told, and is told alone."""


def facts_of(kind: str, **values: Fact) -> str:
    """Return facts as they stand in the journal.

    Args:
        kind: One of `KINDS`.
        values: Each of its facts.
    """
    assert set(values) == {*KINDS[kind]}, f"{kind} has other facts: {sorted(values)}"
    return json.dumps({"kind": kind, **{name: _as_json(values[name]) for name in KINDS[kind]}})


def read_facts(facts: str) -> dict[str, Json]:
    """Return facts as data; where an older pbem noted none, the kind is `earlier`."""
    found: dict[str, Json] = json.loads(facts) if facts else {"kind": "earlier"}
    return found


def beginning(kind: str) -> str:
    """Return how the facts of a kind begin as they stand in the journal."""
    return json.dumps({"kind": kind})[:-1]


def kind_of(facts: str) -> str:
    """Return the kind of facts; `earlier` where an older pbem noted none."""
    return str(read_facts(facts)["kind"])


def _as_json(value: Fact) -> Json:
    if isinstance(value, datetime.datetime):
        return iso(value)
    return [*value] if isinstance(value, list) else value


GAMES: Final = "games"
MAILS: Final = "mails"
SENDING: Final = "sending"
PAGES: Final = "pages"

QUEUES: Final = (MAILS, GAMES, SENDING, PAGES)
"""The queues of jobs: mails that came in, games, mails that go out, and pages of the archive."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job for a worker.

    Attributes:
        task: What is to be done.
        queue: The queue it stands in.
        about: Which mail or game it is about; no secret.
        lock: Jobs of one lock are done one after the other, in order; "" is none.
        once: While such a job waits, no second one is added; "" is none.
        at: When; None is at once. A job that waits for its moment has no lock, or it would hold up others.
    """

    task: str
    queue: str
    about: Mapping[str, Json] = field(default_factory=dict)
    lock: str = ""
    once: str = ""
    at: datetime.datetime | None = None


def process_job(number: int, recipient: str, sender: str) -> Job:
    """Return the job that processes a mail that came in; those of one seat in the order of arrival.

    A seat is told by the token at the end of its addresses, of which the lock holds a hash; at the host's own
    address it is told by who sends.
    """
    detail = recipient.partition("@")[0].partition("+")[2]
    whose = detail.rpartition(".")[2] or sender
    return Job("process", MAILS, {"number": number}, lock=f"mail {_hash(whose)}", once=f"mail {number}")


def send_job(number: int, rcpt: str, at: datetime.datetime | None = None, *, has_turn: bool = False) -> Job:
    """Return the job that sends a mail of the outbox.

    Args:
        number: The mail.
        rcpt: Its reader's address; mails to one reader go out in order.
        at: When; None is at once.
        has_turn: At that moment it is its turn, at the pace of its domain.
    """
    domain = rcpt.rpartition("@")[2].lower()
    about: dict[str, Json] = {"number": number, "domain": domain, "has_turn": has_turn}
    return Job("send", SENDING, about, "" if at else f"to {_hash(rcpt)}", f"send {number}", at)


def _hash(text: str) -> str:
    return hashlib.sha256(text.lower().encode(errors="surrogateescape")).hexdigest()[:16]


def letters_job(game: str) -> Job:
    """Return the job that writes to their readers what is to be told about a game, or about none."""
    return Job("write", GAMES, {"game": game}, once=f"write {game}")


def look_job(game: str) -> Job:
    """Return the job that looks at a game: runs it, reminds, plans the next look."""
    return Job("look", GAMES, {"game": game}, lock=f"game {game}", once=f"look {game}")


def wake_job(game: str, at: datetime.datetime) -> Job:
    """Return the job that looks at a game when its next moment has come."""
    return Job("wake", GAMES, {"game": game}, once=f"wake {game}", at=at)


def reports_job(game: str) -> Job:
    """Return the job that makes the mails of what was committed in a game, with their pages and pictures."""
    return Job("report", GAMES, {"game": game}, lock=f"game {game}", once=f"report {game}")


def archive_job() -> Job:
    """Return the job that brings the pages of the archive up to date; one is enough for many changes."""
    return Job("archive", PAGES, lock="pages", once="archive")


def process_later_job(game: str, at: datetime.datetime) -> Job:
    """Return the job that looks at the newest of a flood of mails."""
    return Job("process_later", MAILS, {"game": game}, once=f"flood {game}", at=at)
