"""Mistakes of an orders file: where each is and what would do; and labels that orders cannot be for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pbem.core.book import (
    OPEN,
    START,
    LabelParts,
    has_passed,
    is_past_end,
    next_label,
    parts,
)
from pbem.core.events import Seat
from pbem.core.foresight import Horizon
from pbem.core.interface import Ask
from pbem.core.remedies import Advice, Remedy
from pbem.core.wording import most_similar_name, suggest_values

FaultKind: TypeAlias = Literal[
    # the file
    "yaml",
    "not-orders",
    "envelope",
    "no-orders",
    "without-lines",
    "half-choice",
    "hidden-message",
    # whose it is
    "game-unknown",
    "game-other",
    "game-over",
    "game-cancelled",
    "seat-unknown",
    "seat-other",
    "key-missing",
    "key-wrong",
    "key-repeated",
    "key-of-former",
    "form-of-former",
    # its lines
    "orders-no-list",
    "do-empty",
    "schema",
    "field-unknown",
    "field-missing",
    "fields-together",
    "label",
    "label-passed",
    "until",
    "until-beside-at",
    "shadowed",
    "rule",
    "never-playable",
    # its conditions
    "condition-empty",
    "condition-unknown",
    "condition-twice",
    "condition-value",
    "condition-never",
    "condition-always",
    "condition-unclear",
    # its press
    "press-off",
    "press-anonymous",
    "press-reader",
    "press-secret",
    "press-full",
    # the mail that it came in
    "mail-unreadable",
    "mail-without-orders",
]
"""What is wrong, for programs; its place and words are of the one mistake."""


class Fault(NamedTuple):
    """One mistake in an orders file: where, what was read, what is wrong, what would do.

    Attributes:
        line: Counted from 1.
        column: Counted from 1.
        text: What was read and what is wrong.
        hint: What would do; may be empty.
        part: What can be left out for it: a line of orders ("2"), an action of one ("2.bid_1"), or "".
        kind: Its kind.
        remedies: What would do, for programs; no mistake comes before another for them.
    """

    line: int
    column: int
    text: str
    hint: str = ""
    part: str = ""
    kind: FaultKind = "rule"
    remedies: tuple[Remedy, ...] = ()

    def __lt__(self, other: tuple[Any, ...]) -> bool:
        """Tell whether it comes before another mistake in the file."""
        return self[:-1] < other[:-1]

    @property
    def sentence(self) -> str:
        """What is wrong and what would do, without its place."""
        end = "" if self.text.endswith((".", "?", "!")) else "."
        return self.text + (f"{end} {self.hint}" if self.hint else "")

    def __str__(self) -> str:
        """Return `LINE:COLUMN: text. hint`, as it follows the file's name."""
        return f"{self.line}:{self.column}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Correction:
    """Lines of an orders file as they could be written.

    Attributes:
        line: The first line that they stand for, from 1.
        count: So many lines they stand for.
        lines: The lines.
    """

    line: int
    count: int
    lines: tuple[str, ...]


class Faults(list[Fault]):
    """All mistakes of an orders file, with what would do.

    Attributes:
        offer: The lines that would be accepted in place of those that are wrong; empty if nobody can say. All
            others stay as they were written.
        notes: What was taken for what all the same, each with its line.
        whole: The whole file with the offer in it, without comments; without an offer an example, or nothing.
        is_example: The whole file is an example of orders, and not what was written.
        older: The game and the seat, if these are orders for asks that have passed; None if they are not.
    """

    def __init__(
        self,
        faults: Iterable[Fault] = (),
        offer: tuple[Correction, ...] = (),
        notes: tuple[tuple[str, int], ...] = (),
        *,
        whole: tuple[str, ...] = (),
        is_example: bool = False,
        older: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(faults)
        self.offer = offer
        self.notes = notes
        self.whole = whole
        self.is_example = is_example
        self.older = older


PASSED: Final = "{} has passed"
"""What is wrong with a label that a seat is not asked under any more."""


class LabelFault(NamedTuple):
    """What is wrong with a label, and what would do; that it has passed is a kind of its own."""

    text: str
    advice: Advice
    kind: FaultKind = "label"


def label_fault(
    label: str, ask: Ask, asked: Mapping[str, int], seat: Seat, seats: Collection[str], horizon: Horizon
) -> LabelFault | None:
    """Say why a seat will not be asked under a label any more, or never could be, and what would do; or None.

    Args:
        label: The label as written.
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat that wrote it.
        seats: The seats that are known; those of `asked` are too.
        horizon: What is always the same about the asks of the game.
    """
    now = ask.label
    hint = Advice(f"You are asked {now} now." if seat in ask.seats else f"The game is at {now} now.")
    found, current = parts(label), parts(now)
    is_asked = seat in ask.seats | ask.optional
    if label == now and (is_asked or (current is not None and current.owner == seat)):
        return None
    mine = {seat, "turn"} if current is None else {current.owner} & {"turn"} or {seat}
    if found and found.owner not in mine and (not found.word or label == now):
        own = next_label(ask, asked, seat)
        not_yours = LabelFault(f"{label} is not an ask of yours", _meant_advice(label, found, own) or hint)
        return _foreign_label_fault(label, found, seat, {*asked, *seats}, own) or not_yours
    if label == START or (found and found.count + bool(found.word) <= asked.get(found.owner, 0)):
        return LabelFault(PASSED.format(label), hint, "label-passed")
    if label == OPEN:
        return LabelFault("seals are not opened now", hint)
    if found is None:
        return LabelFault(f"{label!r} is no label", hint)
    if has_passed(label, now):
        return LabelFault(PASSED.format(label), hint, "label-passed")
    told = _never_asked_text(label, found, seat, horizon) or describe_past_last_turn(label, horizon)
    return LabelFault(told, hint) if told else None


def describe_past_last_turn(label: str, horizon: Horizon) -> str:
    """Say that a label is beyond the last turn of a game; "" if it is not."""
    found = parts(label)
    if found is None or not is_past_end(label, horizon.last):
        return ""
    return f"{label} never comes: {found.owner}-{horizon.last} is the last of this game"


def _meant_advice(label: str, found: LabelParts, own: str) -> Advice:
    """Ask whether a label of this seat was meant, if the seat's name is nearly in it; or say nothing."""
    mine = parts(own)
    if mine is None or not most_similar_name(found.owner, [mine.owner]):
        return Advice()
    return suggest_values(label.replace(found.owner, mine.owner, 1))


def _foreign_label_fault(
    label: str, found: LabelParts, seat: Seat, seats: Collection[str], own: str
) -> LabelFault | None:
    """Say whose a label is that is not this seat's: the label may be wrong, or the line `seat:`."""
    other = found.owner
    if other == "turn" or other not in seats:
        return None
    text = f"{label} is {other.capitalize()}'s label; this file says seat: {seat}"
    way = f"Write at: {own}, or seat: {other} if these are {other.capitalize()}'s orders."
    return LabelFault(text, Advice(way))


def _never_asked_text(label: str, found: LabelParts, seat: Seat, horizon: Horizon) -> str | None:
    """Say that a follow-up is never put to this seat: nobody is asked it, or others are."""
    words = horizon.follow_ups
    if not found.word or words is None:
        return None
    whom = words.get(found.word)
    if whom is None:
        return f"{label} is never asked: no label of this game ends in .{found.word}"
    if (whom == "owner") == (found.owner == seat):
        return None
    who = f"{found.owner.capitalize()} is" if whom == "owner" else "the others are"
    return f"you are never asked {label}: {who} asked under it"
