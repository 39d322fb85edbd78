"""Orders files: strict YAML, then the envelope's schema, then the rules' schema, then typed lines."""

from __future__ import annotations

import hmac
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from pbem.core.book import Line, Orders, Press
from pbem.core.events import ALL, MODERATOR, Audience, Seat
from pbem.core.interface import Json, Label
from pbem.core.remedies import Advice, Inside, Remedy
from pbem.text.codec import fields_of, items_of, omitted_parts, receipt_of, strip_receipt
from pbem.text.envelope import ENVELOPE, Grammar, names_as_text
from pbem.text.faults import Correction, Fault, FaultKind, Faults
from pbem.text.names import near_reader
from pbem.text.schema import Schema, SchemaProblem, shown
from pbem.text.strictyaml import Document, YamlProblem, find_mark, parse

_DEEPEST: Final = 8
_SAYS_MORE: Final = ("enum", "const", "pattern")

Form = Mapping[str, Any]


@dataclass(frozen=True)
class Subschema:
    """What a schema lets through at one place.

    Attributes:
        form: The schema of the place.
        root: The whole schema, whose definitions it may name.
    """

    form: Form
    root: Form

    def takes(self, value: Json) -> bool:
        """Tell whether a value fits."""
        whole = {**self.form, "$defs": self.root["$defs"]} if "$defs" in self.root else self.form
        return Schema(whole).takes(value)

    def forms(self) -> list[Form]:
        """Return the forms that a value may have, each without the branches of the schema."""
        return list(_flatten_forms(self.form, self.root, 0))

    def kinds(self) -> set[str]:
        """Return the kinds of values that may fit; none is named where the schema says nothing."""
        return {kind for form in self.forms() for kind in _kinds(form)}

    def fields(self) -> dict[str, Subschema]:
        """Return the fields that an object may have here."""
        found: dict[str, Subschema] = {}
        for form in self.forms():
            for name, below in form.get("properties", {}).items():
                if isinstance(below, Mapping):
                    found.setdefault(name, Subschema(below, self.root))
        return found

    def required(self) -> tuple[str, ...]:
        """Return the fields that an object must have here, in their order."""
        return tuple(name for form in self.forms() for name in form.get("required", ()))

    def items(self) -> Subschema | None:
        """Return what the entries of a list are here, or None if it is no list."""
        for form in self.forms():
            if isinstance(below := form.get("items"), Mapping):
                return Subschema(below, self.root)
        return None

    def words(self) -> list[Json]:
        """Return the values that are listed one by one, if that is all that fits."""
        return [
            word
            for form in self.forms()
            for word in (form.get("enum") or [form[k] for k in ("const",) if k in form])
        ]

    def around(self, name: str) -> str:
        """Return the one field of an object here inside which a name is a field; "" if none is or several."""
        found = [
            field
            for field, below in self.fields().items()
            if name in below.fields() or ((items := below.items()) and name in items.fields())
        ]
        return found[0] if len(found) == 1 else ""

    @property
    def is_recognizable(self) -> bool:
        """Whether what fits can be told by itself: a card of a list, a square; not just any text."""
        return any(key in form for form in self.forms() for key in _SAYS_MORE)


def _flatten_forms(form: Form, root: Form, depth: int) -> Iterator[Form]:
    if depth > _DEEPEST:
        return
    if isinstance(name := form.get("$ref"), str):
        below = root.get("$defs", {}).get(name.rpartition("/")[2])
        if isinstance(below, Mapping):
            yield from _flatten_forms(below, root, depth + 1)
    yield form
    for branch in ("then", "else"):
        if isinstance(below := form.get(branch), Mapping):
            yield from _flatten_forms(below, root, depth + 1)
    for branch in ("anyOf", "oneOf", "allOf"):
        for below in form.get(branch, ()):
            if isinstance(below, Mapping) and ("properties" in below or "type" in below or "enum" in below):
                yield from _flatten_forms(below, root, depth + 1)


def _kinds(form: Form) -> list[str]:
    if "type" in form:
        kinds = form["type"]
        return [kinds] if isinstance(kinds, str) else list(kinds)
    if "enum" in form or "const" in form:
        return ["listed"]
    return ["array"] if "items" in form else ["object"] if "properties" in form else []


__all__ = [
    "Correction", "Envelope", "Fault", "Faults", "Grammar", "Submission",
    "key_fault", "mask_key", "open_envelope", "read_lines",
]  # fmt: skip

Path = tuple[str | int, ...]

MOST_FAULTS = 20
"""So many mistakes of a file are told."""


class Envelope(NamedTuple):
    """An orders file whose outer shape is right; the lines have not been judged yet.

    Attributes:
        game: The id of the game.
        seat: Whose orders they are.
        key: The key in it, or "".
        receipt: The number of its receipt; 0 if it was never lodged.
        document: The whole file.
        left_out: Lines ("2") and actions ("2.bid_1") that do not count.
        dropped: The mistakes for which `partial: true` left them out just now.
    """

    game: str
    seat: Seat
    key: str
    receipt: int
    document: Document
    left_out: frozenset[str]
    dropped: tuple[Fault, ...] = ()

    @property
    def withdraws(self) -> bool:
        """Whether it says `orders: none`: the lines that stand are withdrawn."""
        return isinstance(fields_of(self.document.value).get("orders"), str)

    @property
    def has_lines(self) -> bool:
        """Whether there are lines in it, right or wrong."""
        return bool(items_of(fields_of(self.document.value).get("orders")))

    def fault(
        self,
        path: Path,
        text: str,
        hint: str = "",
        remedies: tuple[Remedy, ...] = (),
        *,
        kind: FaultKind,
        at_key: bool = False,
        actions: Container[str] = (),
    ) -> Fault:
        """Return a mistake at a path of this file."""
        mark = self.document.keys.get(path) if at_key else None
        mark = mark or find_mark(self.document, path)
        part = ""
        if path[:1] == ("orders",) and len(path) > 1:
            action = path[3] if path[2:3] == ("do",) and len(path) > 3 else ""
            part = f"{int(path[1]) + 1}" + (f".{action}" if action in actions else "")
        return Fault(mark.line, mark.column, text, hint, part, kind, remedies)

    def without_first_fault(self, faults: list[Fault]) -> Envelope | None:
        """Return the file without what is wrong first, if it says `partial: true` and that is enough."""
        value = fields_of(self.document.value)
        if value.get("partial") is not True or not all(fault.part for fault in faults):
            return None
        first = min(faults)
        return self._replace(left_out=self.left_out | {first.part}, dropped=(*self.dropped, first))


class Submission(NamedTuple):
    """A seat's orders as one file holds them.

    Attributes:
        envelope: The file.
        orders: Its lines, stop conditions and press, fresh.
        actions: Fields of `do` that stand for themselves.
    """

    envelope: Envelope
    orders: Orders
    actions: frozenset[str]

    @property
    def is_without_lines(self) -> bool:
        """Whether lines that stand, stay: there are none in it, and it does not withdraw any."""
        return not self.orders.lines and not self.envelope.withdraws

    def fault(
        self,
        path: Path,
        text: str,
        hint: str = "",
        remedies: tuple[Remedy, ...] = (),
        *,
        kind: FaultKind,
        at_key: bool = False,
    ) -> Fault:
        """Return a mistake at a path of the file."""
        actions = self.actions
        return self.envelope.fault(path, text, hint, remedies, kind=kind, at_key=at_key, actions=actions)


@cache
def _envelope_schema() -> Schema:
    return Schema(ENVELOPE)


def open_envelope(data: bytes, read: Document | None = None) -> Envelope | list[Fault]:
    """Read an orders file as far as it is the same in all games.

    Args:
        data: The file, at most 64 KiB of UTF-8.
        read: What it says, if somebody has read it already.

    Returns:
        The envelope, or every mistake in the order of lines, at most `MOST_FAULTS`.
    """
    try:
        plain = strip_receipt(data)  # our stamp must not make a file too long
        document = read if read and plain == data else parse(plain)
    except YamlProblem as problem:
        return [Fault(problem.mark.line, problem.mark.column, problem.text, problem.hint, kind="yaml")]
    if not isinstance(document.value, dict):
        example = "An orders file starts with `game:` and `seat:`."
        return [Fault(1, 1, "these are no orders: expected fields (name: value)", example, kind="not-orders")]
    value = names_as_text(document.value)
    document = Document(value, document.marks, document.keys)
    envelope = Envelope(
        str(value.get("game", "")),
        Seat(str(value.get("seat", ""))),
        str(value.get("key", "")),
        receipt_of(data),
        document,
        omitted_parts(data),
    )
    faults = [
        envelope.fault(
            problem.path,
            problem.text,
            problem.hint,
            problem.remedies,
            kind="envelope" if problem.kind == "schema" else problem.kind,
            at_key=problem.at_key,
        )
        if problem.path != ("orders",) or isinstance(value["orders"], list)
        else _orders_fault(envelope, value["orders"])
        for problem in _envelope_schema().problems(value)
    ]
    return sorted(faults)[:MOST_FAULTS] if faults else envelope


def _orders_fault(envelope: Envelope, orders: Json) -> Fault:
    """Say that what stands under `orders` is neither a list of lines nor the word that withdraws them."""
    hint = "Each line begins with `- at:` or `- do:`. `orders: none` withdraws the lines that stand."
    return envelope.fault(("orders",), f"expected a list, got {shown(orders)}", hint, kind="orders-no-list")


def read_lines(envelope: Envelope, grammar: Grammar) -> Submission | list[Fault]:
    """Read the lines of an envelope against the rules' schema.

    Returns:
        The submission, or every mistake in the order of lines, at most `MOST_FAULTS`. With `partial: true`,
        lines and actions with a mistake are left out instead.
    """
    value, left_out = fields_of(envelope.document.value), envelope.left_out
    lines = [
        _line(number, raw, left_out)
        for number, raw in enumerate(items_of(value.get("orders")), 1)
        if str(number) not in left_out
    ]
    faults = [fault for line in lines for fault in _line_faults(envelope, line, grammar)]
    faults += _press_faults(envelope, value, grammar)
    if faults:
        smaller = envelope.without_first_fault(faults)
        return read_lines(smaller, grammar) if smaller else sorted([*envelope.dropped, *faults])[:MOST_FAULTS]
    press = tuple(_press(fields_of(raw)) for raw in items_of(value.get("press")))
    stop_if = fields_of(value.get("stop_if"))
    wait = value.get("wait") is True
    detail = str(value.get("detail", ""))
    orders = Orders(
        tuple(lines), stop_if, press, fresh=True, receipt=envelope.receipt, wait=wait, detail=detail
    )
    return Submission(envelope, _renewed(orders, grammar), grammar.actions)


def read_in_part(envelope: Envelope, grammar: Grammar, faults: list[Fault]) -> tuple[Submission, Submission]:
    """Return the lines of an envelope that can be read all the same, and what stands around the others.

    Args:
        envelope: The envelope.
        grammar: What orders may look like.
        faults: The mistakes for which it cannot be read.

    Returns:
        The lines without a mistake, with `stop_if`; and the lines with one, without their orders.
    """
    value, wrong = fields_of(envelope.document.value), {fault.part.partition(".")[0] for fault in faults}
    every = [*enumerate(map(fields_of, items_of(value.get("orders"))), 1)]
    good = tuple(_line(n, raw, envelope.left_out) for n, raw in every if str(n) not in wrong)
    bad = tuple(_line(n, {**raw, "do": {}}, ()) for n, raw in every if str(n) in wrong)
    orders = Orders(good, fields_of(value.get("stop_if")), fresh=True)
    around = Submission(envelope, Orders(bad), grammar.actions)
    return Submission(envelope, _renewed(orders, grammar), grammar.actions), around


def _renewed(orders: Orders, grammar: Grammar) -> Orders:
    """Return orders as the present version of the rules has them."""
    return orders if grammar.renew is None else orders.renewed(grammar.renew)


def mask_key(data: bytes, envelope: Envelope) -> bytes:
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


def bare_key(text: str) -> str:
    """Return a key, or a text that may hold one, without what nobody need copy: capitals, hyphens, blanks."""
    return "".join(text.casefold().replace("-", "").split())


def is_key(given: str, key: str) -> bool:
    """Tell whether a key was given, whatever its capitals, hyphens and blanks; in constant time."""
    return hmac.compare_digest(bare_key(given).encode(errors="replace"), bare_key(key).encode())


def key_fault(data: bytes, envelope: Envelope) -> Fault | None:
    """Say why a file's key would still be found in a copy that `masked` made, or None."""
    covered = mask_key(data, envelope)
    again = open_envelope(covered)
    is_masked = isinstance(again, Envelope) and again.key != envelope.key
    if is_masked and bare_key(envelope.key) not in bare_key(covered.decode()):
        return None
    text = "the key must stand in this file once only, in the line of `key:`"
    hint = "Write it as in your invitation, and nowhere else."
    return envelope.fault(("key",), text, hint, kind="key-repeated")


def _line(number: int, raw: Json, left_out: Container[str]) -> Line:
    fields = fields_of(raw)
    at, do = fields.get("at"), _whole_numbers(fields["do"])
    if isinstance(do, dict):
        do = {name: part for name, part in do.items() if f"{number}.{name}" not in left_out}
    label = Label(str(at)) if at is not None else None
    until = Label(str(fields["until"])) if "until" in fields else None
    keep, if_silent = fields.get("keep") is True or until is not None, fields.get("if_silent") is True
    return Line(number, label, fields_of(fields.get("when")), keep, do, if_silent, until)


def _whole_numbers(value: Json) -> Json:
    """Return an order with 5.0 as the 5 that it is, to JSON Schema too."""
    if isinstance(value, dict):
        return {name: _whole_numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _line_faults(envelope: Envelope, line: Line, grammar: Grammar) -> list[Fault]:
    place: Path = ("orders", line.number - 1, "do")
    if line.do in ({}, None):
        return [
            envelope.fault(place, "`do` is still empty", "Put one of the choices there.", kind="do-empty")
        ]
    schema = grammar.schema_of(line.at, line.do)
    return [
        envelope.fault(
            (*place, *problem.path),
            problem.text,
            *(_belongs_advice(schema, problem) or (problem.hint, problem.remedies)),
            kind=problem.kind,
            at_key=problem.at_key,
            actions=grammar.actions,
        )
        for problem in schema.problems(line.do)
    ]


def _belongs_advice(schema: Schema, problem: SchemaProblem) -> Advice:
    """Say inside which field of an order one belongs that stands beside it; nothing if that is not clear."""
    if len(problem.path) != 1 or problem.kind != "field-unknown":
        return Advice()

    name = str(problem.path[0])
    around = Subschema(schema.schema, schema.schema).around(name)
    return Advice(f"`{name}` belongs inside `{around}`.", (Inside(around),)) if around else Advice()


def _press_faults(envelope: Envelope, value: Mapping[str, Json], grammar: Grammar) -> list[Fault]:
    faults = []
    for n, raw in enumerate(items_of(value.get("press"))):
        to = fields_of(raw).get("to")
        for seat in [to] if isinstance(to, str) else items_of(to):
            if seat not in (ALL, MODERATOR, *grammar.seats):
                text = f"there is no seat {seat!r} in this game"
                hint = near_reader(str(seat), grammar.seats, grammar.holders())
                faults.append(envelope.fault(("press", n, "to"), text, hint, kind="press-reader"))
    return faults


def _press(raw: Mapping[str, Json]) -> Press:
    to = raw.get("to")
    named = [to] if isinstance(to, str) else items_of(to)
    audience: Audience = ALL if ALL in named else frozenset(Seat(str(seat)) for seat in named)
    return Press(audience, str(raw.get("say")), raw.get("anonymous") is True)


def read_whole(envelope: Envelope, grammar: Grammar) -> Submission | list[Fault]:
    """Read the lines of an envelope as `read_lines` does; what asks for nothing is a mistake too.

    What carries a receipt was accepted, if only by an older version, and is not refused for that.
    """
    read = read_lines(envelope, grammar)
    if isinstance(read, list) or envelope.receipt or read.orders.lines:
        return read
    return _empty_orders_faults(read) or read


def _empty_orders_faults(read: Submission) -> list[Fault]:
    """Say what is wrong with orders without a line: they ask for nothing, or speak of lines."""
    envelope, sent = read.envelope, read.orders
    for name, is_there, why in (
        ("stop_if", bool(sent.stop_if), "is about lines"),
        ("wait", sent.wait, "is about lines"),
        ("detail", bool(sent.detail), "comes with lines"),
    ):
        if is_there:
            text = f"`{name}` {why}, and there are none here"
            hint = "Write all your lines with it; without it, those that you sent before stay as they are."
            return sorted(
                [*envelope.dropped, envelope.fault((name,), text, hint, kind="without-lines", at_key=True)]
            )
    if envelope.withdraws or sent.press:
        return []
    hint = "Write lines or press. The lines that you sent before stay; `orders: none` withdraws them."
    return sorted(envelope.dropped) or [
        envelope.fault(("orders",), "there are no orders in this", hint, kind="no-orders")
    ]
