"""What is told of orders that were read: mistakes with a caret under them, what was taken, what would do."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.base import tell, to_look_at
from pbem.text.orders import Fault, Faults
from pbem.text.plaintext import with_caret

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.homes.home import Home
    from pbem.play.submissions.anyfile import Handed
    from pbem.play.submissions.receipts import Judged
    from pbem.text.orders import Corrected, Envelope


_INDENT = " " * 4


def print_faults(path: Path, faults: Sequence[Fault], handed: Handed) -> None:
    """Print every mistake with the line of the file and a caret under its place, and what would do."""
    from pbem.text.mending.mending import told_once  # few files have mistakes

    _print_found(path, handed)
    for fault in told_once(faults, lambda line: handed.place(line)[0]):
        print_fault(path, fault, handed)
    if not isinstance(faults, Faults):
        return
    for note in _taken(faults.notes, handed):
        tell(f"{path}: Note: {note}")
    for one in faults.offer:
        first, last = _replaced(one, handed)
        lines = f"line {first}" if first == last else f"lines {first} to {last}"
        title = f"You could write, in place of {lines}:" if first else "You could write:"
        print_lines(title, "\n".join(one.lines))
    if faults.is_example:
        title = "This would be accepted; it is an example, and your own choice takes its place:"
        print_lines(title, "\n".join(faults.whole))
    if _others_stay(faults, handed):
        tell("The other orders in the file stay as they are.")
    if faults.older:
        tell(f"This is a form of before. Print that of now: pbem form {' '.join(faults.older)}")


def print_lines(title: str, orders: str) -> None:
    """Print lines of orders below what they are; nothing if there are none."""
    if orders:
        tell(title)
        tell(textwrap.indent(orders, _INDENT))


def _replaced(one: Corrected, handed: Handed) -> tuple[int, int]:
    """Return the first and the last line of the file that an offer stands for, with comments between them."""
    first, last = handed.place(one.line)[0], handed.place(one.line + one.count - 1)[0]
    return first, max(first, last)


def _others_stay(faults: Faults, handed: Handed) -> bool:
    """Tell whether an offer takes the place of some orders of a file, and there are others in it."""
    if not faults.offer or not all(one.line for one in faults.offer):
        return False
    spans = [_replaced(one, handed) for one in faults.offer]
    begun = (number for number, line in enumerate(handed.theirs, 1) if line.lstrip(" >").startswith("- "))
    return any(not any(first <= number <= last for first, last in spans) for number in begun)


def print_fault(path: Path, fault: Fault, handed: Handed, end: str = "") -> None:
    """Print one mistake: FILE:LINE:COLUMN, the line as it stands there, and a caret."""
    line, column = handed.place(fault.line, fault.column)
    said = fault.sentence
    tell(f"{path}:{line}:{column}: {said}{end}" if line else f"{path}: {said}{end}")
    if shown := handed.shown(line):
        text, caret = with_caret(shown, column)
        tell(f"{_INDENT}{text}\n{_INDENT}{caret}")


def print_taken(path: Path, judged: Judged, handed: Handed) -> None:
    """Print where orders were found and what was taken for what."""
    _print_found(path, handed)
    for note in _taken([(one.text, one.line) for one in judged.notes], handed):
        tell(f"  Note: {note}")


def print_held(home: Home, sent: Envelope) -> None:
    """Print that orders which were lodged just now are held back, if they are."""
    from pbem.host.run.notes import notes_of

    game, seat = sent.game, sent.seat
    if why := notes_of(to_look_at(home, game), game).held.get(seat):
        until = f"no run looks at them before pbem hold {game} {seat} --release"
        tell(f"Orders of {seat} are held back ({why}): {until}")


def _print_found(path: Path, handed: Handed) -> None:
    if handed.origin:
        tell(f"{path}: orders found in {handed.origin}.")
    for note in handed.notes:
        tell(f"  Note: {note}")


def _taken(notes: Sequence[tuple[str, int]], handed: Handed) -> Iterator[str]:
    for text, line in notes:
        there = handed.place(line)[0]
        yield f"{text} in line {there}." if there else f"{text}."


def faults_json(faults: Sequence[Fault], handed: Handed) -> dict[str, Json]:
    """Return mistakes as data: where, what, the line with its caret, and what would do."""
    told: list[Json] = []
    for fault in faults:
        line, column = handed.place(fault.line, fault.column)
        text, caret = with_caret(handed.shown(line), column)
        told.append(
            {
                "kind": fault.kind,
                "line": line,
                "column": column,
                "text": fault.text,
                "hint": fault.hint,
                "shown": text,
                "caret": caret if text else "",
            }
        )
    offer: list[Json] = []
    if isinstance(faults, Faults):
        offer = [
            {"line": first, "count": last - first + 1, "lines": [*one.lines]}
            for one in faults.offer
            for first, last in [_replaced(one, handed)]
        ]
        if faults.is_example:
            offer = [{"line": 1, "count": len(handed.theirs), "lines": [*faults.whole]}]
    notes = faults.notes if isinstance(faults, Faults) else ()
    is_example = isinstance(faults, Faults) and faults.is_example
    return {
        "faults": told,
        "offer": offer,
        "offer_is_example": is_example,
        **notes_json(notes, handed),
    }


def notes_json(notes: Sequence[tuple[str, int]], handed: Handed) -> dict[str, Json]:
    """Return where orders were found and what was taken for what, as data."""
    return {"found_in": handed.origin, "notes": [*handed.notes, *_taken(notes, handed)]}
