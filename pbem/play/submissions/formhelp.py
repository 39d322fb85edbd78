"""Help of a form that lost its ##: known by the seat's own form, word for word, and passed over."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.submissions import meaning
from pbem.play.submissions.meaning import Judge, Learner
from pbem.play.submissions.receipts import Judged
from pbem.text.mail.orders.keys import TOP
from pbem.text.mending.mending import named_in
from pbem.text.mending.shape.drafts import Taken
from pbem.text.submission.faults import Faults
from pbem.text.submission.orders import is_key
from pbem.text.yaml.plaintext import TextProblem, clean
from pbem.text.yaml.strictyaml import YamlProblem, parse

_ODD: Final = re.compile(rf"^ ?(?![\s#-]|(?:{'|'.join(TOP)})\b).*", re.MULTILINE)
"""A line at the margin that begins with no field of orders."""


def without_help(found: Judged | Faults, data: bytes, judge: Judge, learn: Learner) -> Judged | Faults:
    """Return what orders come to once lines of their form's help are passed over, if there are any.

    Args:
        found: What `meaning.as_meant` found: help would be a mistake there, or taken for something.
        data: The orders file.
        judge: Reads and judges an orders file strictly.
        learn: What may be known of the games.
    """
    if isinstance(found, Judged) and not found.notes:
        return found
    try:
        text = clean(data)
    except TextProblem:
        return found
    lines = _lines_of_help(text, learn)
    if not lines:
        return found
    found = meaning.as_meant(_behind_marks(text, lines), judge, learn)
    one = "A line of the form's help without its ## was passed over"
    many = f"{len(lines)} lines of the form's help without their ## were passed over, the first"
    note = Taken(one if len(lines) == 1 else many, lines[0])
    if isinstance(found, Judged):
        return replace(found, notes=(note, *found.notes))
    found.notes = ((note.text, note.line), *found.notes)
    return found


def _lines_of_help(text: str, learn: Learner) -> list[int]:
    """Return which lines of orders, from 1, are help of the form of their seat, and no words in quotes."""
    odd = {text.count("\n", 0, one.start()) + 1: one[0].strip() for one in _ODD.finditer(text)}
    helped = _help_of(text, learn) if odd else ()
    found = [number for number, line in odd.items() if line in helped]
    if not found:
        return []
    gone = frozenset(found)
    rows = [row for number, row in enumerate(text.split("\n"), 1) if number not in gone]
    without = _value("\n".join(rows).encode())
    return [] if without != _value(_behind_marks(text, found)) else found


def _help_of(text: str, learn: Learner) -> frozenset[str]:
    """Return the lines of help in the newest form of the seat whose orders a text holds."""
    named = {name: str(one) for name, one in named_in(text).items()}
    game, seat = learn.only or (named.get("game", ""), Seat(named.get("seat", "")))
    saved = learn.game(game)
    if saved is None or seat not in saved.start.seats:
        return frozenset()
    if saved.table.key and not is_key(named.get("key", ""), saved.players.key(seat)):
        return frozenset()
    form = saved.turns.at(saved.turn) / "reports" / seat / "orders.yaml"
    lines = form.read_text().split("\n") if form.exists() else []
    return frozenset(line.removeprefix("##").strip() for line in lines if line.startswith("##"))


def _behind_marks(text: str, lines: list[int]) -> bytes:
    rows, helped = text.split("\n"), frozenset(lines)
    return "\n".join(f"## {row}" if n in helped else row for n, row in enumerate(rows, 1)).encode()


def _value(data: bytes) -> Json:
    """Return what a text says as YAML; None if it is none."""
    try:
        return parse(data).value
    except YamlProblem:
        return None
