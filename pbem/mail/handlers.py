"""What each verdict means: what is done with a mail, and what its player is told; one function a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pbem.core.events import ALL, Seat
from pbem.core.interface import Outcome
from pbem.host.deadlines import is_late
from pbem.host.notes import read_notes
from pbem.mail import commands, pressmail, replies, signup
from pbem.mail.bounces import about, note_bounce
from pbem.mail.desk import Desk, forget_plan, sender_of
from pbem.mail.identify import Looked
from pbem.mail.replies import Reply, note, put
from pbem.mail.screening import Verdict
from pbem.play.chain import sha256
from pbem.play.lodging import Receipt, lodge, lodge_message
from pbem.play.saved import SavedGame
from pbem.play.waitingpress import MOST_WAITING
from pbem.store.records import Intake
from pbem.text.mail.findorders import FoundOrders, NoOrders
from pbem.text.mail.letter import Letter, Refused


def _nothing() -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What became of a mail.

    Attributes:
        verdict: In a word.
        game: Its game, or "".
        seat: Its seat, or "".
        identity: What it is recognised by when it comes again, or "".
        tell: Queues what is told of it, and notes what must be known from now on.
    """

    verdict: str
    game: str = ""
    seat: str = ""
    identity: str = ""
    tell: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True)
class _Case:
    """A mail of a seat, proven or not."""

    desk: Desk
    intake: Intake
    looked: Looked
    saved: SavedGame

    @property
    def seat(self) -> Seat:
        return self.looked.seat

    @property
    def letter(self) -> Letter | None:
        return self.looked.letter if isinstance(self.looked.letter, Letter) else None

    @property
    def name(self) -> str:
        """What the Message-ID of its answer is made of."""
        return f"in{self.intake.id}"

    def carried(self, verdict: str, tell: Callable[[], None] = _nothing) -> Carried:
        return Carried(verdict, self.saved.name, self.seat, self.looked.identity, tell)

    def answer(self, answer: Reply) -> None:
        """Queue the answer, if there may be one; of too many in an hour, one that says so."""
        if self.looked.mail.automatic:
            return
        if self.looked.mail.too_many:
            self.mute()
        else:
            put(self.desk, self.saved, answer)

    def mute(self) -> None:
        """Queue the one mail that says, once an hour, that there were too many."""
        most = self.desk.settings.receipts_per_hour
        hour = self.desk.now.strftime("%Y%m%d%H")
        text = (
            f"{most} mails of yours were answered within an hour. Those that follow are not. Orders still "
            "count, the newest that can be lodged. Press in them is kept and goes out with the next reports. "
            "Press to the press address and commands are not carried out meanwhile."
        )
        later = "Write `status` in an hour, and you are told which orders stand."
        muted = note(self.seat, f"muted.{hour}", "No more answers this hour", None, text, later)
        put(self.desk, self.saved, replace(muted, kind="notice"))


def _of(desk: Desk, intake: Intake, looked: Looked) -> _Case:
    assert looked.saved is not None, "the screening lets no mail without a game come here"
    return _Case(desk, intake, looked, looked.saved)


def comes_late(desk: Desk, intake: Intake, looked: Looked) -> bool:
    """Tell whether a mail came after the deadline, whose run is still to be made."""
    saved = _of(desk, intake, looked).saved
    return is_late(saved, read_notes(desk.db, saved.name), intake.moment, desk.now)


def late(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    """Say that orders came after the deadline."""
    case = _of(desk, intake, looked)
    text = (
        "Your orders came after the deadline, and are not looked at before that turn is run. Then they count "
        "for what is asked next, and you get their receipt; what they say of the ask that is over will lapse "
        "or be refused."
    )
    answer = note(case.seat, f"late{intake.id}", "Orders after the deadline", case.letter, text)
    return case.carried("late", lambda: case.answer(answer))


def _dropped(_desk: Desk, _intake: Intake, looked: Looked) -> Carried:
    return Carried("dropped", looked.mail.game, looked.seat, looked.identity)


def _muted(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    """Do nothing with a mail that came after too many, and tell its player so."""
    case = _of(desk, intake, looked)
    return case.carried("dropped", case.mute)


def _bounced(desk: Desk, _intake: Intake, looked: Looked) -> Carried:
    """Note that a report did not arrive; the address that the bounce came to says whose it was."""
    recipient, letter = looked.mail.recipient, looked.letter
    found = about(desk.db, desk.settings, recipient) if recipient else None
    if found is None or not isinstance(letter, Letter):
        return Carried("bounced")
    if letter.bounce not in ("failed", "unknown"):
        return Carried("delayed" if letter.bounce == "delayed" else "dropped", found.game, found.seat)

    def tell() -> None:
        note_bounce(desk.db, found, "its server gave it back", desk.now)

    return Carried("bounced", found.game, found.seat, "", tell)


def _warned(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    """Tell a seat's player, once a day, that somebody wrote for it without the proof that is demanded."""
    case = _of(desk, intake, looked)
    name = f"unproven-{looked.mail.unproven}.{desk.now:%Y%m%d}"
    warning = Reply(case.seat, name, "A mail that was not accepted", "unproven.txt.j2", {}, kind="notice")

    def tell() -> None:
        put(desk, case.saved, warning)

    return case.carried("warned", tell)


def _refused(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    """Tell a player whose mail could not be read, once a day for each reason."""
    case, letter = _of(desk, intake, looked), looked.letter
    assert isinstance(letter, Refused), "only such mails come here"
    name = f"unreadable-{letter.reason}.{desk.now:%Y%m%d}"
    text = "A mail came for your seat that cannot be read, and nothing was changed."
    answer = note(case.seat, name, "A mail that cannot be read", None, text, letter.text)

    def tell() -> None:
        put(desk, case.saved, replace(answer, kind="notice"))

    return case.carried("refused", tell)


def _repeated(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    case = _of(desk, intake, looked)
    what = {
        "message-id": "This very mail came before, and was processed then",
        "content": "These orders, written at the same moment, came before, and were lodged then",
        "signature": "Something that you signed later came before",
    }[looked.mail.repeated]
    text = f"{what}; nothing was changed. To send the same orders once more, write a new mail."
    answer = note(case.seat, case.name, "A mail that came before", case.letter, text)
    return case.carried("repeated", lambda: case.answer(answer))


def _orders(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    """Lodge orders; the receipt says what will run, or what is wrong."""
    case, found = _of(desk, intake, looked), looked.found
    assert isinstance(found, FoundOrders) and case.letter is not None, "the screening has seen them"
    letter, saved, seat = case.letter, case.saved, case.seat
    sender = sender_of(desk, intake, saved, seat, gets_receipt=True)
    done = lodge(desk.home, found.text, sender, looked.envelope)
    desk.had("orders", saved.name, seat)
    if isinstance(done, list):
        refusal = replies.refusal(saved, seat, done, found, letter, case.name)
        return case.carried("refused", lambda: case.answer(refusal))

    def tell() -> None:
        said = done.judged.submission.orders.press
        now = [] if looked.mail.too_many else pressmail.deliver(desk, done.judged.saved, seat, said)
        if isinstance(done, Receipt):
            case.answer(replies.receipt(done.judged.saved, done, found, letter, case.name))
        else:
            case.answer(replies.press_receipt(done, _way_of(now), found, letter, case.name))
        forget_plan(desk, intake, saved, seat)
        if looked.content:
            desk.db.set_note(saved.name, f"heard:{seat}:{looked.content[:32]}", str(intake.id))
        if looked.signed is not None:
            desk.db.set_note(saved.name, f"signed:{seat}", str(looked.signed.made))

    return case.carried("lodged" if isinstance(done, Receipt) else "press", tell)


def _way_of(now: Sequence[str]) -> str:
    """Say how press reaches its readers, if these got it at once."""
    return f"went out now to {', '.join(now)}" if now else "goes out with the next reports"


def _press(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    """Lodge press for the next report, and send it on where the game delivers at once."""
    case = _of(desk, intake, looked)
    letter, saved, seat = case.letter, case.saved, case.seat
    assert letter is not None, "the screening has seen it"
    referred = (letter.header("in-reply-to"), *letter.header("references").split())
    answered = pressmail.sender_of(saved, desk.settings.domain, referred, seat)
    strayed = pressmail.orders_in_press(looked.found, looked.lines)
    said = strayed or pressmail.read_press(saved, looked.lines, answered)
    if isinstance(said, pressmail.Misread):
        wrong = note(seat, case.name, "Press NOT sent", letter, said.text, said.hint or "Nobody has got it.")
        wrong = replace(wrong, about_press=not said.is_orders)
        return case.carried("refused", lambda: case.answer(wrong))
    is_over = isinstance(saved.ask, Outcome)
    sender = sender_of(desk, intake, saved, seat, gets_receipt=False)
    if not is_over and not lodge_message(desk.home, said, sender):
        text = f"{MOST_WAITING} messages of yours wait for the next report already. Nobody has got this one."
        full = note(seat, case.name, "Press NOT sent", letter, text)
        return case.carried("refused", lambda: case.answer(replace(full, about_press=True)))

    def tell() -> None:
        now = pressmail.deliver(desk, saved, seat, [said])
        to = ALL if said.to == ALL else ", ".join(sorted(said.to))
        how = _way_of(now)
        if is_over and not now:
            how = "went nowhere: the game is over, and there will be no more reports"
        text = f"Your press to {to} {how}."
        case.answer(note(seat, case.name, "Press sent", letter, text, quoted=said.say))
        forget_plan(desk, intake, saved, seat)

    return case.carried("press", tell)


def _command(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    case, given = _of(desk, intake, looked), looked.command
    assert given is not None, "the screening has seen it"
    told = commands.carry_out(desk, case.saved, case.seat, given, intake.id)
    answer = note(case.seat, case.name, told.subject, case.letter, *told.paragraphs, quoted=told.quoted)
    return case.carried(f"command-{given.word}", lambda: case.answer(answer))


def _empty(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    """Tell a player that there are no orders in a mail; once a day for the same words, as a robot writes.

    Other files are another try, and where there are no words another subject is.
    """
    case, found = _of(desk, intake, looked), looked.found
    text = found.text if isinstance(found, NoOrders) else "There are no orders in your mail."
    stands = replies.standing_orders(case.saved, case.seat)
    what = "Nothing was changed. These orders of yours stand:" if stands else "No orders of yours stand."
    files = [part.filename for part in case.letter.parts] if case.letter else []
    written = [line for line in looked.lines if line.strip()] or [case.letter.subject if case.letter else ""]
    words = sha256("\n".join([*written, *filter(None, files)]).encode())[:20]
    name = f"empty-{words}.{desk.now:%Y%m%d}"
    answer = note(case.seat, name, "No orders found", case.letter, text, what, quoted=stands)
    return case.carried("empty", lambda: case.answer(answer))


def _join(desk: Desk, intake: Intake, looked: Looked) -> Carried:
    """Give somebody a seat of an open game, once they have shown that they read the mail of their address."""
    saved, letter, recipient = looked.saved, looked.letter, looked.mail.recipient
    if saved is None or not isinstance(letter, Letter) or letter.sender is None or recipient is None:
        return Carried("dropped")
    wish = signup.Wish(saved, letter, looked.lines, recipient.token, intake.id)
    verdict, tell = signup.carry_out(desk, wish)
    return Carried(verdict, saved.name, "", "", tell)


CARRY_OUT: Final[Mapping[Verdict, Callable[[Desk, Intake, Looked], Carried]]] = {
    "dropped": _dropped,
    "bounced": _bounced,
    "warned": _warned,
    "refused": _refused,
    "repeated": _repeated,
    "join": _join,
    "later": _orders,
    "orders": _orders,
    "muted": _muted,
    "press": _press,
    "command": _command,
    "empty": _empty,
}
