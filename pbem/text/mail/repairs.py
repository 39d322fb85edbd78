"""What mail programs do to orders, undone: always told, never guessed where two things could be meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pbem.text.envelope import LINE, OF_ORDERS, OF_PRESS, TOP
from pbem.text.mail.blocks import Block
from pbem.text.mail.rows import BARE_DO, FORM, MEANT, NONE, Row, is_key, repair_rows

_ITEM: Final = re.compile(r"-\s+")
_KEY: Final = re.compile(r"([A-Za-z_0-9']+)\s*:(?:\s|$)")
_IN_BRACES: Final = re.compile(rf"\{{\s*(?:{'|'.join(LINE)})\s*:")
_BELOW_DO: Final = 4


def indent_flat_lines(block: Block) -> list[Row]:
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


def reindent_by_keys(rows: tuple[Row, ...]) -> tuple[Row, ...] | None:
    """Return lines at the places that their keys have in orders; None if nobody can say where one belongs."""
    laying = _LineLayout()
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


def drop_empty_lines_after_none(
    rows: tuple[Row, ...], *, is_empty: re.Pattern[str]
) -> tuple[Row, ...] | None:
    """Return lines without the empty ones of a form below `orders: none`, or None if it is not there."""
    first = next((place for place, row in enumerate(rows) if NONE.match(row.text)), None)
    if first is None:
        return None
    end = first + 1
    while end < len(rows) and rows[end].text[:1] in ("", " ", "-", "#"):
        end += 1
    if not all(row.is_full_match(is_empty) for row in rows[first + 1 : end]):
        return None
    return rows[: first + 1] + rows[end:]


class _LineLayout:
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
            return self._item_start(whole, rest, key)
        if (key in TOP or key in MEANT) and not item and not (self.is_under_do and key in self.seen):
            self.top, self.is_under_do, self.seen = key, False, set()
            return ""
        if key in mine and key not in self.seen and self.seen:
            self.seen.add(key)
            self.is_under_do, self.column = bool(BARE_DO.match(rest)), None
            return "  "
        if self.is_under_do and key and not item:
            return self._indent_below_do(whole)
        return None

    def _indent_below_do(self, whole: str) -> str:
        """Return the spaces of a line below `do:`, as far to the right of the first one as it stood."""
        column = len(whole) - len(whole.lstrip())
        self.column = column if self.column is None else self.column
        return " " * (_BELOW_DO + max(column - self.column, 0))

    def _item_start(self, whole: str, rest: str, key: str) -> str | None:
        """Return what an item begins with; it goes on with the one before if that lacks its `do`."""
        goes_on = self.top == "orders" and self.seen and "do" not in self.seen and key in OF_ORDERS
        goes_on = goes_on and key not in self.seen
        if key not in (*OF_ORDERS, *OF_PRESS) and not _IN_BRACES.match(rest):
            is_inside = self.is_under_do and self.column is not None
            return f"{self._indent_below_do(whole)}- " if is_inside else None
        self.seen = {*self.seen, key} if goes_on else {key} if key else set()
        self.is_under_do, self.column = bool(BARE_DO.match(rest)), None
        return "  " if goes_on else "- "


_TABS: Final = re.compile(r" *\t[ \t]*")
_KEYS: Final = re.compile(
    rf"\n *+(?:- ++)*(?:\{{ *+)?(?=[{''.join({key[0] for key in (*TOP, *LINE)})}])"
    rf"({'|'.join((*TOP, *LINE))})(?=\s*:)",
    re.IGNORECASE,
)
"""Finds in a whole text each line that `ANY_KEY` matches."""
_MAY_ITEM: Final = re.compile(r"\n *+(?:[*]|[0-9]{1,2}[.)])\s")
_MOST_CUTS: Final = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """Lines as they may be meant, and what was done to read them so, one sentence each."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def is_unambiguous(block: Block) -> bool:
    """Tell whether a block can be read in one way only, unless that does not fit."""
    if block.has_stray_lines or len({row.depth for row in block.rows}) > 1:
        return False
    text = "\n".join(["", *(row.text for row in block.rows)])
    if "\t" in text or "\n\n " in text:
        return False
    if text.isascii() and not _MAY_ITEM.search(text):
        return all(found[1].islower() for found in _KEYS.finditer(text))
    return repair_rows(block.rows, words=True) == tuple(block.rows)


def readings(block: Block, words: Collection[str] = ()) -> Iterator[Reading]:
    """Yield the ways to read a block, the likeliest first.

    None leaves out a line that looks like a part of the orders.

    Args:
        block: The block.
        words: The keys that can stand right under `do`.
    """
    mended: list[Reading] = []
    for whole in _whole_readings(block, words):
        first, said = _mend_lines(whole), _mend_lines(whole, words=True)
        mended += [first, said]
        yield first
        if first.notes != whole.notes:
            yield whole
        if said.rows != first.rows:
            yield said
        yield from _shorter_readings(first, words)
    for reading in mended:
        yield from relaid_readings(reading)


def _whole_readings(block: Block, words: Collection[str]) -> Iterator[Reading]:
    """Yield the block with wrapped lines joined and flat lines moved, then what stands before them."""
    told = []
    if block.passed:
        lines, are = _line_numbers_text(block.passed), _be_verb(block.passed)
        told.append(f"{lines} between the lines of the form {are} no orders and did not count.")
    rows = indent_flat_lines(block)
    notes = (_moved_note([block.rows[place] for place in block.flat]),) if block.flat else ()
    if block.beyond:  # nobody can say what was meant, and it must not be left out in silence
        yield Reading(*_join_wrapped([*rows, *block.beyond], block.tails, (*told, *notes)))
        return
    if not (block.tails or block.flat):
        yield Reading(tuple(rows), tuple(told))
        return
    yield Reading(*_join_wrapped(rows, block.tails, (*told, *notes)))
    regular = min([*block.tails, *block.flat])
    left = [row for row in block.rows[regular:] if row.text.strip()]
    if not any(is_key(row.text, words) for row in left):
        yield Reading(tuple(block.rows[:regular]), (*told, _omitted_note(left)))


def relaid_readings(reading: Reading) -> Iterator[Reading]:
    """Yield the lines where their keys belong, and without what is empty below `orders: none`."""
    if cut := drop_empty_lines_after_none(reading.rows, is_empty=FORM):
        left = [row for row in reading.rows if row not in cut and row.text.strip()]
        yield Reading(cut, (*reading.notes, _omitted_note(left)) if left else reading.notes)
    laid = reindent_by_keys(reading.rows)
    if laid is not None and laid != reading.rows:
        moved = [row for row, before in zip(laid, reading.rows, strict=True) if row != before]
        notes = [one for one in reading.notes if not one.endswith(_DROPPED)]
        where = "moved to where it belongs" if len(moved) == 1 else "moved to where they belong"
        told = (
            f"{_line_numbers_text(moved)} {_past_verb(moved)} {where}: the spaces before it were other ones."
        )
        yield replace(reading, rows=laid, notes=(*notes, told))


_DROPPED: Final = "moved right, as a mail program had dropped the spaces."


def _moved_note(rows: Sequence[Row]) -> str:
    return f"{_line_numbers_text(rows)} {_past_verb(rows)} {_DROPPED}"


def _omitted_note(rows: Sequence[Row]) -> str:
    return f"{_line_numbers_text(rows)} {_be_verb(rows)} no orders and did not count."


def _join_wrapped(
    rows: list[Row], tails: Sequence[int], notes: tuple[str, ...]
) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """Return the lines with those that a mail program had wrapped made one again."""
    out: list[Row] = []
    joined: list[Row] = []
    for place, row in enumerate(rows):
        if place in tails and out:
            joined.append(row)
            out[-1] = out[-1].joined(row, " ")
        else:
            out.append(row)
    if joined:
        notes = (
            *notes,
            f"{_line_numbers_text(joined)} {_past_verb(joined)} joined to the line before, "
            "as a mail program had wrapped it.",
        )
    return tuple(out), notes


def _mend_lines(reading: Reading, *, words: bool = False) -> Reading:
    """Return the lines with tabs, dashes, quotation marks and capitals as YAML has them.

    Args:
        reading: The lines.
        words: Quotation marks around what is said too, where they may be meant.
    """
    rows, notes = reading.rows, list(reading.notes)
    tabbed = [row for row in rows if _TABS.match(row.text)]
    rows = tuple(_expand_tabs(row) for row in rows)
    if tabbed:
        notes.append(
            f"Tabs at the start of {_line_numbers_text(tabbed, 'line')} were read as two spaces each."
        )
    right = repair_rows(rows, words=words)
    changed = [row for row, now in zip(rows, right, strict=True) if now.text != row.text]
    if changed:
        rows = right
        told = "Dashes, quotation marks or capitals that a mail program had changed were put right in"
        notes.append(f"{told} {_line_numbers_text(changed, 'line')}.")
    return Reading(rows, tuple(notes))


def _expand_tabs(row: Row) -> Row:
    found = _TABS.match(row.text)
    return row.put(found.group().replace("\t", "  "), found.end()) if found else row


def _shorter_readings(reading: Reading, words: Collection[str]) -> Iterator[Reading]:
    """Yield the lines before each blank one, last first, as long as nothing behind it looks like orders."""
    rows = reading.rows
    cuts = 0
    for place in range(len(rows) - 1, 0, -1):
        text = rows[place].text
        if is_key(text, words) or cuts == _MOST_CUTS:
            return
        if not text.strip() and rows[place - 1].text.strip():
            cuts += 1
            left = [row for row in rows[place:] if row.text.strip()]
            if left:
                yield Reading(rows[:place], (*reading.notes, _omitted_note(left)))


def _line_numbers_text(rows: Sequence[Row], word: str = "Line") -> str:
    """Return the numbers of lines in words."""
    numbers = sorted({row.spots[0].line for row in rows})
    named = [str(number) for number in numbers[:8]] + (["others"] if len(numbers) > 8 else [])
    if len(named) == 1:
        return f"{word} {named[0]}"
    return f"{word}s {', '.join(named[:-1])} and {named[-1]}"


def _be_verb(rows: Sequence[Row]) -> str:
    return "is" if len(rows) == 1 else "are"


def _past_verb(rows: Sequence[Row]) -> str:
    return "was" if len(rows) == 1 else "were"
