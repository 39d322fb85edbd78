"""The verb that checks orders files; and what is told of them: mistakes with a caret, what was taken."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.cli.base import (
    home_option,
    is_quiet,
    json_option,
    open_home,
    print_error,
    print_hint,
    print_json,
    print_text,
    print_to_stderr,
    read_file,
)
from pbem.play.homes.home import Home, exposed_secrets
from pbem.play.submissions.anyfile import SubmittedFile, handed_in
from pbem.play.submissions.lodging import check_submission
from pbem.play.submissions.receipts import JudgedOrders, earlier_orders_text, forecast_of
from pbem.text.mending.mending import merge_label_faults
from pbem.text.orders import Correction, Fault, Faults
from pbem.text.plaintext import caret_lines

if TYPE_CHECKING:
    from pbem.core.interface import Json
    from pbem.play.homes.saved import SavedGame

T = TypeVar("T")


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@json_option
@home_option
def check(files: tuple[Path, ...], as_json: bool, home: str) -> int:
    """Check orders files: every mistake, or what the orders would do.

    Each mistake is told as FILE:LINE:COLUMN, with what would do instead. The home is always checked too, for
    secrets that others on this machine can read: passwords, the seeds, saves and orders of games, mails.
    """
    opened, is_open = open_home(home), False
    for told in exposed_secrets(opened):
        print_to_stderr(f"pbem: {told}")
        is_open = True

    games: dict[str, SavedGame] = {}
    as_data = judged_json if as_json else None

    def handle(handed: SubmittedFile) -> JudgedOrders | list[Fault]:
        return check_submission(opened, handed.data, games)

    worst = handle_files(opened, files, handle, as_data, _print_judged)
    if not files and not is_open:
        print_hint(f"{home}: nothing that is secret can be read by others on this machine.")
    return max(worst, 1 if is_open else 0)


def handle_files(
    home: Home,
    files: tuple[Path, ...],
    handle: Callable[[SubmittedFile], T | list[Fault]],
    as_data: Callable[[Path, T | list[Fault], SubmittedFile], dict[str, Json]] | None,
    show: Callable[[Path, T, SubmittedFile], None],
) -> int:
    """Handle files one after the other; one that fails does not hide what came of the others."""
    worst = 0
    data: list[Json] = []
    for path in files:
        try:
            found = handed_in(home, read_file(path))
            handed = found if isinstance(found, SubmittedFile) else SubmittedFile(b"")
            result = handle(found) if isinstance(found, SubmittedFile) else found
            worst = max(worst, 1 if isinstance(result, list) else 0)
            if as_data:
                data.append(as_data(path, result, handed))
            elif isinstance(result, list):
                print_faults(path, result, handed)
            elif not is_quiet():
                show(path, result, handed)
        except Exception as wrong:  # ours too
            worst = max(worst, print_error(wrong, path))
    if as_data:
        print_json(data)
    return worst


def _print_judged(path: Path, judged: JudgedOrders, handed: SubmittedFile) -> None:
    submission, before = judged.submission, earlier_orders_text(judged)
    plays = any(one.standing == "plays" for one in judged.verdict.prospects)
    works = "these orders will work" if plays else "no mistakes"
    print_text(f"{path}: {'what is left of them will work' if submission.envelope.dropped else works}.")
    print_cautions(judged.verdict.cautions)
    print_interpretation(path, judged, handed)
    print_forecast(path, judged, forecast_of(judged), handed)
    if submission.envelope.withdraws:
        print_lines("These orders would be withdrawn:", before)
    elif not submission.is_without_lines:
        print_lines("They would replace your orders of before:", before)
    else:
        print_text("There are no orders in it, only a message:")
        for line in judged.verdict.besides:
            print_text(f"  {line}")
        print_lines("These orders from before would stand:", before)


def print_cautions(cautions: Iterable[str]) -> None:
    """Print what the sender may not have meant, before anything else."""
    for one in cautions:
        print_text(f"BUT {one}.")


def print_forecast(path: Path, judged: JudgedOrders, forecast: Iterable[str], handed: SubmittedFile) -> None:
    """Print which orders are left out, and what the others would do."""
    for fault in judged.submission.envelope.dropped:
        number, _, action = fault.part.partition(".")
        print_fault(path, fault, handed, f" ({f'{action} of ' * bool(action)}order {number} is left out)")
    for line in forecast:
        print_text(f"  {line}")


def judged_json(path: Path, result: JudgedOrders | list[Fault], handed: SubmittedFile) -> dict[str, Json]:
    """Return what a check found, as data."""
    if isinstance(result, list):
        return {"file": str(path), **faults_json(result, handed)}
    notes = [(one.text, one.line) for one in result.notes]
    envelope = result.submission.envelope
    prospects: list[Json] = [
        {"order": one.number, "standing": one.standing, "meant": one.meant, "lines": [*one.lines]}
        for one in result.verdict.prospects
    ]
    return {
        "file": str(path),
        "game": envelope.game,
        "seat": envelope.seat,
        "faults": [],
        "prospects": prospects,
        "besides": [*result.verdict.besides],
        "cautions": [*result.verdict.cautions],
        **notes_json(notes, handed),
    }


_INDENT = " " * 4


def print_faults(path: Path, faults: Sequence[Fault], handed: SubmittedFile) -> None:
    """Print every mistake with the line of the file and a caret under its place, and what would do."""
    _print_found(path, handed)
    for fault in merge_label_faults(faults, lambda line: handed.place(line)[0]):
        print_fault(path, fault, handed)
    if not isinstance(faults, Faults):
        return
    for note in _note_lines(faults.notes, handed):
        print_text(f"{path}: Note: {note}")
    for one in faults.offer:
        first, last = _replaced_lines(one, handed)
        lines = f"line {first}" if first == last else f"lines {first} to {last}"
        title = f"You could write, in place of {lines}:" if first else "You could write:"
        print_lines(title, "\n".join(one.lines))
    if faults.is_example:
        title = "This would be accepted; it is an example, and your own choice takes its place:"
        print_lines(title, "\n".join(faults.whole))
    if _has_other_orders(faults, handed):
        print_text("The other orders in the file stay as they are.")
    if faults.older:
        print_text(f"This is a form of before. Print that of now: pbem form {' '.join(faults.older)}")


def print_lines(title: str, orders: str) -> None:
    """Print lines of orders below what they are; nothing if there are none."""
    if orders:
        print_text(title)
        print_text(textwrap.indent(orders, _INDENT))


def _replaced_lines(one: Correction, handed: SubmittedFile) -> tuple[int, int]:
    """Return the first and the last line of the file that an offer stands for, with comments between them."""
    first, last = handed.place(one.line)[0], handed.place(one.line + one.count - 1)[0]
    return first, max(first, last)


def _has_other_orders(faults: Faults, handed: SubmittedFile) -> bool:
    """Tell whether an offer takes the place of some orders of a file, and there are others in it."""
    if not faults.offer or not all(one.line for one in faults.offer):
        return False
    spans = [_replaced_lines(one, handed) for one in faults.offer]
    begun = (number for number, line in enumerate(handed.theirs, 1) if line.lstrip(" >").startswith("- "))
    return any(not any(first <= number <= last for first, last in spans) for number in begun)


def print_fault(path: Path, fault: Fault, handed: SubmittedFile, end: str = "") -> None:
    """Print one mistake: FILE:LINE:COLUMN, the line as it stands there, and a caret."""
    line, column = handed.place(fault.line, fault.column)
    said = fault.sentence
    print_text(f"{path}:{line}:{column}: {said}{end}" if line else f"{path}: {said}{end}")
    if shown := handed.shown(line):
        text, caret = caret_lines(shown, column)
        print_text(f"{_INDENT}{text}\n{_INDENT}{caret}")


def print_interpretation(path: Path, judged: JudgedOrders, handed: SubmittedFile) -> None:
    """Print where orders were found and what was taken for what."""
    _print_found(path, handed)
    for note in _note_lines([(one.text, one.line) for one in judged.notes], handed):
        print_text(f"  Note: {note}")


def _print_found(path: Path, handed: SubmittedFile) -> None:
    if handed.origin:
        print_text(f"{path}: orders found in {handed.origin}.")
    for note in handed.notes:
        print_text(f"  Note: {note}")


def _note_lines(notes: Sequence[tuple[str, int]], handed: SubmittedFile) -> Iterator[str]:
    for text, line in notes:
        there = handed.place(line)[0]
        yield f"{text} in line {there}." if there else f"{text}."


def faults_json(faults: Sequence[Fault], handed: SubmittedFile) -> dict[str, Json]:
    """Return mistakes as data: where, what, the line with its caret, and what would do."""
    told: list[Json] = []
    for fault in faults:
        line, column = handed.place(fault.line, fault.column)
        text, caret = caret_lines(handed.shown(line), column)
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
            for first, last in [_replaced_lines(one, handed)]
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


def notes_json(notes: Sequence[tuple[str, int]], handed: SubmittedFile) -> dict[str, Json]:
    """Return where orders were found and what was taken for what, as data."""
    return {"found_in": handed.origin, "notes": [*handed.notes, *_note_lines(notes, handed)]}
