"""Blocks of a text that may be orders: where each begins; and lines behind bars, which must not count."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import chain
from typing import Final

from pbem.text.envelope import (
    MAY_COUNT,
    STRAY,
    is_key,
    of_rules,
)
from pbem.text.envelope import (
    ORDERS_START as START,
)
from pbem.text.mail.bodies import rows_of
from pbem.text.mail.letter import Letter
from pbem.text.mail.quotes import UNDER_TITLE, Depths, doubt, host_lines, introduces, is_form, opens_at_once
from pbem.text.mail.rows import Row, Rows
from pbem.text.mail.taking import MOST_BEYOND, Block, Searched, Taking, between

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
    by_rules = of_rules(frozenset(words))
    if by_rules is not None:
        strays = sorted({*strays, *rows.found(by_rules)})
    if not (starts or strays):
        return
    text = Searched(rows, Depths(rows), starts, strays, wrapped, frozenset(words))
    yield from _Finding(text, shown=shown).blocks()


class _Finding:
    """The blocks of a text as they are being found, with the stray lines that are left."""

    def __init__(self, text: Searched, *, shown: bool) -> None:
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
            block, after = Taking(self.text, number).take()
            if why and not (block.is_orders and opens_at_once(block.rows)):
                continue
            above = self._own_strays(self.behind, number)
            self.behind = max(after, number + 1)
            if self.older < number and not (block.marker or block.depth):
                block.depth = 1
            if block.marker:
                above = self._but_for_the_report(above, number)
            if block.is_orders:
                block.doubt = why
                block.lost = [self.text.rows[place] for place in above if self._is_level(place, number)]
                block.lost += [row for row in block.passed if is_key(row.text, self.text.words)]
                yield block
            self.loose += above
        self.loose += self._own_strays(self.behind, len(self.text.rows))
        if self.loose:
            yield Block(0, "", [self.text.rows[number] for number in self.loose], doubt="headless")

    def _own_strays(self, start: int, stop: int) -> list[int]:
        """Return the stray lines of the sender's own between two positions."""
        rows, deep = self.text.rows, self.text.deep
        near = between(self.text.strays, start, stop)
        return [
            number for number in near if not deep[number] and not doubt(rows, deep, number, shown=self.shown)
        ][:MOST_BEYOND]

    def _but_for_the_report(self, strays: list[int], form: int) -> list[int]:
        """Return stray lines above a form, without those that a report tells above its own form.

        That is known only where a single form stands in the text without marks of a quote.
        """
        if not strays or self._forms != [form]:
            return strays
        start = max((place for place in self.text.rows.found(UNDER_TITLE) if place < form), default=form)
        return [place for place in strays if place < start or not self.text.rows[place].text.startswith("  ")]

    @cached_property
    def _forms(self) -> list[int]:
        return list(self.text.rows.found(_IS_MARKER))

    def _is_level(self, number: int, start: int) -> bool:
        """Tell whether nothing of another depth stands between a stray line and the block below it."""
        deep, rows = self.text.deep, self.text.rows
        return start - number <= MOST_BEYOND and all(
            deep[place] == deep[start] or not rows[place].text.strip() for place in range(number, start)
        )


_BARS: Final = re.compile(r"(?:\s*\|)+ ?")


def copied_lines(letter: Letter) -> tuple[str, ...]:
    """Return the lines behind bars that stand above what a mail quotes, without their bars."""
    return next((lines for rows in _texts(letter) if (lines := tuple(_above_the_quote(rows)))), ())


def _texts(letter: Letter) -> Iterator[Rows]:
    """Return the rows of a mail's plain texts, and then of its pages."""
    return chain.from_iterable(rows_of(letter, kind) for kind in ("text/plain", "text/html"))


def _above_the_quote(rows: Rows) -> Iterator[str]:
    deep = Depths(rows)
    for number, row in enumerate(rows.some(0, deep.first)):
        if row.depth > row.is_barred or introduces(rows, number):
            return
        if not row.is_hidden and (bare := _bare(row)) is not None:
            yield bare


def _bare(row: Row) -> str | None:
    """Return a row without its bars; None if it has none."""
    found = _BARS.match(row.text)
    if found is not None:
        return row.whole[found.end() :].rstrip()
    return row.whole.removeprefix(" ").rstrip() if row.is_barred else None
