"""Values as programs keep them: dataclasses as JSON, JSON as changes, lodged orders in one form; and back."""

from __future__ import annotations

import dataclasses
import json
import re
import types
import typing
from collections.abc import Callable, Collection, Mapping
from enum import Enum
from functools import cache
from numbers import Rational
from typing import Any, Final, NamedTuple, TypeVar

from pbem.core.book import Line, Orders
from pbem.core.events import ALL, Event
from pbem.core.interface import Json, Label
from pbem.text.yamlwrite import dump_flow

T = TypeVar("T")

Encoder = Callable[[typing.Any], Json]
Decoder = Callable[[Json, str], typing.Any]

_PLAIN: Final = frozenset({str, int, bool, float, type(None)})
"""What is JSON as it stands; most values are, and need no encoder of their own."""

_WHOLE: Final = re.compile(r"-?[0-9]+")
_FRACTION: Final = re.compile(r"-?[0-9]+/[1-9][0-9]*")


class ShapeError(ValueError):
    """JSON that does not have the shape of the class it should become; says where, expected and got."""


def encode(value: object) -> Json:
    """Return a dataclass, named tuple, mapping, tuple, set, enum, fraction or plain value as JSON.

    Sets become sorted lists, fractions "3/7"; the keys of mappings become text.
    """
    kind: typing.Any = type(value)
    return _encoder(kind)(value)


def encode_event(event: Event) -> dict[str, Json]:
    """Return an event as JSON: its kind under "event", its audience under "to" ("all" or a list)."""
    audience: Json = ALL if event.to == ALL else list[Json](sorted(event.to))
    fields = fields_of(encode(event)) | {"to": audience}
    return {"event": type(event).__name__, "to": audience, **fields}  # the audience stands before the rest


def fields_of(value: Json) -> dict[str, Json]:
    """Return a JSON object; {} for anything else."""
    return value if isinstance(value, dict) else {}


def items_of(value: Json) -> list[Json]:
    """Return a JSON list; [] for anything else."""
    return value if isinstance(value, list) else []


def decode(cls: type[T], value: Json, where: str = "state") -> T:
    """Return JSON as an instance of a class.

    Args:
        cls: A dataclass, or another type that `encode` knows.
        value: The JSON.
        where: The name of the value in the error.

    Raises:
        ShapeError: A field is missing, unknown or of another type.
    """
    kind: typing.Any = cls
    decoded: T = _decoder(kind)(value, where)
    return decoded


def dumps(value: Json) -> str:
    """Return JSON as saves hold it: sorted and indented, so that they diff; ends with a line feed."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def dumps_line(value: Json) -> str:
    """Return JSON as one sorted line, without a line feed."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@cache
def _encoder(kind: type) -> Encoder:
    if kind in _PLAIN:
        return lambda value: value
    if dataclasses.is_dataclass(kind):
        return _record_encoder(tuple(field.name for field in dataclasses.fields(kind)))
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, Rational):
        return lambda value: f"{value.numerator}/{value.denominator}"
    if issubclass(kind, Mapping):
        return lambda value: {
            key if type(key) is str else str(encode(key)): item if type(item) in _PLAIN else encode(item)
            for key, item in value.items()
        }
    if issubclass(kind, frozenset):
        return lambda value: _encode_items(sorted(value))
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _record_encoder(kind._fields)
    if issubclass(kind, tuple | list):
        return _encode_items
    raise TypeError(f"the codec knows no {kind.__name__}: use dataclasses, mappings, tuples or sets")


def _record_encoder(names: tuple[str, ...]) -> Encoder:
    def encode_record(value: typing.Any) -> Json:
        out: dict[str, Json] = {}
        for name in names:
            item = getattr(value, name)
            out[name] = item if type(item) in _PLAIN else encode(item)
        return out

    return encode_record


def _encode_items(items: typing.Any) -> Json:
    return [item if type(item) in _PLAIN else encode(item) for item in items]


@cache
def _decoder(kind: typing.Any) -> Decoder:
    while isinstance(kind, typing.NewType):
        kind = kind.__supertype__
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _union_decoder(args)
    if origin is typing.Literal:
        return _choice_decoder(args)
    if origin is tuple:
        return _sequence_decoder(args[0], tuple) if args[1:] == (Ellipsis,) else _tuple_decoder(args)
    if origin is frozenset:
        return _sequence_decoder(args[0], frozenset)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_decoder(args[0], args[1])
    if dataclasses.is_dataclass(kind):
        return _record_decoder(kind, tuple(field.name for field in dataclasses.fields(kind)))
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _record_decoder(kind, kind._fields)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _choice_decoder(tuple(member.value for member in kind), kind)
    if kind in _PLAIN:
        return _exact_decoder(kind)
    if isinstance(kind, type) and issubclass(kind, Rational):
        return _decode_fraction
    if kind is typing.Any:
        return lambda value, _where: value
    raise TypeError(f"the codec cannot read {kind!r}")


def _exact_decoder(kind: type) -> Decoder:
    def read(value: Json, where: str) -> object:
        if type(value) is not kind:
            raise _shape_error(where, kind.__name__, value)
        return value

    return read


def _choice_decoder(
    allowed: tuple[object, ...], build: Callable[[typing.Any], object] | None = None
) -> Decoder:
    def read(value: Json, where: str) -> object:
        if not any(value == one and type(value) is type(one) for one in allowed):
            raise _shape_error(where, f"one of {', '.join(map(str, allowed))}", value)
        return build(value) if build else value

    return read


def _decode_fraction(value: Json, where: str) -> object:
    if not isinstance(value, str) or not _FRACTION.fullmatch(value):
        raise _shape_error(where, 'a fraction like "3/7"', value)

    from fractions import Fraction  # few values are one

    return Fraction(value)


def _union_decoder(kinds: tuple[typing.Any, ...]) -> Decoder:
    readers = tuple(_decoder(kind) for kind in kinds)

    def read(value: Json, where: str) -> object:
        if value is None and type(None) in kinds:
            return None
        problem: ShapeError | None = None
        for kind, reader in zip(kinds, readers, strict=True):
            if kind is type(None):
                continue
            try:
                return reader(value, where)
            except ShapeError as wrong:
                problem = problem or wrong
        raise problem or _shape_error(where, "null", value)

    return read


def _sequence_decoder(kind: typing.Any, build: Callable[[list[object]], object]) -> Decoder:
    inner = _decoder(kind)

    def read(value: Json, where: str) -> object:
        if not isinstance(value, list):
            raise _shape_error(where, "a list", value)
        return build([inner(item, f"{where}[{n}]") for n, item in enumerate(value)])

    return read


def _tuple_decoder(kinds: tuple[typing.Any, ...]) -> Decoder:
    readers = tuple(_decoder(kind) for kind in kinds)

    def read(value: Json, where: str) -> object:
        if not isinstance(value, list) or len(value) != len(readers):
            raise _shape_error(where, f"a list of {len(readers)}", value)
        return tuple(
            reader(item, f"{where}[{n}]") for n, (reader, item) in enumerate(zip(readers, value, strict=True))
        )

    return read


def _mapping_decoder(key: typing.Any, kind: typing.Any) -> Decoder:
    inner, outer = _decoder(kind), _key_decoder(key)

    def read(value: Json, where: str) -> object:
        if not isinstance(value, dict):
            raise _shape_error(where, "an object", value)
        return {outer(name, where): inner(item, f"{where}.{name}") for name, item in value.items()}

    return read


def _key_decoder(kind: typing.Any) -> Decoder:
    while isinstance(kind, typing.NewType):
        kind = kind.__supertype__
    reader = _decoder(kind)
    if kind is not int:
        return reader
    return lambda text, where: reader(int(text) if _WHOLE.fullmatch(str(text)) else text, where)  # type: ignore[arg-type]


def _record_decoder(kind: typing.Any, names: tuple[str, ...]) -> Decoder:
    hints = typing.get_type_hints(kind)
    readers = {name: _decoder(hints[name]) for name in names}

    def read(value: Json, where: str) -> object:
        if not isinstance(value, dict):
            raise _shape_error(where, f"an object ({kind.__name__})", value)
        if missing := readers.keys() - value.keys():
            raise ShapeError(f"{where}: missing {', '.join(sorted(missing))}")
        if unknown := value.keys() - readers.keys():
            raise ShapeError(f"{where}: unknown {', '.join(sorted(unknown))}")
        return kind(**{name: reader(value[name], f"{where}.{name}") for name, reader in readers.items()})

    return read


def _shape_error(where: str, expected: str, got: Json) -> ShapeError:
    shown = json.dumps(got, ensure_ascii=False)
    return ShapeError(
        f"{where}: expected {expected}, got {shown if len(shown) <= 40 else type(got).__name__}"
    )


class _PendingLine(NamedTuple):
    """One line in a `pending/` file."""

    order: int
    at: Label | None
    when: Mapping[str, Any]
    keep: bool
    if_silent: bool
    do: Any
    until: Label | None


class _Pending(NamedTuple):
    """A `pending/` file."""

    receipt: int
    stop_if: Mapping[str, Any]
    lines: tuple[_PendingLine, ...]
    wait: bool
    detail: str


def canonical_yaml(orders: Orders) -> str:
    """Return lodged orders as YAML, one line of orders a block, in the words that will run."""
    out: list[str] = []
    for line in orders.lines:
        head = f"- at: {line.at}" if line.at else "- # whenever the game waits for you"
        out.append(head)
        if line.when:
            out.append(f"  when: {dump_flow(dict(line.when))}")
        if line.until is not None:
            out.append(f"  until: {line.until}")
        elif line.keep:
            out.append("  keep: true")
        if line.if_silent:
            out.append("  if_silent: true")
        out.append(f"  do: {dump_flow(line.do)}")
    if orders.stop_if:
        out.append(f"stop_if: {dump_flow(dict(orders.stop_if))}")
    out.extend(["wait: true"] if orders.wait else [])
    out.extend([f"detail: {orders.detail}"] if orders.detail else [])
    out.extend(["press:"] if orders.press else [])
    for press in orders.press:
        readers: Json = press.to if press.to == ALL else list[Json](sorted(press.to))
        unsigned: dict[str, Json] = {"anonymous": True} if press.anonymous else {}
        out.append(f"- {dump_flow({'to': readers, 'say': press.say, **unsigned})}")
    return "\n".join(out)


def pending_json(orders: Orders) -> dict[str, Json]:
    """Return what a turn leaves over of a seat's orders, for its `pending/` file."""
    lines: list[Json] = [
        {
            "order": line.number,
            "at": line.at,
            "when": dict(line.when),
            "keep": line.keep,
            "if_silent": line.if_silent,
            "do": line.do,
            **({} if line.until is None else {"until": line.until}),
        }
        for line in orders.lines
    ]
    kept: dict[str, Json] = {"receipt": orders.receipt, "stop_if": dict(orders.stop_if), "lines": lines}
    rest: dict[str, Json] = {"wait": orders.wait, "detail": orders.detail}
    return {**kept, **{name: value for name, value in rest.items() if value}}


def pending_orders(value: Json) -> Orders:
    """Return what `pending_json` wrote.

    Raises:
        ShapeError: Nothing that it could have written.
    """
    full: Json = {"wait": False, "detail": "", **value} if isinstance(value, dict) else value
    if isinstance(full, dict) and isinstance(lines := full.get("lines"), list):
        full["lines"] = [{"until": None, **line} if isinstance(line, dict) else line for line in lines]
    kept = decode(_Pending, full, "pending orders")
    found = tuple(
        Line(line.order, line.at, line.when, line.keep, line.do, line.if_silent, line.until)
        for line in kept.lines
    )
    return Orders(found, kept.stop_if, receipt=kept.receipt, wait=kept.wait, detail=kept.detail)


_RECEIPT: Final = re.compile(
    rb"(?:\n|^)# pbem receipt ([1-9][0-9]{0,8})"
    rb"(?:, without orders? ([0-9]{1,3}(?:\.\w{1,40})?(?:, [0-9]{1,3}(?:\.\w{1,40})?)*))?\n?$"
)


def receipt_of(data: bytes) -> int:
    """Return the receipt number that a stored file ends with; 0 if nobody submitted it."""
    found = _RECEIPT.search(data)
    return int(found[1]) if found else 0


def omitted_parts(data: bytes) -> frozenset[str]:
    """Return what was left out when the file was lodged: lines ("2") and single actions ("2.bid_1")."""
    found = _RECEIPT.search(data)
    return frozenset(found[2].decode().split(", ")) if found and found[2] else frozenset()


def strip_receipt(data: bytes) -> bytes:
    """Return an orders file without its receipt."""
    return _RECEIPT.sub(b"", data)


def write_receipt(data: bytes, receipt: int, without: Collection[str] = ()) -> bytes:
    """Return an orders file with its receipt as the last line, instead of any other.

    Args:
        data: The file.
        receipt: Its receipt number, from 1.
        without: What is left out: lines ("2") and single actions ("2.bid_1").
    """
    body = _RECEIPT.sub(b"\n", data).rstrip(b"\n")
    parts = sorted(without, key=lambda part: (int(part.partition(".")[0]), part))
    rest = f", without order{'s' if len(without) > 1 else ''} {', '.join(parts)}" if without else ""
    return body + f"\n# pbem receipt {receipt}{rest}\n".encode()


def diff_values(old: Json, new: Json) -> list[Json]:
    """Return what makes `new` of `old`.

    Returns:
        Changes in their order: `[path, value]` puts a value there, `[path]` takes away what is there. A path
        is a list of names and of places in lists, counted from 0; `[]` is all of it.
    """
    return _diff([], old, new)


def apply_changes(old: Json, made: list[Json]) -> Json:
    """Return what changes make of a value, which stays as it is.

    Raises:
        ValueError: They are no changes, or do not fit the value.
    """
    whole: list[Json] = [json.loads(json.dumps(old))]
    for one in made:
        try:
            _apply_change(whole, one)
        except (LookupError, TypeError, AttributeError) as wrong:
            raise ValueError(f"{one!r} is no change of this value") from wrong
    return whole[0]


def _apply_change(whole: list[Json], change: Json) -> None:
    path, *values = change  # type: ignore[misc,str-unpack]
    within: Json = whole
    places: list[Json] = [0, *path]  # type: ignore[misc]
    for place in places[:-1]:
        within = within[place]  # type: ignore[index]
    last = places[-1]
    if not values:
        del within[last]  # type: ignore[union-attr,arg-type]
    elif isinstance(within, list) and last == len(within):
        within.append(values[0])
    else:
        within[last] = values[0]  # type: ignore[index]


def _diff(path: list[Json], old: Json, new: Json) -> list[Json]:
    whole: list[Json] = [[path, new]]
    if isinstance(old, dict) and isinstance(new, dict):
        kept = [name for name in old if name in new]
        if [*kept, *(name for name in new if name not in old)] != [*new]:
            return whole
        found: list[Json] = [[[*path, name]] for name in old if name not in new]
        for name, value in new.items():
            found += _diff([*path, name], old[name], value) if name in old else [[[*path, name], value]]
    elif isinstance(old, list) and isinstance(new, list):
        found = [[[*path, place]] for place in range(len(old) - 1, len(new) - 1, -1)]
        for place, value in enumerate(new):
            at: list[Json] = [*path, place]
            found += _diff(at, old[place], value) if place < len(old) else [[at, value]]
    else:
        return [] if type(old) is type(new) and old == new else whole
    return whole if found and len(json.dumps(whole)) < len(json.dumps(found)) else found
