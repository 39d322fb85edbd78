"""What becomes of the mails that came in: each is looked at, screened, and carried out, once.

A mail ends in a verdict in the same moment in which its answers are queued. What is done outside of the
database (orders are lodged in files) is noted before, so that a second try finds out what the first had done.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pbem.mail.account.addresses import NO_GAME, read_recipient
from pbem.mail.account.settings import mail_settings
from pbem.mail.arrivals.cases import MailOutcome
from pbem.mail.arrivals.desk import Desk
from pbem.mail.arrivals.identify import Inspection, first_matching_rule, inspect_mail
from pbem.mail.arrivals.intake import read_raw_mail
from pbem.mail.conversation.acts import CommandLine
from pbem.mail.conversation.handlers import CARRY_OUT, is_late_mail, refuse_late_orders
from pbem.play.homes.home import Home
from pbem.store.errors import GateClosedError, JournalRefused, WrongInput, trace_of
from pbem.store.interface import WAIT_SECONDS
from pbem.store.records import LATE_ORDERS, Intake
from pbem.text.mail.findorders import FoundOrders
from pbem.text.names import mask_tokens

SHUNTED = "shunted"

_FOLDER = f"mail/{SHUNTED}"


@dataclass(frozen=True, slots=True)
class ProcessedMail:
    """A mail that was processed.

    Attributes:
        intake: Its number.
        verdict: What became of it, in a word.
        rule: The rule of the screening that decided.
        game: The game it is about, or "".
        seat: The seat it came from, or "".
    """

    intake: int
    verdict: str
    rule: str
    game: str
    seat: str

    def line(self) -> str:
        """Return what became of the mail, as one line for people."""
        about = f" {self.game}" if self.game else ""
        seat = f" seat {self.seat}" if self.seat else ""
        return f"mail {self.intake}: {self.verdict} ({self.rule}){about}{seat}"


def process(home: Home, now: datetime.datetime, commands: CommandLine) -> list[ProcessedMail]:
    """Process the mails that came in, in order of arrival; each once, and none stops the others.

    Of a seat that sends more than is ever looked at, the newest orders that can be lodged count.
    """
    done: list[ProcessedMail] = []
    remove_partial_faults(home)
    with home.journal() as db:
        desk = Desk(home, db, mail_settings(home), now, commands)
        blocked: set[str] = set()
        later: dict[tuple[str, str], list[int]] = {}
        for intake in db.unprocessed_mails():
            one = _process_one(desk, intake.id, blocked)
            if one is not None and one.verdict == "later":
                later.setdefault((one.game, one.seat), []).append(one.intake)
            elif one is not None:
                done.append(one)
        waits = [one for one in done if (one.verdict, one.game) == ("waits", NO_GAME)]
        blocked.discard(NO_GAME)
        for one in waits:  # acts that waited for the mails behind them
            done.remove(one)
            done.extend(filter(None, [_process_one(desk, one.intake, blocked)]))
        for numbers in later.values():
            done.extend(_process_newest_first(desk, reversed(numbers), blocked))
    return done


def process_one(
    home: Home, now: datetime.datetime, commands: CommandLine, number: int
) -> ProcessedMail | None:
    """Process one mail that came in; None if it was processed before, or somebody else is at work on it."""
    with home.journal() as db:
        return _process_one(Desk(home, db, mail_settings(home), now, commands), number, set())


def process_postponed_mails(
    home: Home, now: datetime.datetime, commands: CommandLine, game: str
) -> list[ProcessedMail]:
    """Process the mails of seats that send more than is ever looked at: of each, the newest that can be."""
    with home.journal() as db:
        desk, blocked = Desk(home, db, mail_settings(home), now, commands), set[str]()
        later: dict[str, list[int]] = {}
        for intake in db.postponed_mails("later", game):
            looked = inspect_mail(desk, intake, read_raw_mail(home, intake))
            later.setdefault(looked.seat, []).append(intake.id)
        found = (_process_newest_first(desk, reversed(numbers), blocked) for numbers in later.values())
        return [one for ones in found for one in ones]


def _process_one(
    desk: Desk, number: int, blocked: set[str], *, is_flood: bool = False
) -> ProcessedMail | None:
    """Process a mail that is new, unless another program is at work on it."""
    with desk.home.store.claimed("intake", number) as is_mine:
        intake = desk.db.intake(number) if is_mine else None
        if intake is None or intake.state != "new":
            return None
        return _process(desk, intake, blocked, is_flood=is_flood)


def _process_newest_first(desk: Desk, numbers: Iterable[int], blocked: set[str]) -> Iterator[ProcessedMail]:
    """Process mails from the newest on until one has lodged orders; the others are superseded."""
    is_lodged = False
    for number in numbers:
        if is_lodged:
            yield _finish(desk, desk.db.intake(number), "flood", MailOutcome("superseded"))
        elif (one := _process_one(desk, number, blocked, is_flood=True)) is not None:
            is_lodged = one.verdict in ("lodged", "withdrawn")
            yield one


def _process(desk: Desk, intake: Intake, blocked: set[str], *, is_flood: bool = False) -> ProcessedMail:
    """Process a mail; whatever it sets off ends in a verdict, or the mail waits for a better time."""
    try:
        looked = inspect_mail(desk, intake, read_raw_mail(desk.home, intake))
        rule = first_matching_rule(looked.mail)
        game = looked.mail.game
        if game in blocked:
            return ProcessedMail(intake.id, "waits", rule.name, game, looked.seat)
        if rule.verdict in ("orders", "later") and is_late_mail(desk, intake, looked):
            return _postpone_late_orders(desk, intake, looked)
        if rule.verdict in ("orders", "later") and _is_superseded(desk, intake, looked):
            old = MailOutcome("superseded", game, looked.seat, looked.identity)
            return _finish(desk, intake, "newer-orders", old)
        if rule.verdict == "later" and not (is_flood or _is_press_alone(looked)):
            desk.db.postpone(intake.id, "later", game)
            return ProcessedMail(intake.id, "later", rule.name, game, looked.seat)
        carried = CARRY_OUT[rule.verdict](desk, intake, looked)
        is_late = (intake.verdict, rule.name, carried.verdict) == ("late", "orders", "refused")
        return _finish(desk, intake, LATE_ORDERS if is_late else rule.name, carried)
    except JournalRefused:
        raise  # it would refuse to set the mail aside, too: all wait for a better time
    except (WrongInput, GateClosedError, OSError) as wrong:
        return _leave_waiting(desk, intake, blocked, wrong)
    except Exception as fault:  # a mail that trips us up must not stop the others; it is kept, and told
        return _shunt_mail(desk, intake, blocked, fault)


def _is_press_alone(looked: Inspection) -> bool:
    """Tell whether a mail holds press and no orders, so that newer orders do not take its place."""
    found = looked.found
    value = found.document.value if isinstance(found, FoundOrders) and found.document else None
    return isinstance(value, dict) and not value.get("orders")


def _finish(desk: Desk, intake: Intake, rule: str, carried: MailOutcome) -> ProcessedMail:
    """Queue what is told, and note the verdict with it."""
    rule = carried.rule or rule
    with desk.db.writing():
        carried.tell()
        desk.db.finish(
            intake.id,
            verdict=carried.verdict,
            rule=rule,
            game=carried.game,
            seat=carried.seat,
            message_id=carried.identity,
        )
    return ProcessedMail(intake.id, carried.verdict, rule, carried.game, carried.seat)


def _postpone_late_orders(desk: Desk, intake: Intake, looked: Inspection) -> ProcessedMail:
    """Leave orders that came after the deadline until its run was made, and say so once."""
    carried = refuse_late_orders(desk, intake, looked)
    with desk.db.writing():
        carried.tell()
        desk.db.postpone(intake.id, carried.verdict, carried.game)
    return ProcessedMail(intake.id, carried.verdict, "orders", carried.game, carried.seat)


def _shunt_mail(desk: Desk, intake: Intake, blocked: set[str], fault: Exception) -> ProcessedMail:
    """Set a mail aside with what tripped over it; `pbem receive --again` processes it once more."""
    try:
        keep_fault(desk.home, intake, fault)
    except OSError as wrong:
        return _leave_waiting(desk, intake, blocked, wrong)
    return _finish(desk, intake, type(fault).__name__, MailOutcome(SHUNTED))


def _is_superseded(desk: Desk, intake: Intake, looked: Inspection) -> bool:
    """Tell whether lines that came later were lodged already, while this mail with lines was set aside."""
    envelope = looked.envelope
    if isinstance(envelope, list) or not (envelope.has_lines or envelope.withdraws):
        return False
    return desk.db.has_lodged_after(intake.id, looked.mail.game, looked.seat)


def _leave_waiting(desk: Desk, intake: Intake, blocked: set[str], why: Exception) -> ProcessedMail:
    """Leave a mail for the next time, and all of the same game that follow: their order counts."""
    recipient = read_recipient(desk.settings, intake.recipient, desk.home)
    game = recipient.game if recipient else ""
    if recipient is not None and recipient.kind == "moderator":
        game = NO_GAME  # no run waits for it, or an act that runs a game would wait for its own mail
    blocked.add(game)
    desk.db.postpone(intake.id, "waits", game)
    return ProcessedMail(intake.id, "waits", mask_tokens(str(why)), game, "")


def fault_file_name(number: int) -> str:
    """Return the name of the file that says what tripped over a mail."""
    return f"{_FOLDER}/{number}.txt"


def keep_fault(home: Home, intake: Intake, fault: Exception) -> None:
    """Write down where the program tripped over a mail, for the moderator alone; tokens are starred."""
    text = (
        f"Mail {intake.id}, received {intake.received}, is kept in mail/{intake.raw}.\n"
        f"It tripped pbem up. Please report this fault with what follows. When it is mended,\n"
        f"`pbem receive --again {intake.id}` processes the mail.\n\n"
    )
    with home.store.held(_FOLDER, wait_seconds=WAIT_SECONDS):
        told = text + mask_tokens(trace_of(fault, limit=30))
        home.store.lodge(fault_file_name(intake.id), told.encode("utf-8", "replace"))


def remove_partial_faults(home: Home) -> None:
    """Remove what killed programs, or a full disk, have left of faults that were being written down."""
    if home.store.at(_FOLDER).is_dir():
        with home.store.held(_FOLDER, wait_seconds=WAIT_SECONDS):
            home.store.tidy(_FOLDER)


def reopen_mails(home: Home, numbers: Iterable[int]) -> None:
    """Let mails that were set aside be processed again; all of them, or none.

    Raises:
        WrongInput: A mail is not there, or was not set aside.
    """
    with home.journal() as db, db.writing():
        for number in numbers:
            db.reopen(number, SHUNTED)
