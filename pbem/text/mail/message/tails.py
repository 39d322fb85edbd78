"""Whose a line is that stands directly below a quoted one: its reader's, or the end of what was quoted.

A mail program may wrap a quoted line and leave the mark off its end. Then the words of somebody else stand in
a line of their own, like orders. What nobody can tell is not read, and that is said.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.text.mail.message.quotes import LAST_LINES, Depths
from pbem.text.mail.message.rows import Row, Rows
from pbem.text.mail.orders.keys import OPENS, START

WRAPPED: Final = 66
"""No mail program wraps lines that are shorter than this."""
_HARMLESS: Final = re.compile(r" *(?:game|seat)\s*:\s*\S", re.IGNORECASE)
_BARE: Final = re.compile(r" *(?:orders|press|stop_if)\s*:\s*(?:#.*)?$", re.IGNORECASE)
_NEAR: Final = 5


def doubt(rows: Rows, deep: Depths, number: int, *, shown: bool) -> str:
    """Say why a line may be the end of a quoted one: "bar" or "tail"; "" if it is not.

    What others say stands behind a bar; no line below it, up to the next blank one, can be its reader's.

    Args:
        rows: The text.
        deep: How deep its rows are quoted.
        number: The position of the line.
        shown: The text is a page, which quotes without marks, so that nothing is wrapped.
    """
    if not number:
        return ""
    row, before = rows[number], rows[number - 1]
    for near in reversed(rows.some(number - _NEAR, number)):
        if not near.text.strip():
            break
        if near.has_bar(row.depth) and not (shown and near.depth > row.depth):
            return "bar"
    if shown or deep[number] >= before.depth or not was_wrapped(before, row):
        return ""
    return "" if before.text.strip() in LAST_LINES or _goes_on(rows, number) else "tail"


def was_wrapped(before: Row, after: Row) -> bool:
    """Tell whether the first word of a line would not have fitted into the line before."""
    words = after.text.split(None, 1)
    width = len(before.text) + before.spots[-1].shift
    return bool(words) and width + 1 + len(words[0]) > WRAPPED


def _goes_on(rows: Rows, number: int) -> bool:
    """Tell whether a line orders nothing by itself, and goes on in the next as no wrapped line does."""
    row = rows[number]
    if not (_BARE.match(row.text) or _HARMLESS.match(row.text)):
        return False
    below = next((one for one in rows.some(number + 1, number + _NEAR) if one.text.strip()), None)
    return below is not None and below.depth == row.depth and not was_wrapped(row, below)


def opens_at_once(rows: list[Row]) -> bool:
    """Tell whether orders begin in the first lines, up to a blank one."""
    for row in rows:
        if not row.text.strip():
            return False
        found = START.match(row.text)
        if found and not _HARMLESS.match(row.text) and OPENS.search(row.text, found.end() - 1):
            return True
    return False
