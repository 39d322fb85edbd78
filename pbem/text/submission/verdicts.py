"""What is said of a submission: its mistakes, what each line is going to be, and both in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pbem.core.engine.book import Line
from pbem.core.foresight import UNSEEN, Outlook
from pbem.core.wording import listed
from pbem.text.submission.orders import Fault


@dataclass(frozen=True, slots=True)
class Prospect:
    """What one line is going to be.

    Attributes:
        number: The line's place in the submission, from 1.
        standing: "plays" now, "if silent" (it could be played at the deadline), "else" (an earlier line plays
            instead), "not now" (its condition does not hold), "later" (it waits for its ask) or "refused" (it
            has a mistake).
        lines: The forecast, or the reason; one sentence each.
        meant: The line in words, as it was understood: when, if what, and what then.
    """

    number: int
    standing: str
    lines: tuple[str, ...]
    meant: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a submission, or, if nothing is, what each of its lines will try.

    Attributes:
        loose: Mistakes outside the lines.
        by_line: Mistakes of lines, by the line's number.
        prospects: What each line is going to be, in the order written.
        unanswered: The present ask, if its seat is asked and no line answers it as things stand; else "".
        notes: What may be a slip: paths of `stop_if` that are not in the view now.
        waits: The lines count at the deadline and not before.
        besides: What else was understood, a sentence each: what stops the lines, and each message.
    """

    loose: tuple[Fault, ...]
    by_line: Mapping[int, tuple[Fault, ...]]
    prospects: tuple[Prospect, ...]
    unanswered: str = ""
    notes: tuple[str, ...] = ()
    waits: bool = False
    besides: tuple[str, ...] = ()

    @property
    def faults(self) -> list[Fault]:
        """All mistakes, in the order of the file."""
        return sorted([*self.loose, *(fault for found in self.by_line.values() for fault in found)])


STOP_FIRST: Final = "never tried: your stop holds whenever this condition does"
STOP_NOW: Final = "your stop holds now, and ends this line unless that changes before you are asked"
"""What is said beside a line that `stop_if` ends before it is tried, for certain or as things stand."""

_STANDINGS: Final = {"plays": "will be played", "if silent": "if you send nothing else by the deadline"}


def in_words(verdict: Verdict, at_deadline: str = "") -> list[str]:
    """Return what a submission will try, in lines: for each line of orders one, and what belongs to it.

    Args:
        verdict: What was judged.
        at_deadline: What is done besides waiting, if no line answers; the end of a sentence.
    """
    out = []
    if verdict.unanswered:
        waits = f"the game will wait for you{at_deadline}"
        out.append(f"No line answers {verdict.unanswered} as things stand; {waits}.")
    out.extend(f"stop_if: {note}" for note in verdict.notes)
    for prospect in verdict.prospects:
        if prospect.standing == "refused":
            continue
        standing = _STANDINGS.get(prospect.standing, prospect.standing)
        out.append(numbered(prospect.number, prospect.meant))
        if prospect.standing in _STANDINGS:
            out.append(f"  {standing}: {' '.join(prospect.lines[:1])}")
            out.extend(f"    {line}" for line in prospect.lines[1:])
        else:
            out.append(f"  {standing}: {'; '.join(prospect.lines)}")
    if any(prospect.standing in ("later", "not now") for prospect in verdict.prospects):
        out.append("If none of these lines can be played when you are asked, you are asked anew.")
    if verdict.waits:
        out.append("These orders count at the deadline; the game is not run early for you.")
    out.extend(verdict.besides)
    return out


def numbered(number: int, meant: str) -> str:
    """Return a line of orders in words, with its number: "order 1: at red-8: draw a card."."""
    return f"order {number}: {meant}."


def outlook_in_words(found: Outlook, *, has_condition: bool) -> str:
    """Say what becomes of a line for later that may be played."""
    if found.unknown == UNSEEN:
        return UNSEEN
    if found.unknown:
        return f"cannot be judged yet: {found.unknown}"
    if found.provided:
        also = "and if " if has_condition else "if "
        told = f"would be played {'then, ' * has_condition}{also}{listed(found.provided)}"
    else:
        told = "will be played if that is so" if has_condition else "will be played"
    return ". ".join((told, *found.besides))


def way_out(shadow: Line, line: Line) -> str:
    """Say what would let a line be played that another one, above it, is always played instead of."""
    if shadow.keep and shadow.at is None:
        return f"Put it above order {shadow.number}: a standing order stands last."
    if len(line.when) > len(shadow.when):
        return f"Put it above order {shadow.number}, which asks for less."
    if shadow.when:
        return f"Leave it out, or change its `when`: order {shadow.number} has the same."
    return f"Leave it out, or give order {shadow.number} a `when`."
