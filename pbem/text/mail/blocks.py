"""Blocks of a text that may be orders: where each begins, how far it goes, what in it is out of place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Final

from pbem.text.envelope import MAIN
from pbem.text.mail.bodies import rows_of
from pbem.text.mail.letter import Letter
from pbem.text.mail.quotes import (
    UNDER_TITLE,
    Depths,
    doubt,
    has_orders_at_start,
    host_lines,
    is_form,
    quote_head_length,
    was_wrapped,
)
from pbem.text.mail.rows import (
    BARE_DO,
    FORM,
    ITEM,
    LINE_KEY,
    MAY_COUNT,
    MEANT,
    NAMES_READERS,
    OPENS,
    SIGNATURE,
    STRAY,
    TOP_KEY,
    WORD,
    Row,
    Rows,
    is_key,
    rules_key_pattern,
)
from pbem.text.mail.rows import ORDERS_START as START

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
    def has_stray_lines(self) -> bool:
        """Tell whether some line of it is out of place."""
        return bool(self.tails or self.flat or self.passed or self.beyond)

    @property
    def is_orders(self) -> bool:
        """Tell whether somebody may have meant it as orders."""
        is_named = "game" in self.keys and "seat" in self.keys
        return not MAIN.isdisjoint(self.keys) and (self.opens or bool(self.marker) or is_named)


@dataclass(frozen=True, slots=True)
class SearchedText:
    """A text, with the positions where a block may start and of lines that may look like orders alone."""

    rows: Rows
    deep: Depths
    starts: Sequence[int]
    strays: Sequence[int]
    wrapped: bool
    words: frozenset[str] = frozenset()


def numbers_between(numbers: Sequence[int], start: int, stop: int) -> Sequence[int]:
    """Return those of ascending numbers from one up to another."""
    return numbers[bisect_left(numbers, start) : bisect_left(numbers, stop)]


class BlockTaker:
    """A block as it is being taken from a text."""

    def __init__(self, text: SearchedText, start: int) -> None:
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
            elif not self._try_to_take(row, number):
                break
            number += 1
        block = self.block
        if block.marker and block.tails[:1] == [1]:
            block.marker = f"{block.marker} {block.rows[1].text.strip()}"
        if block.is_orders:
            block.beyond = self._trailing_rows(number - self.blank)
        return block, number - self.blank

    def _comments(self, number: int) -> int:
        """Return how many comments follow in a form that is still empty: whole pages, which say nothing."""
        row = self.rows[number]
        is_inside = bool(self.block.rows) and row.depth == self.rows[self.start].depth
        return self.rows.comments(number, self.deep.first) if is_inside and "#" in row.text else 0

    def _trailing_rows(self, start: int) -> list[Row]:
        """Return the lines behind the block up to the last one that looks like orders, or to a signature."""
        stop = min(start + MOST_BEYOND, len(self.rows))
        starts = list(self._level_positions(numbers_between(self.text.starts, start, stop)))
        stop = next((number for number in starts if self._is_another(number)), stop)
        strays = self._level_positions(numbers_between(self.text.strays, start, stop))
        near = [*strays, *(number for number in starts if number < stop)]
        ahead = self._level_positions(range(start, max(near, default=start - 1) + 1))
        signed = next((number for number in ahead if SIGNATURE.fullmatch(self.rows[number].text)), stop)
        last = max((number for number in near if number < signed), default=start - 1)
        return [self._moved(self.rows[number]) for number in self._level_positions(range(start, last + 1))]

    def _is_another(self, start: int) -> bool:
        """Tell whether a block of its own starts behind this one: with what this one has, or a name."""
        found = TOP_KEY.match(self.rows[start].text.lstrip())
        key = found[1].lower() if found else ""
        return not key or key in ("game", "seat", *self.block.keys)

    def _level_positions(self, numbers: Iterable[int]) -> Iterator[int]:
        """Return the positions of those lines that are quoted as deep as the block."""
        return (number for number in numbers if self.deep[number] == self.block.depth)

    def _moved(self, row: Row) -> Row:
        if row.depth != self.rows[self.start].depth:
            return row
        spaces = len(row.text) - len(row.text.lstrip(" "))
        return row.cut(min(self.indent, spaces))

    def _try_to_take(self, row: Row, number: int) -> bool:
        """Take a line, or tell that the block is over."""
        block, text = self.block, row.text
        is_own = self.deep[number] != block.depth
        if is_own and not (block.marker and self.deep[number] == 0):
            return self._take_wrapped_tail(row, number) if self.deep[number] < block.depth else False
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
        elif self._is_press_start(text):
            return False
        elif text[0] not in " \t" and not self._fits_at_the_left(row):
            return self._takes_other(row, number, is_own=is_own)
        elif text[0] in " \t" and block.keys:
            self.is_indented = self.is_indented or not text.lstrip().startswith("#")
        self._append_rows(row)
        return True

    def _is_press_start(self, text: str) -> bool:
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
            self._append_rows(row)
            return True
        is_flat = bool(LINE_KEY.match(text)) or (self.is_bare_do and bool(WORD.match(text)))
        if is_flat and self.top in ("orders", "press") and (block.flat or not self.is_indented):
            self.is_bare_do = self.is_bare_do or bool(BARE_DO.match(text))
            block.flat.append(len(block.rows))
            self._append_rows(row)
            return True
        if self._take_wrapped_tail(row, number):
            return True
        ahead = range(number + 1, min(number + 4, len(self.rows)))
        if is_own and any(self.deep[near] == block.depth for near in ahead):
            block.passed.append(row)
            return True
        return False

    def _take_wrapped_tail(self, row: Row, number: int) -> bool:
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
        self._append_rows(row)
        return True

    def _append_rows(self, *added: Row) -> None:
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
        self.is_form = self.is_form and all(row.is_full_match(FORM) for row in added)

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


MOST_STARTS: Final = 1000
"""No reply has so many lines that begin orders, not even one that quotes a whole season."""

_IS_MARKER: Final = re.compile(r"\n {0,4}#\s*pbem form\s")


def blocks(
    rows: Rows, *, wrapped: bool = True, shown: bool = False, words: Collection[str] = ()
) -> Iterator[Block]:
    """Yield the blocks of a text that may be orders, from top to bottom; then lines that belong to none.

    Args:
        rows: The text.
        wrapped: A mail program may have wrapped its long lines.
        shown: It is a page, which quotes without marks.
        words: The keys that can stand right under `do`.
    """
    near = list(rows.found(MAY_COUNT))
    starts = [number for number in near if START.match(rows[number].text)]
    if len(starts) > MOST_STARTS:
        yield Block(0, "", [rows[starts[0]]], doubt="many")
        return
    strays = [number for number in near if STRAY.match(rows[number].text)]
    by_rules = rules_key_pattern(frozenset(words))
    if by_rules is not None:
        strays = sorted({*strays, *rows.found(by_rules)})
    if not (starts or strays):
        return
    text = SearchedText(rows, Depths(rows), starts, strays, wrapped, frozenset(words))
    yield from _BlockFinder(text, shown=shown).blocks()


class _BlockFinder:
    """The blocks of a text as they are being found, with the stray lines that are left."""

    def __init__(self, text: SearchedText, *, shown: bool) -> None:
        self.text = text
        self.shown = shown
        self.behind = 0
        ours = host_lines(text.rows, text.deep)
        self.older = next((one for one in ours if not is_form(text.rows[one].text)), len(text.rows))
        self.loose: list[int] = []

    def blocks(self) -> Iterator[Block]:
        for number in self.text.starts:
            if number < self.behind:
                continue
            why = doubt(self.text.rows, self.text.deep, number, shown=self.shown)
            block, after = BlockTaker(self.text, number).take()
            if why and not (block.is_orders and has_orders_at_start(block.rows)):
                continue
            above = self._sender_strays(self.behind, number)
            self.behind = max(after, number + 1)
            if self.older < number and not (block.marker or block.depth):
                block.depth = 1
            if block.marker:
                above = self._drop_report_strays(above, number)
            if block.is_orders:
                block.doubt = why
                block.lost = [
                    self.text.rows[place] for place in above if self._is_at_block_depth(place, number)
                ]
                block.lost += [row for row in block.passed if is_key(row.text, self.text.words)]
                yield block
            self.loose += above
        self.loose += self._sender_strays(self.behind, len(self.text.rows))
        if self.loose:
            yield Block(0, "", [self.text.rows[number] for number in self.loose], doubt="headless")

    def _sender_strays(self, start: int, stop: int) -> list[int]:
        """Return the stray lines of the sender's own between two positions."""
        rows, deep = self.text.rows, self.text.deep
        near = numbers_between(self.text.strays, start, stop)
        return [
            number for number in near if not deep[number] and not doubt(rows, deep, number, shown=self.shown)
        ][:MOST_BEYOND]

    def _drop_report_strays(self, strays: list[int], form: int) -> list[int]:
        """Return stray lines above a form, without those that a report tells above its own form.

        That is known only where a single form stands in the text without marks of a quote.
        """
        if not strays or self._form_positions != [form]:
            return strays
        start = max((place for place in self.text.rows.found(UNDER_TITLE) if place < form), default=form)
        return [place for place in strays if place < start or not self.text.rows[place].text.startswith("  ")]

    @cached_property
    def _form_positions(self) -> list[int]:
        return list(self.text.rows.found(_IS_MARKER))

    def _is_at_block_depth(self, number: int, start: int) -> bool:
        """Tell whether nothing of another depth stands between a stray line and the block below it."""
        deep, rows = self.text.deep, self.text.rows
        return start - number <= MOST_BEYOND and all(
            deep[place] == deep[start] or not rows[place].text.strip() for place in range(number, start)
        )


_BARS: Final = re.compile(r"(?:\s*\|)+ ?")


def copied_lines(letter: Letter) -> tuple[str, ...]:
    """Return the lines behind bars that stand above what a mail quotes, without their bars."""
    return next(
        (lines for rows in _text_then_page_rows(letter) if (lines := tuple(_lines_above_quote(rows)))), ()
    )


def _text_then_page_rows(letter: Letter) -> Iterator[Rows]:
    """Return the rows of a mail's plain texts, and then of its pages."""
    return chain.from_iterable(rows_of(letter, kind) for kind in ("text/plain", "text/html"))


def _lines_above_quote(rows: Rows) -> Iterator[str]:
    deep = Depths(rows)
    for number, row in enumerate(rows.some(0, deep.first)):
        if row.depth > row.is_barred or quote_head_length(rows, number):
            return
        if not row.is_hidden and (bare := _unquoted_text(row)) is not None:
            yield bare


def _unquoted_text(row: Row) -> str | None:
    """Return a row without its bars; None if it has none."""
    found = _BARS.match(row.text)
    if found is not None:
        return row.whole[found.end() :].rstrip()
    return row.whole.removeprefix(" ").rstrip() if row.is_barred else None
