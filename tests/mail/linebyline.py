"""Texts of mails read line by line, nothing skipped: slow and plain, to check the quick way against."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from pbem.text.envelope import LINE, TOP
from pbem.text.mail import bodies, candidates, quotes, rows
from pbem.text.mail.blocks import MOST_BEYOND, Block, BlockTaker
from pbem.text.mail.repairs import Reading, readings
from pbem.text.mail.rows import ORDERS_START as START
from pbem.text.mail.rows import SIGNATURE, STRAY, Row, Rows
from pbem.text.plaintext import with_plain_spaces

KEY = re.compile(rf" *(?:- +)*({'|'.join((*TOP, *LINE))})(?=\s*:)", re.IGNORECASE)
INVISIBLE = re.compile("[\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")


class EveryRow(Rows):
    """Rows that are all made and all looked at."""

    __slots__ = ()

    def found(self, pattern: re.Pattern[str]) -> Iterator[int]:
        """Yield every position, whatever is searched for."""
        return iter(range(len(self)))

    def comments(self, start: int, stop: int) -> int:
        """Return none, so that each is passed alone."""
        return 0


class EveryDepth:
    """How deep each row is quoted, each asked whether it begins a quote."""

    def __init__(self, rows: Rows) -> None:
        self.first = 0
        self.depths: list[int] = []
        below: list[int] = []
        self.near = range(len(rows))
        begins = quotes.quote_starts(rows, self.near)
        for number, row in enumerate(rows):
            while below and row.text.strip() and below[-1] > row.depth:
                below.pop()
            if number in begins:
                below.append(row.depth - (row.is_barred and row.text.rstrip().endswith("|")))
            self.depths.append(row.depth + len(below))

    def __getitem__(self, number: int) -> int:
        return self.depths[number]


def cleaned(text: str) -> tuple[list[str], frozenset[int]]:
    """Return the lines of a text, each cleaned alone, and which of them had invisible characters."""
    lines = [with_plain_spaces(line) for line in text.split("\n")]
    odd = frozenset(number for number, line in enumerate(lines, 1) if INVISIBLE.search(line))
    return [INVISIBLE.sub("", line) for line in lines], odd


def is_plain(block: Block) -> bool:
    """Tell whether nothing in a block would be mended, looking at one row after the other."""
    was_blank = False
    for row in block.rows:
        key = KEY.match(row.text)
        if row.depth != block.rows[0].depth or "\t" in row.text or (was_blank and row.text[:1] == " "):
            return False
        if key and not key[1].islower():
            return False
        was_blank = not row.text
    likeliest = next(readings(block))
    return not block.has_stray_lines and likeliest == Reading(tuple(block.rows))


def beyond(taking: BlockTaker, start: int) -> list[Row]:
    """Return the lines behind a block up to the last one that looks like orders, each looked at."""
    out: list[Row] = []
    last = 0
    for number in range(start, min(start + MOST_BEYOND, len(taking.rows))):
        if taking.deep[number] != taking.block.depth:
            continue
        is_start = bool(START.match(taking.rows[number].text))
        if SIGNATURE.fullmatch(taking.rows[number].text) or (is_start and taking._is_another(number)):
            break
        out.append(taking._moved(taking.rows[number]))
        last = len(out) if is_start or STRAY.match(taking.rows[number].text) else last
    return out[:last]


def read_line_by_line(patch: pytest.MonkeyPatch) -> None:
    """Make every text be read so."""
    for module in (bodies, rows, quotes):
        patch.setattr(module, "Rows", EveryRow)
    patch.setattr(bodies, "_clean_lines", cleaned)
    patch.setattr(candidates, "is_unambiguous", is_plain)
    patch.setattr("pbem.text.mail.blocks.Depths", EveryDepth)
    patch.setattr(BlockTaker, "_trailing_rows", beyond)
    patch.setattr(quotes, "Depths", EveryDepth)
