"""What the sender of a mail wrote: its text without what is quoted, forwarded, or a signature."""

from __future__ import annotations

from itertools import chain

from pbem.text.mail.bodies import rows_of
from pbem.text.mail.keys import SIGNATURE
from pbem.text.mail.letter import Letter
from pbem.text.mail.quotes import Depths, begins_quote, introduces
from pbem.text.mail.rows import Rows


def own_lines(letter: Letter) -> tuple[str, ...]:
    """Return the lines that the sender of a mail wrote; those of its page if it has no plain text."""
    for kind in ("text/plain", "text/html"):
        lines = _own(Rows.of([*chain.from_iterable(rows_of(letter, kind))]))
        if any(line.strip() for line in lines):
            return lines
    return ()


def plain_text(letter: Letter) -> bytes:
    """Return the bytes of the first plain text of a mail, as its signature (OpenPGP) covers them."""
    plain = (one for one in letter.parts if one.content_type == "text/plain" and not one.is_attached)
    return next((one.data for one in plain), b"")


def _own(rows: Rows) -> tuple[str, ...]:
    out: list[str] = []
    deep = Depths(rows)
    passed = 0
    for number, row in enumerate(rows):
        if deep[number]:
            continue
        if SIGNATURE.fullmatch(row.text):
            break
        passed = max(passed, number + introduces(rows, number))
        if number >= passed and not row.is_hidden and not begins_quote(rows, number):
            out.append(row.text.rstrip())
    while out and not out[-1].strip():
        out.pop()
    return tuple(out)
