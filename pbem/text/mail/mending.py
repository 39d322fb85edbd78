"""What mail programs do to orders, undone: always told, never guessed where two things could be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pbem.text.mail.blocks import LINE, TOP, Block
from pbem.text.mail.rows import Row

_TABS: Final = re.compile(r" *\t[ \t]*")
_DASH: Final = re.compile(r"( *)[–—•·]\s+(?=[{\w])")
_KEY: Final = re.compile(rf"( *(?:- +)*)({'|'.join((*TOP, *LINE))})(?=\s*:)", re.IGNORECASE)
_KEYS: Final = re.compile(
    rf"\n *+(?:- ++)*+(?=[{''.join({key[0] for key in (*TOP, *LINE)})}])({'|'.join((*TOP, *LINE))})(?=\s*:)",
    re.IGNORECASE,
)
"""Finds in a whole text each line that `_KEY` matches."""
_CURLY: Final = re.compile(
    r"(?P<before>[:\[{,-]\s*)(?:[“”„«](?P<double>[^“”„«»\"\\]*)[“”»]|[‘’‚](?P<single>[^‘’‚']*)[‘’])"
    r"(?=\s*(?:[,\]}:]|#|$))"
)
_WORDS: Final = re.compile(r"\s*(?:- +)*(?:\{.*)?\b(?:say|luck)\s*:")
_BARE_DO: Final = re.compile(r"(?:- +)?do\s*:\s*(?:#.*)?$", re.IGNORECASE)
_MOST_CUTS: Final = 3
_COMMENT: Final = re.compile(r"\s*#")


@dataclass(frozen=True, slots=True)
class Reading:
    """Lines as they may be meant, and what was done to read them so, one sentence each."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def is_plain(block: Block) -> bool:
    """Tell whether a block can be read in one way only."""
    if block.is_odd or len({row.depth for row in block.rows}) > 1:
        return False
    text = "\n".join(["", *(row.text for row in block.rows)])
    if "\t" in text or "\n\n " in text:
        return False
    if text.isascii() and all(found[1].islower() for found in _KEYS.finditer(text)):
        return True
    return all(_mended_row(row, words=True) == row.text for row in block.rows)


def readings(block: Block) -> Iterator[Reading]:
    """Yield the ways to read a block, the likeliest first."""
    for whole in _wholes(block):
        mended = _mended(whole)
        yield mended
        if mended.notes != whole.notes:
            yield whole
            yield _mended(whole, words=True)
        yield from _shorter(mended)


def _wholes(block: Block) -> Iterator[Reading]:
    """Yield the block with wrapped lines joined and flat lines moved, then what stands before them."""
    told = []
    if block.passed:
        told.append(
            f"{_lines(block.passed)} between the lines of the form {_are(block.passed)} no orders and "
            "did not count."
        )
    rows, notes = _indented(block)
    if block.beyond:  # nobody can say what was meant, and it must not be left out in silence
        yield Reading(*_unwrapped([*rows, *block.beyond], block.tails, (*told, *notes)))
        return
    if not (block.tails or block.flat):
        yield Reading(tuple(rows), tuple(told))
        return
    yield Reading(*_unwrapped(rows, block.tails, (*told, *notes)))
    regular = min([*block.tails, *block.flat])
    yield Reading(tuple(block.rows[:regular]), tuple(told))


def _indented(block: Block) -> tuple[list[Row], tuple[str, ...]]:
    """Return the lines with flat ones moved right: keys of a line by two, what is under `do` by four."""
    if not block.flat:
        return list(block.rows), ()
    rows: list[Row] = []
    is_under_do = False
    for place, row in enumerate(block.rows):
        key = row.text.partition(":")[0].strip().lower()
        is_under_do = is_under_do and key not in LINE and not key.startswith("-")
        rows.append(row.put("    " if is_under_do else "  ", 0) if place in block.flat else row)
        is_under_do = is_under_do or bool(_BARE_DO.match(row.text))
    moved = [block.rows[place] for place in block.flat]
    return rows, (f"{_lines(moved)} {_was(moved)} moved right, as a mail program had dropped the spaces.",)


def _unwrapped(
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
            f"{_lines(joined)} {_was(joined)} joined to the line before, as a mail program had wrapped it.",
        )
    return tuple(out), notes


def _mended(reading: Reading, *, words: bool = False) -> Reading:
    """Return the lines with tabs, dashes, quotation marks and capitals as YAML has them.

    Args:
        reading: The lines.
        words: Quotation marks around what is said too, where they may be meant.
    """
    rows, notes = reading.rows, list(reading.notes)
    tabbed = [row for row in rows if _TABS.match(row.text)]
    rows = tuple(_without_tabs(row) for row in rows)
    if tabbed:
        notes.append(f"Tabs at the start of {_lines(tabbed, 'line')} were read as two spaces each.")
    changed = [row for row in rows if _mended_row(row, words=words) != row.text]
    if changed:
        rows = tuple(row._replace(text=_mended_row(row, words=words)) for row in rows)
        told = "Dashes, quotation marks or capitals that a mail program had changed were put right in"
        notes.append(f"{told} {_lines(changed, 'line')}.")
    return Reading(rows, tuple(notes))


def _without_tabs(row: Row) -> Row:
    found = _TABS.match(row.text)
    return row.put(found.group().replace("\t", "  "), found.end()) if found else row


def _mended_row(row: Row, *, words: bool) -> str:
    text = row.text
    if _COMMENT.match(text):
        return text
    if not text.isascii():
        text = _DASH.sub(r"\1- ", text, count=1) if _DASH.match(text) else text
        if words or not _WORDS.match(text):
            text = _CURLY.sub(_straight, text)
    found = _KEY.match(text)
    return text[: found.start(2)] + found[2].lower() + text[found.end(2) :] if found else text


def _straight(found: re.Match[str]) -> str:
    if found["double"] is not None:
        return f'{found["before"]}"{found["double"]}"'
    return f"{found['before']}'{found['single']}'"


def _shorter(reading: Reading) -> Iterator[Reading]:
    """Yield the lines before each blank one, last first, as long as nothing behind it looks like orders."""
    rows = reading.rows
    cuts = 0
    for place in range(len(rows) - 1, 0, -1):
        text = rows[place].text
        if text.startswith("-") or _KEY.match(text) or cuts == _MOST_CUTS:
            return
        if not text.strip() and rows[place - 1].text.strip():
            cuts += 1
            left = [row for row in rows[place:] if row.text.strip()]
            yield Reading(
                rows[:place], (*reading.notes, f"{_lines(left)} {_are(left)} no orders and did not count.")
            )


def _lines(rows: Sequence[Row], word: str = "Line") -> str:
    """Return the numbers of lines in words."""
    numbers = sorted({row.spots[0].line for row in rows})
    named = [str(number) for number in numbers[:8]] + (["others"] if len(numbers) > 8 else [])
    if len(named) == 1:
        return f"{word} {named[0]}"
    return f"{word}s {', '.join(named[:-1])} and {named[-1]}"


def _are(rows: Sequence[Row]) -> str:
    return "is" if len(rows) == 1 else "are"


def _was(rows: Sequence[Row]) -> str:
    return "was" if len(rows) == 1 else "were"
