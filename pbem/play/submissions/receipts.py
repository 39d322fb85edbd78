"""What is told of orders that were lodged, and a seat's orders that its newest report does not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.core.wording import sentence_list
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import (
    NOTHING_LEFT,
    SILENCE,
    has_deadline,
    read_lodged_orders,
    silence_clause,
    standing_orders_of,
)
from pbem.store.interface import Place
from pbem.text.codec import canonical_yaml, receipt_of
from pbem.text.judging import Verdict, verdict_lines
from pbem.text.mending.drafts import DraftNote
from pbem.text.orders import Submission


def waiting_orders(saved: SavedGame, seat: Seat) -> dict[int, Orders]:
    """Return the orders of a seat that wait for turns behind the next one, which were taken back too."""
    again = read_lodged_orders(saved, only=(seat,)).again.get(seat, {})
    return {turn: one.orders for turn, one in again.items() if turn > saved.turn + 1}


_NO_DEADLINE: Final = "This game has no deadline now"


@dataclass(frozen=True, slots=True)
class JudgedOrders:
    """Judged orders.

    Attributes:
        saved: Their game.
        submission: Their lines.
        verdict: What they would do; it has no mistakes, those are left out or refused the orders.
        data: The orders file, with its slips mended.
        notes: What was taken for what in it, each with the line as it came.
    """

    saved: SavedGame
    submission: Submission
    verdict: Verdict
    data: bytes
    notes: tuple[DraftNote, ...] = ()

    @property
    def seat(self) -> Seat:
        """Whose orders they are."""
        return self.submission.envelope.seat


class Omission(NamedTuple):
    """What `partial: true` left out, as a receipt tells of it.

    Attributes:
        part: A line of orders ("2"), or an action of one ("2.bid_1").
        line: Where it is wrong, counted from 1.
        column: The same.
        sentence: What is wrong, and what would do.
    """

    part: str
    line: int
    column: int
    sentence: str


@dataclass(frozen=True, slots=True)
class LodgingResult:
    """What was stored.

    Attributes:
        judged: What was judged.
        left_out: What `partial: true` left out of it.
    """

    judged: JudgedOrders
    left_out: tuple[Omission, ...]


@dataclass(frozen=True, slots=True)
class Receipt(LodgingResult):
    """The answer to orders that were stored in place of those before.

    Attributes:
        number: The receipt's number, from 1, counted for the seat.
        proof: Salted hash of the accepted orders.
        orders: The lines that will run, as YAML.
        replaced: The pending lines that these replace, as YAML; "" if there were none.
        forecast: What they will try, a sentence each; of a withdrawal, what happens now.
        cautions: What the sender may not have meant, though nothing is wrong, a clause each.
        taken: A turn has taken them already, while their receipt was still being written.
    """

    number: int
    proof: str
    orders: str
    replaced: str
    forecast: tuple[str, ...]
    cautions: tuple[str, ...] = ()
    taken: bool = False

    @property
    def withdraws(self) -> bool:
        """Whether the orders withdraw those before and give none."""
        return self.judged.submission.envelope.withdraws

    @property
    def is_same(self) -> bool:
        """Whether they withdraw nothing, for the press that they bring is the same as before."""
        return self.withdraws and bool(self.orders) and self.orders == self.replaced


@dataclass(frozen=True, slots=True)
class PressReceipt(LodgingResult):
    """The answer to orders that hold no lines: their press was stored, and the lines before stand.

    Attributes:
        press: The messages, as YAML.
        standing: The orders that stand, as YAML; "" if there are none.
        forecast: If none stand, what happens now.
        taken: A turn has taken the press already, while its receipt was still being written.
    """

    press: str
    standing: str
    forecast: tuple[str, ...]
    taken: bool = False


@dataclass(frozen=True, slots=True)
class LodgingPlan:
    """What is going to be stored, written down before: a second try answers in the words of the first.

    Attributes:
        number: The receipt's number, or that of the press.
        without: What `partial: true` left out, now or before: lines ("2") and single actions ("2.bid_1").
        left_out: What it left out now.
        before: The orders that stood then, as YAML.
        forecast: What the receipt says of what will happen.
        text: The orders as their slips were mended; "" if they are stored as they came.
        notes: What was taken for what.
        cautions: What the receipt says that the sender may not have meant.
    """

    number: int
    without: tuple[str, ...] = ()
    left_out: tuple[Omission, ...] = ()
    before: str = ""
    forecast: tuple[str, ...] = ()
    text: str = ""
    notes: tuple[DraftNote, ...] = ()
    cautions: tuple[str, ...] = ()


def plan_of(judged: JudgedOrders, number: int) -> LodgingPlan:
    """Return what is written down before judged orders are stored."""
    envelope = judged.submission.envelope
    before = earlier_orders_text(judged)
    without = tuple(sorted(envelope.left_out))
    text = judged.data.decode() if judged.notes else ""
    forecast = forecast_of(judged)
    left_out = tuple(Omission(one.part, one.line, one.column, one.sentence) for one in envelope.dropped)
    cautions = () if envelope.withdraws else judged.verdict.cautions
    return LodgingPlan(number, without, left_out, before, forecast, text, judged.notes, cautions)


def earlier_orders_text(judged: JudgedOrders) -> str:
    """Return the orders of the seat that stand as long as nothing is stored, as YAML; "" if none do.

    Those that wait for a later turn which was taken back too stand behind the others.
    """
    found = [standing_orders_of(judged.saved, judged.seat)]
    if judged.saved.again:
        found += waiting_orders(judged.saved, judged.seat).values()
    return "\n".join(filter(None, map(canonical_yaml, found)))


def forecast_of(judged: JudgedOrders) -> tuple[str, ...]:
    """Return what judged orders will try, a sentence each; without lines, what happens now."""
    submission = judged.submission
    is_empty = submission.is_without_lines and not canonical_yaml(
        standing_orders_of(judged.saved, judged.seat)
    )
    if submission.envelope.withdraws or is_empty:
        return (fate_without_lines(judged.saved, judged.seat),)
    if submission.is_without_lines:
        return ()
    told = verdict_lines(judged.verdict, _silence_text(judged.saved, judged.seat))
    return (*told, *_no_deadline_notes(judged))


def _no_deadline_notes(judged: JudgedOrders) -> Iterator[str]:
    """Say of what waits for a deadline, in a game that has none now, that it does so."""
    orders = judged.submission.orders
    silent = [f"order {line.number}" for line in orders.lines if line.if_silent]
    if (silent or orders.wait) and not has_deadline(judged.saved):
        if silent:
            verb = "is" if len(silent) == 1 else "are"
            yield f"{_NO_DEADLINE}: {sentence_list(silent)} {verb} played only if one is set."
        if orders.wait:
            yield f"{_NO_DEADLINE}: with `wait: true` it waits for you until one is set and passes."


def fate_without_lines(saved: SavedGame, seat: Seat) -> str:
    """Say what becomes of a seat that has no lines."""
    if seat in saved.players.bots:
        return "A bot plays your seat where no line of yours does."
    ask, then = saved.ask, SILENCE["wait"] + _silence_text(saved, seat)
    if isinstance(ask, Outcome) or seat not in ask.seats:
        return f"You are not asked now. When you are, and no line of yours answers, {then}."
    return f"No line of yours answers {ask.label}: {then}."


def _silence_text(saved: SavedGame, seat: Seat) -> str:
    """Say what else than waiting becomes of a silent seat, to end a sentence; "" if nothing does."""
    then = silence_clause(saved, saved.position, seat)
    if then in (SILENCE["wait"], NOTHING_LEFT):
        return ""
    if not has_deadline(saved):
        return f". {_NO_DEADLINE}: only if one is set and passes, {then}"
    return f", or, when a deadline passes, {then}"


def orders_of_turns(saved: SavedGame, seat: Seat) -> Iterator[tuple[int, bytes]]:
    """Yield the orders of a seat that turns have taken, the newest first, with their receipt numbers."""
    for turn in reversed(saved.turns.numbers()):
        taken = saved.turns.at(turn) / "orders" / f"{seat}.yaml"
        if taken.exists() and (number := receipt_of(data := taken.read_bytes())):
            yield number, data


def last_receipt(saved: SavedGame, place: Place, seat: Seat) -> int:
    """Return the highest receipt number this seat was given: of the file lodged, or of a turn."""
    lodged = receipt_of(place.read_bytes()) if place.exists() else 0
    return max(lodged, next((number for number, _ in orders_of_turns(saved, seat)), 0))
