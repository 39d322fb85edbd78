"""What the sender of a mail wrote: its text without what is quoted, forwarded, or a signature."""

from __future__ import annotations

from itertools import chain

from pbem.text.mail.message.bodies import rows_of
from pbem.text.mail.message.letter import Letter
from pbem.text.mail.message.once import once
from pbem.text.mail.message.quotes import Depths, host_lines, introduces
from pbem.text.mail.message.rows import Rows
from pbem.text.mail.orders.keys import SIGNATURE


def own_lines(letter: Letter) -> tuple[str, ...]:
    """Return the lines that the sender of a mail wrote; those of its page if it has no plain text."""
    return _written(letter)[2]


def host_lines_in(letter: Letter) -> tuple[str, ...]:
    """Return the lines of older mails of ours that stand where a mail's sender writes.

    Where there are any, nobody can tell which of the lines above them are its sender's own.
    """
    rows, deep, _ = _written(letter)
    return tuple(rows[number].text.strip() for number in host_lines(rows, deep))


@once
def _written(letter: Letter) -> tuple[Rows, Depths, tuple[str, ...]]:
    """Return the text in which a mail's sender wrote something, and those lines; none if that is nowhere."""
    for kind in ("text/plain", "text/html"):
        rows = Rows.of([*chain.from_iterable(rows_of(letter, kind))])
        deep = Depths(rows)
        lines = _own(rows, deep)
        if any(line.strip() for line in lines):
            return rows, deep, lines
    return (none := Rows([])), Depths(none), ()


def plain_text(letter: Letter) -> bytes:
    """Return the bytes of the first plain text of a mail, as its signature (OpenPGP) covers them."""
    plain = (one for one in letter.parts if one.content_type == "text/plain" and not one.is_attached)
    return next((one.data for one in plain), b"")


def _own(rows: Rows, deep: Depths) -> tuple[str, ...]:
    out: list[str] = []
    passed = 0
    for number, row in enumerate(rows):
        if deep[number]:
            continue
        if SIGNATURE.fullmatch(row.text):
            break
        if number in deep.near:
            passed = max(passed, number + introduces(rows, number))
        if number >= passed and not row.is_hidden:
            out.append(row.whole.rstrip())
    while out and not out[-1].strip():
        out.pop()
    return tuple(out)
