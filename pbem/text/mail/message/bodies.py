"""Parts of a mail to texts: decoded, cleaned of what is invisible, and split into rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.text.mail.message.charsets import decoded
from pbem.text.mail.message.letter import Letter, Part
from pbem.text.mail.message.limits import MAX_LINES, MAX_TEXT, MAX_TEXTS, Refused
from pbem.text.mail.message.once import once
from pbem.text.mail.message.pagerows import page_rows
from pbem.text.mail.message.rows import Row, Rows, flowed_rows, marked
from pbem.text.yaml.plaintext import with_plain_spaces

_SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
_END: Final = "-----END PGP SIGNATURE-----"
_INVISIBLE: Final = re.compile("[\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_ASCII: Final = bytes(range(128))
_OF_TEXTS: Final = b"\t\n\f\r\x1a\x1b" + bytes(range(0x20, 0x100))
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Text:
    """A part that is text.

    Attributes:
        lines: Its lines as they stand there; of a page, as they are shown.
        rows: Its lines as they are read.
        notes: What was odd about it, one sentence each.
        cleaned: Numbers of the lines that had invisible characters, which are gone.
        flowed: Its lines go on in the next where they end in a space.
        delsp: That space is none of the text's.
        is_page: It is a page that quotes without marks, and whose lines nobody wraps.
    """

    lines: tuple[str, ...]
    rows: Rows
    notes: tuple[str, ...]
    cleaned: frozenset[int]
    flowed: bool = False
    delsp: bool = False
    is_page: bool = False

    def readings(self) -> Iterator[tuple[Rows, bool]]:
        """Yield its rows, and of a flowed text then what they would be if it were not what it says.

        With them goes whether a mail program may have wrapped them.
        """
        yield self.rows, not (self.is_page or self.flowed)
        if self.flowed:
            lines = list(self.lines)
            yield flowed_rows(lines, delsp=self.delsp, stuffed=False), False
            yield flowed_rows(lines, delsp=False, join=False), True
            yield Rows(lines), True


def is_text(data: bytes) -> bool:
    """Tell whether bytes are a text at all: no control characters but those of lines, or marked as UTF-16.

    So a file of bytes is none whose name says that it is one, such as what a Mac adds beside a file.
    """
    return data.startswith(_WIDE) or not data.translate(None, _OF_TEXTS)


def is_page(data: bytes) -> bool:
    """Tell whether bytes begin as a page does, and orders never do."""
    return data.lstrip().startswith(b"<")


@once
def text_of(part: Part) -> Text | Refused:
    """Return the text of a part, or why it is not read.

    A reply may carry the pictures of a report; no person writes a text of that size.
    """
    if part.is_beyond:
        most = f"{MAX_TEXTS // 1024} KiB, or {MAX_LINES} lines"
        return Refused("too-long", f"The texts in it are together longer than {most}.")
    data = part.data
    if len(data) > MAX_TEXT:
        return Refused("too-long", f"A text in it is longer than {MAX_TEXT // 1024} KiB.")
    found = decoded(data, part.charset)
    if isinstance(found, Refused):
        return found
    text, note = found
    notes = (note,) if note else ()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if part.content_type == "text/html":
        shown = page_rows(text)
        lines, cleaned = _cleaned("\n".join(row.text for row in shown))
        made = [row._replace(text=line) for row, line in zip(shown, lines, strict=False)]
        is_marked = any(line.startswith(">") for line in lines)
        rows = Rows.of([marked(row) for row in made] if is_marked else made)
        return Text(tuple(lines), rows, notes, cleaned, is_page=not is_marked)
    lines, cleaned = _cleaned(text)
    if part.flowed:
        rows = flowed_rows(lines, delsp=part.delsp)
        return Text(tuple(lines), rows, notes, cleaned, part.flowed, part.delsp)
    rows = Rows(lines)
    return Text(tuple(lines), _unsigned(rows) if _SIGNED in lines else rows, notes, cleaned)


def rows_of(letter: Letter, kind: str) -> Iterator[Rows]:
    """Return the rows of those texts of a mail that are not attached and can be read.

    Args:
        letter: The mail.
        kind: "text/plain" or "text/html".
    """
    shown = (part for part in letter.parts if part.content_type == kind and not part.is_attached)
    return (text.rows for text in map(text_of, shown) if not isinstance(text, Refused))


def _unsigned(rows: Rows) -> Rows:
    """Return the rows of a clear-signed text (OpenPGP) without what the signing has added."""
    out: list[Row] = []
    place = "before"
    for row in rows:
        if row.text == _SIGNED:
            place = "head"
        elif place == "head":
            place = "signed" if not row.text.strip() else place
        elif row.text == _SIGNATURE:
            place = "signature"
        elif place == "signed":
            out.append(row.cut(2) if row.text.startswith("- ") else row)
        elif place == "before":
            out.append(row)
        elif row.text == _END:
            place = "before"
    return Rows.of(out)


def _cleaned(text: str) -> tuple[list[str], frozenset[int]]:
    """Return lines without invisible characters and with plain spaces, and which of them had the former."""
    if text.isascii():
        return text.split("\n"), frozenset()
    beyond_ascii = _beyond_ascii(text)
    if with_plain_spaces(beyond_ascii) != beyond_ascii:
        text = with_plain_spaces(text)
    lines = text.split("\n")
    if not _INVISIBLE.search(beyond_ascii):
        return lines, frozenset()
    numbers = frozenset(number for number, line in enumerate(lines, 1) if _INVISIBLE.search(line))
    return [_INVISIBLE.sub("", line) for line in lines], numbers


def _beyond_ascii(text: str) -> str:
    """Return the characters of a text that are not ASCII: few, and much quicker found than searched for."""
    data = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return data.decode("utf-8", "surrogatepass")
