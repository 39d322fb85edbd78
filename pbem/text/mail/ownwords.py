"""What the sender of a mail wrote: its text without what is quoted, forwarded, or a signature."""

from __future__ import annotations

import re
from typing import Final

from pbem.text.mail.bodies import text_of
from pbem.text.mail.letter import Letter
from pbem.text.mail.limits import Refused
from pbem.text.mail.quotes import begins_quote, depths
from pbem.text.mail.rows import Row

_SIGNATURE: Final = re.compile(r"--[ \xa0]?")


def own_lines(letter: Letter) -> tuple[str, ...]:
    """Return the lines that the sender of a mail wrote; those of its page if it has no plain text."""
    for kind in ("text/plain", "text/html"):
        rows: list[Row] = []
        for part in letter.parts:
            if part.content_type == kind and not part.is_attached:
                text = text_of(part)
                rows += () if isinstance(text, Refused) else text.rows
        lines = _own(rows)
        if any(line.strip() for line in lines):
            return lines
    return ()


def _own(rows: list[Row]) -> tuple[str, ...]:
    out: list[str] = []
    for number, (row, depth) in enumerate(zip(rows, depths(rows), strict=True)):
        if _SIGNATURE.fullmatch(row.text) and not row.depth:
            break
        if depth == 0 and not row.is_hidden and not begins_quote(rows, number):
            out.append(row.text)
    while out and not out[-1].strip():
        out.pop()
    return tuple(out)
