"""Blocks of a text that may be orders: where each begins, how far it goes, and what in it is out of place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pbem.text.mail.quotes import Depths
from pbem.text.mail.rows import Row, Rows

TOP: Final = ("game", "seat", "key", "orders", "stop_if", "press", "partial", "wait")
MAIN: Final = frozenset(["orders", "stop_if", "press"])
LINE: Final = ("at", "when", "keep", "if_silent", "do", "to", "say", "anonymous")
WRAPPED: Final = 66
"""No mail program wraps lines that are shorter than this."""

_YES_OR_NO: Final = r"(?=\s*:\s*(?:true|false|yes|no|on|off)\b)"  # for somebody may write "Wait: ..."
_KEYS: Final = "|".join(f"{key}{_YES_OR_NO}" if key == "wait" else key for key in TOP)
_TOP: Final = re.compile(rf"({_KEYS})\s*:", re.IGNORECASE)
_START: Final = re.compile(rf" {{0,4}}(?:#\s*pbem form\s|(?:{_KEYS})\s*:)", re.IGNORECASE)
_MAY_START: Final = re.compile(
    rf"\n[ >|]*+(?=#\s*pbem form\s|(?=[{''.join({key[0] for key in TOP})}])(?:{_KEYS})\s*:)", re.IGNORECASE
)
"""Finds in a whole text each line that `_START` may match, and some more."""
_LINE: Final = re.compile(rf"(?:{'|'.join(LINE)})\s*:(?:\s|$)", re.IGNORECASE)
_WORD: Final = re.compile(r"[\w']+\s*:(?:\s|$)")
_ITEM: Final = re.compile(r"[-–—•·](?:\s|$)")
_BARE_DO: Final = re.compile(r"(?:- +)?do\s*:\s*(?:#.*)?$", re.IGNORECASE)
_OPENS: Final = re.compile(r":\s*(?:$|[\[{#|>~-])|(?i:(?<=orders):\s*none\s*(?:#|$))")
_FENCE: Final = re.compile(r"(?:```|~~~|---+|\.\.\.|--)\s*(?:ya?ml)?\s*$")
_BALANCE: Final = re.compile(
    r"(?<![\w'])'(?:[^']|'')*+'|(?<!\w)\"(?:[^\"\\]|\\.)*+\"|(?<!\S)#[^\n]*|[\[{\]}]|(?<![\w'])['\"]",
    re.DOTALL,
)
_STRAY: Final = re.compile(
    r" *(?:- +(?:at|do|keep|when|if_silent|to)\s*:|do\s*:\s*(?:\{|$)|- \{ *(?:at|do|to)\b)", re.IGNORECASE
)
_MAY_STRAY: Final = re.compile(r"\n[ >|]*+(?=- |do\s*:)", re.IGNORECASE)
"""The same for `_STRAY`."""
_NEAR: Final = 5
_MOST_OPEN: Final = 15
_MOST_BLANK: Final = 10
_MOST_BEYOND: Final = 300
_MOST_READ: Final = 4000


@dataclass(slots=True)
class Block:
    """Lines that may be orders, from the line of a first known key or of a form's marker.

    Attributes:
        depth: How deep it is quoted.
        marker: The marker line that it opens with, or "".
        rows: Its lines, from its own first column.
        tails: Positions in `rows` of lines that look like the wrapped end of the line before.
        flat: Positions of lines that stand in the first column and belong further right.
        passed: Lines of the sender's own words between those of a form.
        keys: The known keys in it.
        beyond: Lines behind it up to those that look like orders too; something unreadable parts them.
    """

    depth: int
    marker: str
    rows: list[Row] = field(default_factory=list)
    tails: list[int] = field(default_factory=list)
    flat: list[int] = field(default_factory=list)
    passed: list[Row] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    opens: bool = False
    beyond: list[Row] = field(default_factory=list)

    @property
    def is_odd(self) -> bool:
        """Tell whether some line of it is out of place."""
        return bool(self.tails or self.flat or self.passed or self.beyond)

    @property
    def is_orders(self) -> bool:
        """Tell whether somebody may have meant it as orders."""
        is_named = "game" in self.keys and "seat" in self.keys
        return not MAIN.isdisjoint(self.keys) and (self.opens or bool(self.marker) or is_named)


@dataclass(frozen=True, slots=True)
class _Searched:
    """A text, with the positions where a block may start and of lines that may look like orders alone."""

    rows: Rows
    deep: Depths
    starts: Sequence[int]
    strays: Sequence[int]
    wrapped: bool


def blocks(rows: Rows, *, wrapped: bool = True) -> Iterator[Block]:
    """Yield the blocks of a text that may be orders, from top to bottom.

    Args:
        rows: The text.
        wrapped: A mail program may have wrapped its long lines.
    """
    starts = [number for number in rows.found(_MAY_START) if _START.match(rows[number].text)]
    if not starts:
        return
    text = _Searched(rows, Depths(rows), starts, tuple(rows.found(_MAY_STRAY)), wrapped)
    behind = 0
    for number in starts:
        if number >= behind and not _is_a_tail(rows, text.deep, number):
            block, after = _Taking(text, number).take()
            behind = max(after, number + 1)
            if block.is_orders:
                yield block


def _is_a_tail(rows: Rows, deep: Depths, number: int) -> bool:
    """Tell whether a line is the end of a quoted one, which a mail program wrapped and did not mark.

    What others say stands behind a bar; no line below it, up to the next blank one, can be its reader's.
    """
    if not number:
        return False
    for row in reversed(rows.some(number - _NEAR, number)):
        if not row.text.strip():
            break
        if row.has_bar(rows[number].depth):
            return True
    before = rows[number - 1]
    return deep[number] < before.depth and _was_wrapped(before, rows[number])


def _was_wrapped(before: Row, after: Row) -> bool:
    """Tell whether the first word of a line would not have fitted into the line before."""
    words = after.text.split(None, 1)
    width = len(before.text) + before.spots[-1].shift
    return bool(words) and width + 1 + len(words[0]) > WRAPPED


def _between(numbers: Sequence[int], start: int, stop: int) -> Sequence[int]:
    """Return those of ascending numbers from one up to another."""
    return numbers[bisect_left(numbers, start) : bisect_left(numbers, stop)]


class _Taking:
    """A block as it is being taken from a text."""

    def __init__(self, text: _Searched, start: int) -> None:
        first = text.rows[start].text
        self.text = text
        self.rows = text.rows
        self.deep = text.deep
        self.start = start
        self.indent = len(first) - len(first.lstrip(" "))
        self.block = Block(text.deep[start], first.strip() if first.lstrip().startswith("#") else "")
        self.top = ""
        self.blank = 0
        self.is_bare_do = False
        self.is_indented = False

    def take(self) -> tuple[Block, int]:
        """Return the block, and the position of the first line behind it."""
        number = self.start
        while number < len(self.rows):
            if comments := self._comments(number):
                self._add(*comments)
                number += len(comments)
                continue
            row = self._moved(self.rows[number])
            if not row.text.strip():
                self.blank += 1
                if self.blank > _MOST_BLANK:
                    break
            elif not self._takes(row, number):
                break
            number += 1
        block = self.block
        if block.marker and block.tails[:1] == [1]:
            block.marker = f"{block.marker} {block.rows[1].text.strip()}"
        if block.is_orders:
            block.beyond = self._beyond(number - self.blank)
        return block, number - self.blank

    def _comments(self, number: int) -> list[Row]:
        """Return the comments that the block goes on with: of a form whole pages, which are taken at once."""
        is_inside = bool(self.block.rows) and self.rows[number].depth == self.rows[self.start].depth
        return self.rows.comments(number, self.deep.first, self.indent) if is_inside else []

    def _beyond(self, start: int) -> list[Row]:
        """Return the lines behind the block up to the last one that looks like orders."""
        stop = min(start + _MOST_BEYOND, len(self.rows))
        stop = next(self._level(_between(self.text.starts, start, stop)), stop)
        level = self._level(_between(self.text.strays, start, stop))
        strays = [number for number in level if _STRAY.match(self.rows[number].text)]
        taken = range(start, strays[-1] + 1) if strays else ()
        return [self._moved(self.rows[number]) for number in self._level(taken)]

    def _level(self, numbers: Iterable[int]) -> Iterator[int]:
        """Return the positions of those lines that are quoted as deep as the block."""
        return (number for number in numbers if self.deep[number] == self.block.depth)

    def _moved(self, row: Row) -> Row:
        if row.depth != self.rows[self.start].depth:
            return row
        spaces = len(row.text) - len(row.text.lstrip(" "))
        return row.cut(min(self.indent, spaces))

    def _takes(self, row: Row, number: int) -> bool:
        """Take a line, or tell that the block is over."""
        block, text = self.block, row.text
        is_own = self.deep[number] != block.depth
        if is_own and not (block.marker and self.deep[number] == 0):
            return self._takes_tail(row, number) if self.deep[number] < block.depth else False
        if found := _TOP.match(text):
            key = found[1].lower()
            if key in block.keys and (is_own or key in ("game", "seat")):
                return False
            block.keys.append(key)
            block.opens = block.opens or (key in MAIN and bool(_OPENS.search(text, found.end(1))))
            self.top, self.is_bare_do = key, False
        elif text[0] not in " \t" and not self._fits_at_the_left(row):
            return self._takes_other(row, number, is_own=is_own)
        elif text[0] in " \t" and block.keys:
            self.is_indented = self.is_indented or not text.lstrip().startswith("#")
        self._add(row)
        return True

    def _fits_at_the_left(self, row: Row) -> bool:
        """Tell whether a line in the first column goes on with the block."""
        text = row.text
        if text[0] == "#":
            return not (text.startswith("# pbem form") and self.block.keys)
        if _FENCE.match(text):
            return False
        if _ITEM.match(text):
            self.is_bare_do = bool(_BARE_DO.match(text))
            return self.top in ("orders", "press")
        return text[0] in "]}" and bool(self.block.rows)

    def _takes_other(self, row: Row, number: int, *, is_own: bool) -> bool:
        """Take a line that has no place in the first column, if there is an explanation for it."""
        text, block = row.text, self.block
        if _FENCE.match(text) or not block.rows:
            return False
        if not self.blank and self._is_open():
            self._add(row)
            return True
        is_flat = bool(_LINE.match(text)) or (self.is_bare_do and bool(_WORD.match(text)))
        if is_flat and self.top in ("orders", "press") and not self.is_indented:
            self.is_bare_do = self.is_bare_do or bool(_BARE_DO.match(text))
            block.flat.append(len(block.rows))
            self._add(row)
            return True
        if self._takes_tail(row, number):
            return True
        ahead = range(number + 1, min(number + 4, len(self.rows)))
        if is_own and any(self.deep[near] == block.depth for near in ahead):
            block.passed.append(row)
            return True
        return False

    def _takes_tail(self, row: Row, number: int) -> bool:
        if not self.text.wrapped or self.blank or not self.block.rows:
            return False
        if not _was_wrapped(self.rows[number - 1], row):
            return False
        if row.text[0] in " \t" or _FENCE.match(row.text):
            return False
        self.block.tails.append(len(self.block.rows))
        self._add(row)
        return True

    def _add(self, *added: Row) -> None:
        rows, first = self.block.rows, added[0]
        if self.blank:
            number = first.spots[0].line
            empty = [
                Row("", first.depth, (first.spots[0]._replace(start=0, line=number - n, shift=0),))
                for n in range(self.blank, 0, -1)
            ]
            rows.extend(empty)
            self.blank = 0
        rows.extend(added)

    def _is_open(self) -> bool:
        """Tell whether a bracket or a quotation mark of the last lines is still open."""
        text = "\n".join(row.text for row in self.block.rows[-_MOST_OPEN:])[-_MOST_READ:]
        level = 0
        for found in _BALANCE.finditer(text):
            sign = found.group()
            if sign in ("'", '"'):
                return True
            level += (sign in "[{") - (sign in "]}")
        return level > 0
