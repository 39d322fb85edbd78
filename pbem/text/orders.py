"""Orders files: strict YAML, then the envelope's schema, then the rules' schema, then typed lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pbem.core.book import Line, Orders, Press
from pbem.core.events import ALL, Audience, Seat
from pbem.core.interface import Json, Label
from pbem.core.labels import START
from pbem.text.codec import decode
from pbem.text.envelope import ENVELOPE
from pbem.text.receipts import left_out, receipt_of, unstamped
from pbem.text.schema import Schema, near
from pbem.text.strictyaml import Document, YamlProblem, dump_flow, find, parse

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One mistake in an orders file: where, what was read, what is wrong, what would do."""

    line: int
    column: int
    text: str
    hint: str = ""

    def __str__(self) -> str:
        """Return `LINE:COLUMN: text. hint`, as it follows the file's name."""
        end = "" if self.text.endswith((".", "?", "!")) else "."
        return f"{self.line}:{self.column}: {self.text}" + (f"{end} {self.hint}" if self.hint else "")


@dataclass(frozen=True, slots=True)
class Envelope:
    """An orders file whose outer shape is right; the lines have not been judged yet."""

    game: str
    seat: Seat
    key: str
    receipt: int
    left_out: frozenset[int]
    document: Document

    def fault(self, path: Path, text: str, hint: str = "", *, at_key: bool = False) -> Fault:
        """Return a mistake at a path of this file."""
        mark = self.document.keys.get(path) if at_key else None
        mark = mark or find(self.document, path)
        return Fault(mark.line, mark.column, text, hint)


@dataclass(frozen=True, slots=True)
class Submission:
    """A seat's orders as one file holds them.

    Attributes:
        envelope: The file.
        orders: Its lines, stop conditions and press, fresh.
        dropped: Lines that `partial: true` left out, each with its mistakes.
    """

    envelope: Envelope
    orders: Orders
    dropped: Mapping[int, tuple[Fault, ...]]

    def fault(self, number: int, path: Path, text: str, hint: str = "") -> Fault:
        """Return a mistake at a path of the line with this number."""
        return self.envelope.fault(("orders", number - 1, *path), text, hint)


@dataclass(frozen=True, slots=True)
class _PendingLine:
    order: int
    at: Label | None
    when: Mapping[str, Any]
    keep: bool
    do: Any


@dataclass(frozen=True, slots=True)
class _Pending:
    receipt: int
    stop_if: Mapping[str, Any]
    lines: tuple[_PendingLine, ...]


@cache
def _envelope_schema() -> Schema:
    return Schema(ENVELOPE)


def open_envelope(data: bytes) -> Envelope | list[Fault]:
    """Read an orders file as far as it is the same in all games.

    Args:
        data: The file, at most 64 KiB of UTF-8.

    Returns:
        The envelope, or every mistake in the order of lines, at most 20.
    """
    try:
        document = parse(unstamped(data))  # our stamp must not make a file too long
    except YamlProblem as problem:
        return [Fault(problem.mark.line, problem.mark.column, problem.text, problem.hint)]
    if not isinstance(document.value, dict):
        example = "An orders file starts with `game:` and `seat:`."
        return [Fault(1, 1, "these are no orders: expected fields (name: value)", example)]
    value = _names_as_text(document.value)
    document = Document(value, document.marks, document.keys)
    envelope = Envelope(
        str(value.get("game", "")),
        Seat(str(value.get("seat", ""))),
        str(value.get("key", "")),
        receipt_of(data),
        left_out(data),
        document,
    )
    faults = [
        envelope.fault(problem.path, problem.text, problem.hint, at_key=problem.at_key)
        for problem in _envelope_schema().problems(value)
    ]
    return sorted(faults)[:20] if faults else envelope


def read_lines(
    envelope: Envelope, seats: tuple[Seat, ...], move: Schema, start: Schema
) -> Submission | list[Fault]:
    """Read the lines of an envelope against the rules' schema.

    Args:
        envelope: The file.
        seats: The seats of its game.
        move: The schema of the rules' `do`.
        start: The schema of a start form's `do`.

    Returns:
        The submission, or every mistake in the order of lines, at most 20.
    """
    value = _fields(envelope.document.value)
    lines = tuple(_line(number, raw) for number, raw in enumerate(_items(value.get("orders")), 1))
    faults = {line.number: _line_faults(envelope, line, move, start) for line in lines}
    bad = {number: tuple(found) for number, found in faults.items() if found}
    loose = _press_faults(envelope, value, seats)
    dropped = bad if value.get("partial") is True else {}
    if loose or (bad and not dropped):
        return sorted([*loose, *(fault for found in bad.values() for fault in found if not dropped)])[:20]
    press = tuple(_press(_fields(raw)) for raw in _items(value.get("press")))
    orders = Orders(
        tuple(line for line in lines if line.number not in dropped and line.number not in envelope.left_out),
        _fields(value.get("stop_if")),
        press,
        fresh=True,
        receipt=envelope.receipt,
    )
    return Submission(envelope, orders, dropped)


def masked(data: bytes, envelope: Envelope) -> bytes:
    """Return an orders file with the key's value masked in its place; it stays a file that can be read."""
    mark = envelope.document.marks.get(("key",))
    if mark is None or not envelope.key:
        return data
    text = data.decode()
    start = "\ufeff" if text.startswith("\ufeff") else ""
    lines = text.removeprefix(start).splitlines(keepends=True)
    line = lines[mark.line - 1]
    before, after = line[: mark.column - 1], line[mark.column - 1 :]
    lines[mark.line - 1] = before + after.replace(envelope.key, "x" * len(envelope.key), 1)
    return (start + "".join(lines)).encode()


def key_fault(data: bytes, envelope: Envelope) -> Fault | None:
    """Say why a file's key would still be found in a copy that `masked` made, or None."""
    covered = masked(data, envelope)
    again = open_envelope(covered)
    if isinstance(again, Envelope) and again.key != envelope.key and envelope.key.encode() not in covered:
        return None
    text = "the key must stand in this file once only, in the line of `key:`"
    return envelope.fault(("key",), text, "Write it as in your invitation, and nowhere else.")


def canonical(orders: Orders) -> str:
    """Return lodged orders as YAML, one line of orders a block, in the words that will run."""
    out: list[str] = []
    for line in orders.lines:
        head = f"- at: {line.at}" if line.at else "- # whenever you are asked"
        out.append(head)
        if line.when:
            out.append(f"  when: {dump_flow(dict(line.when))}")
        if line.keep:
            out.append("  keep: true")
        out.append(f"  do: {dump_flow(line.do)}")
    if orders.stop_if:
        out.append(f"stop_if: {dump_flow(dict(orders.stop_if))}")
    out.extend(["press:"] if orders.press else [])
    for press in orders.press:
        readers: Json = press.to if press.to == ALL else list[Json](sorted(press.to))
        out.append(f"- {dump_flow({'to': readers, 'say': press.say})}")
    return "\n".join(out)


def pending_json(orders: Orders) -> dict[str, Json]:
    """Return what a turn leaves over of a seat's orders, for its `pending/` file."""
    lines: list[Json] = [
        {"order": line.number, "at": line.at, "when": dict(line.when), "keep": line.keep, "do": line.do}
        for line in orders.lines
    ]
    return {"receipt": orders.receipt, "stop_if": dict(orders.stop_if), "lines": lines}


def pending_orders(value: Json) -> Orders:
    """Return what `pending_json` wrote.

    Raises:
        Misshapen: Nothing that it could have written.
    """
    kept = decode(_Pending, value, "pending orders")
    lines = tuple(Line(line.order, line.at, line.when, line.keep, line.do) for line in kept.lines)
    return Orders(lines, kept.stop_if, receipt=kept.receipt)


def _line(number: int, raw: Json) -> Line:
    fields = _fields(raw)
    at = fields.get("at")
    label = Label(str(at)) if at is not None else None
    return Line(number, label, _fields(fields.get("when")), fields.get("keep") is True, fields["do"])


def _line_faults(envelope: Envelope, line: Line, move: Schema, start: Schema) -> list[Fault]:
    place: Path = ("orders", line.number - 1, "do")
    if line.do in ({}, None):
        return [envelope.fault(place, "`do` is still empty", "Put one of the choices there.")]
    is_start = line.at == START or (isinstance(line.do, dict) and "luck" in line.do)
    return [
        envelope.fault((*place, *problem.path), problem.text, problem.hint, at_key=problem.at_key)
        for problem in (start if is_start else move).problems(line.do)
    ]


def _press_faults(envelope: Envelope, value: Mapping[str, Json], seats: tuple[Seat, ...]) -> list[Fault]:
    faults = []
    for n, raw in enumerate(_items(value.get("press"))):
        to = _fields(raw).get("to")
        for seat in [to] if isinstance(to, str) else _items(to):
            if seat != ALL and seat not in seats:
                text = f"there is no seat {seat!r} in this game"
                faults.append(envelope.fault(("press", n, "to"), text, near(str(seat), [*seats, ALL])))
    return faults


def _press(raw: Mapping[str, Json]) -> Press:
    to = raw.get("to")
    named = [to] if isinstance(to, str) else _items(to)
    audience: Audience = ALL if ALL in named else frozenset(Seat(str(seat)) for seat in named)
    return Press(audience, str(raw.get("say")))


def _names_as_text(value: dict[str, Json]) -> dict[str, Json]:
    """Turn the names that YAML read as numbers into text: game, seat, key and the readers of press."""
    out = dict(value)
    for name in ("game", "seat", "key"):
        if type(out.get(name)) is int:
            out[name] = str(out[name])
    if isinstance(press := out.get("press"), list):
        out["press"] = [_with_text_readers(message) for message in press]
    return out


def _with_text_readers(message: Json) -> Json:
    if not isinstance(message, dict):
        return message
    to = message.get("to")
    if isinstance(to, list):
        return {**message, "to": [str(seat) if type(seat) is int else seat for seat in to]}
    return {**message, "to": str(to)} if type(to) is int else message


def _fields(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
