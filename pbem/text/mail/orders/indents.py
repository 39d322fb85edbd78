"""Spaces at the start of lines, which mail programs drop and add: orders laid out anew by their keys."""

from __future__ import annotations

import re
from typing import Final

from pbem.text.mail.message.rows import Row
from pbem.text.mail.orders.keys import BARE_DO, LINE, MEANT, NONE, OF_ORDERS, OF_PRESS, TOP
from pbem.text.mail.orders.taking import Block

_ITEM: Final = re.compile(r"-\s+")
_KEY: Final = re.compile(r"([A-Za-z_0-9']+)\s*:(?:\s|$)")
_IN_BRACES: Final = re.compile(rf"\{{\s*(?:{'|'.join(LINE)})\s*:")
_BELOW_DO: Final = 4


def moved_right(block: Block) -> list[Row]:
    """Return the lines with flat ones moved right: keys of a line by two, what is under `do` by four."""
    if not block.flat:
        return list(block.rows)
    rows: list[Row] = []
    is_under_do = False
    for place, row in enumerate(block.rows):
        key = row.text.partition(":")[0].strip().lower()
        is_under_do = is_under_do and key not in LINE and not key.startswith("-")
        rows.append(row.put("    " if is_under_do else "  ", 0) if place in block.flat else row)
        is_under_do = is_under_do or bool(BARE_DO.match(row.text))
    return rows


def laid_anew(rows: tuple[Row, ...]) -> tuple[Row, ...] | None:
    """Return lines at the places that their keys have in orders; None if nobody can say where one belongs."""
    laying = _Laying()
    out: list[Row] = []
    for row in rows:
        text = row.text.strip()
        if not text or text.startswith("#"):
            out.append(row)
            continue
        start = laying.start(row.text, text)
        if start is None:
            return None
        spaces = len(row.text) - len(row.text.lstrip())
        if item := _ITEM.match(text):
            spaces += item.end()
        out.append(row.put(start, spaces) if row.text[:spaces] != start else row)
    return tuple(out)


def without_lines_below_none(rows: tuple[Row, ...], *, is_empty: re.Pattern[str]) -> tuple[Row, ...] | None:
    """Return lines without the empty ones of a form below `orders: none`, or None if it is not there."""
    first = next((place for place, row in enumerate(rows) if NONE.match(row.text)), None)
    if first is None:
        return None
    end = first + 1
    while end < len(rows) and rows[end].text[:1] in ("", " ", "-", "#"):
        end += 1
    if not all(row.is_like(is_empty) for row in rows[first + 1 : end]):
        return None
    return rows[: first + 1] + rows[end:]


class _Laying:
    """Where the next line belongs, by the lines before it."""

    def __init__(self) -> None:
        self.top = ""
        self.seen: set[str] = set()
        self.is_under_do = False
        self.column: int | None = None

    def start(self, whole: str, text: str) -> str | None:
        """Return what a line begins with, or None if nobody can say where it belongs."""
        item = _ITEM.match(text)
        rest = text[item.end() :] if item else text
        found = _KEY.match(rest)
        key = found[1].lower() if found else ""
        mine = {"orders": OF_ORDERS, "press": OF_PRESS}.get(self.top, ())
        if item and mine:
            return self._item(whole, rest, key)
        if (key in TOP or key in MEANT) and not item and not (self.is_under_do and key in self.seen):
            self.top, self.is_under_do, self.seen = key, False, set()
            return ""
        if key in mine and key not in self.seen and self.seen:
            self.seen.add(key)
            self.is_under_do, self.column = bool(BARE_DO.match(rest)), None
            return "  "
        if self.is_under_do and key and not item:
            return self._below_do(whole)
        return None

    def _below_do(self, whole: str) -> str:
        """Return the spaces of a line below `do:`, as far to the right of the first one as it stood."""
        column = len(whole) - len(whole.lstrip())
        self.column = column if self.column is None else self.column
        return " " * (_BELOW_DO + max(column - self.column, 0))

    def _item(self, whole: str, rest: str, key: str) -> str | None:
        """Return what an item begins with; it goes on with the one before if that lacks its `do`."""
        goes_on = self.top == "orders" and self.seen and "do" not in self.seen and key in OF_ORDERS
        goes_on = goes_on and key not in self.seen
        if key not in (*OF_ORDERS, *OF_PRESS) and not _IN_BRACES.match(rest):
            is_inside = self.is_under_do and self.column is not None
            return f"{self._below_do(whole)}- " if is_inside else None
        self.seen = {*self.seen, key} if goes_on else {key} if key else set()
        self.is_under_do, self.column = bool(BARE_DO.match(rest)), None
        return "  " if goes_on else "- "
