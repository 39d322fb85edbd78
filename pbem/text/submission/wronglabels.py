"""Labels that orders cannot be for: passed, another seat's, or never asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.foresight import Horizon
from pbem.core.interface import Ask
from pbem.core.labels import OPEN, START, Parts, has_passed, is_beyond, next_label, parts
from pbem.core.remedies import Advice
from pbem.core.wording import ask_for, like
from pbem.text.submission.faults import FaultKind

PASSED: Final = "{} has passed"
"""What is wrong with a label that a seat is not asked under any more."""


class Wrong(NamedTuple):
    """What is wrong with a label, and what would do; that it has passed is a kind of its own."""

    text: str
    advice: Advice
    kind: FaultKind = "label"


def label_fault(
    label: str, ask: Ask, asked: Mapping[str, int], seat: Seat, seats: Collection[str], horizon: Horizon
) -> Wrong | None:
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
        not_yours = Wrong(f"{label} is not an ask of yours", _meant(label, found, own) or hint)
        return _strange(label, found, seat, {*asked, *seats}, own) or not_yours
    if label == START or (found and found.count + bool(found.word) <= asked.get(found.owner, 0)):
        return Wrong(PASSED.format(label), hint, "label-passed")
    if label == OPEN:
        return Wrong("seals are not opened now", hint)
    if found is None:
        return Wrong(f"{label!r} is no label", hint)
    if has_passed(label, now):
        return Wrong(PASSED.format(label), hint, "label-passed")
    told = _never_asked(label, found, seat, horizon) or beyond(label, horizon)
    return Wrong(told, hint) if told else None


def beyond(label: str, horizon: Horizon) -> str:
    """Say that a label is beyond the last turn of a game; "" if it is not."""
    found = parts(label)
    if found is None or not is_beyond(label, horizon.last):
        return ""
    return f"{label} never comes: {found.owner}-{horizon.last} is the last of this game"


def _meant(label: str, found: Parts, own: str) -> Advice:
    """Ask whether a label of this seat was meant, if the seat's name is nearly in it; or say nothing."""
    mine = parts(own)
    if mine is None or not like(found.owner, [mine.owner]):
        return Advice()
    return ask_for(label.replace(found.owner, mine.owner, 1))


def _strange(label: str, found: Parts, seat: Seat, seats: Collection[str], own: str) -> Wrong | None:
    """Say whose a label is that is not this seat's: the label may be wrong, or the line `seat:`."""
    other = found.owner
    if other == "turn" or other not in seats:
        return None
    text = f"{label} is {other.capitalize()}'s label; this file says seat: {seat}"
    way = f"Write at: {own}, or seat: {other} if these are {other.capitalize()}'s orders."
    return Wrong(text, Advice(way))


def _never_asked(label: str, found: Parts, seat: Seat, horizon: Horizon) -> str | None:
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
