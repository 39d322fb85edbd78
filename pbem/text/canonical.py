"""Values as programs keep them: lodged orders in one form, and JSON as changes to other JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from pbem.core.book import Line, Orders
from pbem.core.events import ALL
from pbem.core.interface import Json, Label
from pbem.text.codec import decode
from pbem.text.strictyaml import dump_flow


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


def canonical(orders: Orders) -> str:
    """Return lodged orders as YAML, one line of orders a block, in the words that will run."""
    out: list[str] = []
    for line in orders.lines:
        head = f"- at: {line.at}" if line.at else "- # whenever you are asked"
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
        Misshapen: Nothing that it could have written.
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


def left_out(data: bytes) -> frozenset[str]:
    """Return what was left out when the file was lodged: lines ("2") and single actions ("2.bid_1")."""
    found = _RECEIPT.search(data)
    return frozenset(found[2].decode().split(", ")) if found and found[2] else frozenset()


def unstamped(data: bytes) -> bytes:
    """Return an orders file without its receipt."""
    return _RECEIPT.sub(b"", data)


def stamped(data: bytes, receipt: int, without: Collection[str] = ()) -> bytes:
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


def changes(old: Json, new: Json) -> list[Json]:
    """Return what makes `new` of `old`.

    Returns:
        Changes in their order: `[path, value]` puts a value there, `[path]` takes away what is there. A path
        is a list of names and of places in lists, counted from 0; `[]` is all of it.
    """
    return _changes([], old, new)


def changed(old: Json, made: list[Json]) -> Json:
    """Return what changes make of a value, which stays as it is.

    Raises:
        ValueError: They are no changes, or do not fit the value.
    """
    whole: list[Json] = [json.loads(json.dumps(old))]
    for one in made:
        try:
            _change(whole, one)
        except (LookupError, TypeError, AttributeError) as wrong:
            raise ValueError(f"{one!r} is no change of this value") from wrong
    return whole[0]


def _change(whole: list[Json], change: Json) -> None:
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


def _changes(path: list[Json], old: Json, new: Json) -> list[Json]:
    whole: list[Json] = [[path, new]]
    if isinstance(old, dict) and isinstance(new, dict):
        kept = [name for name in old if name in new]
        if [*kept, *(name for name in new if name not in old)] != [*new]:
            return whole
        found: list[Json] = [[[*path, name]] for name in old if name not in new]
        for name, value in new.items():
            found += _changes([*path, name], old[name], value) if name in old else [[[*path, name], value]]
    elif isinstance(old, list) and isinstance(new, list):
        found = [[[*path, place]] for place in range(len(old) - 1, len(new) - 1, -1)]
        for place, value in enumerate(new):
            at: list[Json] = [*path, place]
            found += _changes(at, old[place], value) if place < len(old) else [[at, value]]
    else:
        return [] if type(old) is type(new) and old == new else whole
    return whole if found and len(json.dumps(whole)) < len(json.dumps(found)) else found
