"""A mail that is being dealt with, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pbem.core.events import Seat
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.identify import Inspection
from pbem.mail.conversation.replies import Reply, note_reply, queue_reply
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import sha256
from pbem.store.records import Intake
from pbem.text.mail.findorders import FoundOrders, NoOrders
from pbem.text.mail.letter import Letter
from pbem.text.mail.plainwords import has_question_mark


def tell_nobody() -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class MailOutcome:
    """What became of a mail.

    Attributes:
        verdict: In a word.
        game: Its game, or "".
        seat: Its seat, or "".
        identity: What it is recognised by when it comes again, or "".
        tell: Queues what is told of it, and notes what must be known from now on.
        rule: What the log calls it, if that is not the rule that fitted; or "".
    """

    verdict: str
    game: str = ""
    seat: str = ""
    identity: str = ""
    tell: Callable[[], None] = tell_nobody
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A mail of a seat, proven or not."""

    desk: Desk
    intake: Intake
    looked: Inspection
    saved: SavedGame

    @property
    def seat(self) -> Seat:
        """The seat it comes from."""
        return self.looked.seat

    @property
    def has_side_question(self) -> bool:
        """Whether something is asked beside orders: neither in them nor in a comment of the form."""
        found, lines, ordered = self.looked.found, self.looked.lines, self.order_lines
        if not isinstance(found, FoundOrders):
            return False
        return has_question_mark(
            line for line in lines if line not in ordered and not line.lstrip().startswith("#")
        )

    @property
    def has_two_sets(self) -> bool:
        """Whether it holds different orders, each of which could be read."""
        found = self.looked.found
        return isinstance(found, NoOrders) and found.is_two_sets

    @property
    def order_lines(self) -> frozenset[str]:
        """The lines of the mail that its orders stand in."""
        found = self.looked.found
        if not isinstance(found, FoundOrders):
            return frozenset()
        return frozenset(found.theirs[spot.line - 1] for line in found.lines for spot in line if spot.line)

    @property
    def letter(self) -> Letter | None:
        """The mail, if it could be read."""
        return self.looked.letter if isinstance(self.looked.letter, Letter) else None

    @property
    def name(self) -> str:
        """What the Message-ID of its answer is made of."""
        return f"in{self.intake.id}"

    def carried(self, verdict: str, tell: Callable[[], None] = tell_nobody) -> MailOutcome:
        """Return what became of it."""
        return MailOutcome(verdict, self.saved.name, self.seat, self.looked.identity, tell)

    def answer(self, answer: Reply) -> None:
        """Queue the answer, if there may be one; of too many in an hour, one that says so."""
        if self.looked.mail.automatic:
            return
        if self.looked.mail.too_many:
            self.mute()
        else:
            queue_reply(self.desk, self.saved, answer)

    def mute(self) -> None:
        """Queue the one mail that says, once an hour, that there were too many."""
        most = self.desk.settings.receipts_per_hour
        hour = self.desk.now.strftime("%Y%m%d%H")
        text = (
            f"{most} mails of yours were answered within an hour, and no turn was run meanwhile. Those that "
            "follow get no answer until one is, or the hour is over. Orders still count: the newest that has "
            "no mistake. Press in them goes out with the next reports, but press to the press address and "
            "words such as `rules` do nothing until then. Press to the moderator in them is kept for the "
            "moderator to read."
        )
        later = "Write `status` in an hour, and you are told which orders stand."
        muted = note_reply(
            "muted", self.seat, f"muted.{hour}", "No more answers this hour", None, text, later
        )
        queue_reply(self.desk, self.saved, replace(muted, kind="notice"))


def case_of(desk: Desk, intake: Intake, looked: Inspection) -> Case:
    """Return a mail of a seat of a game."""
    assert looked.saved is not None, "the screening lets no mail without a game come here"
    return Case(desk, intake, looked, looked.saved)


def mail_fingerprint(lines: tuple[str, ...], letter: Letter | None) -> str:
    """Return what tells a mail from others of its seat: its words or its subject, and its files."""
    files = [part.filename for part in letter.parts] if letter else []
    written = [line for line in lines if line.strip()] or [letter.subject if letter else ""]
    return sha256("\n".join([*written, *filter(None, files)]).encode())[:20]
