"""Lodged orders as programs write them: in receipts, and in the `pending/` files of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.core.book import Line, Orders
from pbem.core.events import ALL
from pbem.core.interface import Json, Label
from pbem.text.codec import decode
from pbem.text.strictyaml import dump_flow


@dataclass(frozen=True, slots=True)
class _PendingLine:
    order: int
    at: Label | None
    when: Mapping[str, Any]
    keep: bool
    if_silent: bool
    do: Any


@dataclass(frozen=True, slots=True)
class _Pending:
    receipt: int
    stop_if: Mapping[str, Any]
    lines: tuple[_PendingLine, ...]
    wait: bool


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
        if line.if_silent:
            out.append("  if_silent: true")
        out.append(f"  do: {dump_flow(line.do)}")
    if orders.stop_if:
        out.append(f"stop_if: {dump_flow(dict(orders.stop_if))}")
    out.extend(["wait: true"] if orders.wait else [])
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
        }
        for line in orders.lines
    ]
    kept: dict[str, Json] = {"receipt": orders.receipt, "stop_if": dict(orders.stop_if), "lines": lines}
    return {**kept, "wait": True} if orders.wait else kept


def pending_orders(value: Json) -> Orders:
    """Return what `pending_json` wrote.

    Raises:
        Misshapen: Nothing that it could have written.
    """
    full = {"wait": False, **value} if isinstance(value, dict) else value
    kept = decode(_Pending, full, "pending orders")
    lines = tuple(
        Line(line.order, line.at, line.when, line.keep, line.do, line.if_silent) for line in kept.lines
    )
    return Orders(lines, kept.stop_if, receipt=kept.receipt, wait=kept.wait)
