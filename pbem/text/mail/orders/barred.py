"""Lines behind bars, as our mails show what must not count: copied by a player, or quoted with a yes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from pbem.text.mail.message.bodies import rows_of
from pbem.text.mail.message.letter import Letter
from pbem.text.mail.message.quotes import Depths, introduces
from pbem.text.mail.message.rows import Row, Rows

SUGGESTS: Final = (
    "DID YOU MEAN THIS?",
    "YOU COULD WRITE",
    "YOU COULD WRITE; what nobody can mend is left out",
)
"""Stand above lines that a player seems to have meant; the last of them in mails of earlier versions."""

_BARS: Final = re.compile(r"(?:\s*\|)+ ?")


def copied_lines(letter: Letter) -> tuple[str, ...]:
    """Return the lines behind bars that stand above what a mail quotes, without their bars."""
    return next((lines for rows in _texts(letter) if (lines := tuple(_above_the_quote(rows)))), ())


def suggested_lines(letter: Letter) -> tuple[str, ...]:
    """Return the lines of the newest suggestion that a mail quotes, without their bars."""
    return next((lines for rows in _texts(letter) if (lines := tuple(_below_the_heading(rows)))), ())


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


def _below_the_heading(rows: Rows) -> Iterator[str]:
    is_below = False
    for row in rows:
        bare = _bare(row)
        if is_below and bare is not None:
            yield bare
        elif is_below and row.text.strip():
            return
        is_below = is_below or row.text.strip() in SUGGESTS


def _bare(row: Row) -> str | None:
    """Return a row without its bars; None if it has none."""
    found = _BARS.match(row.text)
    if found is not None:
        return row.whole[found.end() :].rstrip()
    return row.whole.removeprefix(" ").rstrip() if row.is_barred else None
