"""A block of a text that may be orders: how far it goes, and what in it is out of place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from pbem.text.envelope import (
    BARE_DO,
    FORM,
    ITEM,
    LINE_KEY,
    MAIN,
    MEANT,
    NAMES_READERS,
    OPENS,
    SIGNATURE,
    TOP_KEY,
    WORD,
)
from pbem.text.envelope import (
    ORDERS_START as START,
)
from pbem.text.mail.quotes import Depths, was_wrapped
from pbem.text.mail.rows import Row, Rows

_FENCE: Final = re.compile(r"(?:```|~~~|---+|\.\.\.|--)\s*(?:ya?ml)?\s*$")
_BALANCE: Final = re.compile(
    r"(?<![\w'])'[^']*+(?:''[^']*+)*'(?!')|(?<!\w)\"[^\"\\]*+(?:\\.[^\"\\]*+)*\"|(?<!\S)#[^\n]*|[\[{\]}]|(?<![\w'])['\"]",
    re.DOTALL,
)
_MOST_OPEN: Final = 15
_MOST_BLANK: Final = 10
MOST_BEYOND: Final = 300
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
        doubt: Why nobody can say whether it is orders of the sender: "bar" and "tail" (it stands directly
            below a quoted line, and may be the end of it), "headless" (no `orders:` above it), "many"
            (there are too many to look at), or "".
        lost: Lines that look like a part of it and stand outside of it.
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
    doubt: str = ""
    lost: list[Row] = field(default_factory=list)

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
class Searched:
    """A text, with the positions where a block may start and of lines that may look like orders alone."""

    rows: Rows
    deep: Depths
    starts: Sequence[int]
    strays: Sequence[int]
    wrapped: bool
    words: frozenset[str] = frozenset()


def between(numbers: Sequence[int], start: int, stop: int) -> Sequence[int]:
    """Return those of ascending numbers from one up to another."""
    return numbers[bisect_left(numbers, start) : bisect_left(numbers, stop)]


class Taking:
    """A block as it is being taken from a text."""

    def __init__(self, text: Searched, start: int) -> None:
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
        self.is_form = bool(self.block.marker)
        self.has_passed = False

    def take(self) -> tuple[Block, int]:
        """Return the block, and the position of the first line behind it."""
        number = self.start
        while number < len(self.rows):
            if self.is_form and (passed := self._comments(number)):
                number += passed
                self.blank, self.has_passed = 0, True
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

    def _comments(self, number: int) -> int:
        """Return how many comments follow in a form that is still empty: whole pages, which say nothing."""
        row = self.rows[number]
        is_inside = bool(self.block.rows) and row.depth == self.rows[self.start].depth
        return self.rows.comments(number, self.deep.first) if is_inside and "#" in row.text else 0

    def _beyond(self, start: int) -> list[Row]:
        """Return the lines behind the block up to the last one that looks like orders, or to a signature."""
        stop = min(start + MOST_BEYOND, len(self.rows))
        starts = list(self._level(between(self.text.starts, start, stop)))
        stop = next((number for number in starts if self._is_another(number)), stop)
        strays = self._level(between(self.text.strays, start, stop))
        near = [*strays, *(number for number in starts if number < stop)]
        ahead = self._level(range(start, max(near, default=start - 1) + 1))
        signed = next((number for number in ahead if SIGNATURE.fullmatch(self.rows[number].text)), stop)
        last = max((number for number in near if number < signed), default=start - 1)
        return [self._moved(self.rows[number]) for number in self._level(range(start, last + 1))]

    def _is_another(self, start: int) -> bool:
        """Tell whether a block of its own starts behind this one: with what this one has, or a name."""
        found = TOP_KEY.match(self.rows[start].text.lstrip())
        key = found[1].lower() if found else ""
        return not key or key in ("game", "seat", *self.block.keys)

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
        if self.is_form and not is_own and block.rows and text.lstrip()[:1] == "#":
            if text.startswith("# pbem form") and block.keys:
                return False
            self.blank, self.has_passed = 0, True
            return True
        if found := TOP_KEY.match(text):
            key = MEANT.get(found[1].lower(), found[1].lower())
            is_second = key in ("game", "seat") or (key == "orders" and self.blank > 0)
            if key in block.keys and (is_own or is_second):
                return False
            block.keys.append(key)
            block.opens = block.opens or (key in MAIN and bool(OPENS.search(text, found.end(1))))
            self.top, self.is_bare_do = key, False
        elif self._begins_press(text):
            return False
        elif text[0] not in " \t" and not self._fits_at_the_left(row):
            return self._takes_other(row, number, is_own=is_own)
        elif text[0] in " \t" and block.keys:
            self.is_indented = self.is_indented or not text.lstrip().startswith("#")
        self._add(row)
        return True

    def _begins_press(self, text: str) -> bool:
        """Tell whether a line below whole orders names readers, as the first line of press in a mail does."""
        if not NAMES_READERS.match(text) or self.top == "press" or self.is_bare_do or not self.block.rows:
            return False
        return self.blank > 0 or not (self.has_passed or self._is_open())

    def _fits_at_the_left(self, row: Row) -> bool:
        """Tell whether a line in the first column goes on with the block."""
        text = row.text
        if text[0] == "#":
            return not (text.startswith("# pbem form") and self.block.keys)
        if _FENCE.match(text):
            return False
        if ITEM.match(text):
            self.is_bare_do = bool(BARE_DO.match(text))
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
        is_flat = bool(LINE_KEY.match(text)) or (self.is_bare_do and bool(WORD.match(text)))
        if is_flat and self.top in ("orders", "press") and (block.flat or not self.is_indented):
            self.is_bare_do = self.is_bare_do or bool(BARE_DO.match(text))
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
        if not was_wrapped(self.rows[number - 1], row):
            return False
        if self.deep[number] < self.block.depth and START.match(row.text):
            return False
        if row.text[0] in " \t" or _FENCE.match(row.text):
            return False
        if self.has_passed:  # the end of a comment
            return True
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
        self.has_passed = False
        self.is_form = self.is_form and all(row.is_like(FORM) for row in added)

    def _is_open(self) -> bool:
        """Tell whether a bracket or a quotation mark of the last lines is still open."""
        text = "\n".join(row.whole for row in self.block.rows[-_MOST_OPEN:])[-_MOST_READ:]
        level = 0
        for found in _BALANCE.finditer(text):
            sign = found.group()
            if sign in ("'", '"'):
                return True
            level += (sign in "[{") - (sign in "]}")
        return level > 0
