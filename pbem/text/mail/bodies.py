"""Parts of a mail to rows of text: decoded, HTML block by block, cleaned of what is invisible."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.text.mail.headers import MAX_LINES, MAX_TEXT, MAX_TEXTS, RefusedMail, decode_text, once
from pbem.text.mail.letter import Letter, Part
from pbem.text.mail.rows import Row, Rows, Spot, flowed_rows, strip_quote_marks
from pbem.text.plaintext import with_plain_spaces

# One pass from left to right: a parser of the standard library looks at unclosed tags again and again.
_TOKEN: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*+)([^<>]*+)>|<[!?][^<>]*+>?|([^<]++)|<")
_SPACES: Final = re.compile(r"[ \t\r\n\f]+")
_LONG_NUMBER: Final = re.compile(r"&#[xX]?[0-9a-fA-F]{9,};?")
_BLOCKS: Final = frozenset(
    [
        "address", "article", "blockquote", "body", "caption", "center", "dd", "div", "dl", "dt", "fieldset",
        "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "ol", "p",
        "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
    ]
)  # fmt: skip
_CELLS: Final = frozenset(["td", "th"])
_EMPTY: Final = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"])
_UNREAD: Final = frozenset(["head", "object", "script", "select", "style", "template", "textarea", "title"])
_STRUCK: Final = frozenset(["del", "s", "strike"])
_HIDDEN: Final = re.compile(
    r"text-decoration(?:-line)?\s*:[^;]*line-through|display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?![.\d]*[1-9])"
    r"|mso-hide\s*:\s*all|opacity\s*:\s*0(?![.\d]*[1-9])"
    r"|(?<![-\w])(?:max-)?height\s*:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_HIDDEN_WORD: Final = re.compile(r"\shidden(?=[\s=/]|$)", re.IGNORECASE)
_KEEPS_SPACES: Final = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_QUOTES: Final = re.compile(
    r"\b(?:yahoo_quoted|divRplyFwdMsg|appendonsend|reply-intro|OLK_SRC_BODY_SECTION)\b"
)
_QUOTED: Final = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_MOST_OPEN: Final = 500
_MOST_READ: Final = 2000


class _PageState:
    """What is open at a place of a page, and the lines before it."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.pieces: list[str] = []
        self.row_hidden = False
        self.row_depth = 0
        self.below = 0
        self.open: list[tuple[str, bool, bool, bool, bool]] = []
        self.counts: dict[str, int] = {}
        self.unread = self.hidden = self.kept = self.quoted = 0
        self.after_space = True
        self.has_bullet = False

    def start(self, tag: str, rest: str) -> None:
        if tag in _BLOCKS:
            self.end_line()
        if tag == "br":
            self.end_line(always=True)
        if tag in _CELLS and self.pieces:
            self.add(" ")
        if _QUOTES.search(rest) and tag != "blockquote":
            self.below += 1
        if tag in _EMPTY or len(self.open) >= _MOST_OPEN or rest.endswith("/"):
            return
        is_kept = tag == "pre" or bool(_KEEPS_SPACES.search(rest))
        is_hidden = tag in _STRUCK or (bool(rest) and _is_hidden(rest))
        flags = (tag in _UNREAD, is_hidden, is_kept, tag == "blockquote")
        self.open.append((tag, *flags))
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.count(flags, 1)
        self.has_bullet = self.has_bullet or tag == "li"

    def end(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.end_line()
        if not self.counts.get(tag):
            return
        while self.open:
            name, *flags = self.open.pop()
            self.counts[name] -= 1
            self.count(tuple(flags), -1)
            if name == tag:
                return

    def count(self, flags: tuple[bool, ...], by: int) -> None:
        unread, hidden, kept, quoted = flags
        self.unread += by * unread
        self.hidden += by * hidden
        self.kept += by * kept
        self.quoted += by * quoted

    def text(self, text: str) -> None:
        if self.unread:
            return
        text = html.unescape(_LONG_NUMBER.sub("\ufffd", text))
        if not self.kept:
            self.add(_SPACES.sub(" ", text))
            return
        first, *lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.add(first)
        for line in lines:
            self.end_line(always=True)
            self.add(line)

    def add(self, text: str) -> None:
        if not self.kept and self.after_space:
            text = text.lstrip(" ")
        if not text:
            return
        if not self.pieces:
            self.row_depth = self.quoted + self.below
            if self.has_bullet and not text.startswith("-"):
                text = f"- {text}"
            self.has_bullet = False
        self.pieces.append(text)
        self.after_space = text.endswith(" ") and not self.kept
        self.row_hidden = self.row_hidden or (self.hidden > 0 and not text.isspace())

    def end_line(self, *, always: bool = False) -> None:
        """End the line if something stands in it, or in any case."""
        if self.pieces or always:
            text = "".join(self.pieces).replace("\n", " ").rstrip(" \t\r")
            depth = self.row_depth if self.pieces else self.quoted + self.below
            self.rows.append(Row(text, depth, (Spot(0, len(self.rows) + 1, 0),), self.row_hidden))
        self.pieces, self.row_hidden, self.after_space = [], False, True


def page_rows(text: str) -> tuple[Row, ...]:
    """Return the lines of a page as a reader sees them.

    Lines are counted as they are shown. Blocks and breaks end a line, white space is one space but for what
    is preformatted; quotes, and everything below the line with which a program begins what it quotes, are
    deeper. What a page hides is kept and marked, so that nobody can order what nobody sees.
    """
    page = _PageState()
    for token in _TOKEN.finditer(_without_comments(text)):
        slash, tag, rest, words = token.groups()
        if words:
            page.text(words)
        elif tag and slash:
            page.end(tag.lower())
        elif tag:
            page.start(tag.lower(), rest[:_MOST_READ])
        elif token.group() == "<":
            page.text("&lt;")
    page.end_line()
    return tuple(page.rows)


def _is_hidden(rest: str) -> bool:
    """Tell whether the attributes of an element say that it is not shown, or that it is struck out."""
    return bool(_HIDDEN.search(rest) or _HIDDEN_WORD.search(_QUOTED.sub("", rest)))


def _without_comments(text: str) -> str:
    """Return a page without its comments; one that is not closed goes on to the end."""
    kept, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        kept.append(text[at:start])
        end = text.find("-->", start + 4)
        at = end + 3 if end >= 0 else len(text)
    return "".join([*kept, text[at:]])


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
def text_of(part: Part) -> Text | RefusedMail:
    """Return the text of a part, or why it is not read.

    A reply may carry the pictures of a report; no person writes a text of that size.
    """
    if part.is_beyond:
        most = f"{MAX_TEXTS // 1024} KiB, or {MAX_LINES} lines"
        return RefusedMail("too-long", f"The texts in it are together longer than {most}.")
    data = part.data
    if len(data) > MAX_TEXT:
        return RefusedMail("too-long", f"A text in it is longer than {MAX_TEXT // 1024} KiB.")
    found = decode_text(data, part.charset)
    if isinstance(found, RefusedMail):
        return found
    text, note = found
    notes = (note,) if note else ()
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if part.content_type == "text/html":
        shown = page_rows(text)
        lines, cleaned = _clean_lines("\n".join(row.text for row in shown))
        made = [row._replace(text=line) for row, line in zip(shown, lines, strict=False)]
        is_marked = any(line.startswith(">") for line in lines)
        rows = Rows.of([strip_quote_marks(row) for row in made] if is_marked else made)
        return Text(tuple(lines), rows, notes, cleaned, is_page=not is_marked)
    lines, cleaned = _clean_lines(text)
    if part.flowed:
        rows = flowed_rows(lines, delsp=part.delsp)
        return Text(tuple(lines), rows, notes, cleaned, part.flowed, part.delsp)
    rows = Rows(lines)
    return Text(tuple(lines), _strip_signature(rows) if _SIGNED in lines else rows, notes, cleaned)


def rows_of(letter: Letter, kind: str) -> Iterator[Rows]:
    """Return the rows of those texts of a mail that are not attached and can be read.

    Args:
        letter: The mail.
        kind: "text/plain" or "text/html".
    """
    shown = (part for part in letter.parts if part.content_type == kind and not part.is_attached)
    return (text.rows for text in map(text_of, shown) if not isinstance(text, RefusedMail))


def _strip_signature(rows: Rows) -> Rows:
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


def _clean_lines(text: str) -> tuple[list[str], frozenset[int]]:
    """Return lines without invisible characters and with plain spaces, and which of them had the former."""
    if text.isascii():
        return text.split("\n"), frozenset()
    beyond_ascii = _non_ascii_characters(text)
    if with_plain_spaces(beyond_ascii) != beyond_ascii:
        text = with_plain_spaces(text)
    lines = text.split("\n")
    if not _INVISIBLE.search(beyond_ascii):
        return lines, frozenset()
    numbers = frozenset(number for number, line in enumerate(lines, 1) if _INVISIBLE.search(line))
    return [_INVISIBLE.sub("", line) for line in lines], numbers


def _non_ascii_characters(text: str) -> str:
    """Return the characters of a text that are not ASCII: few, and much quicker found than searched for."""
    data = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return data.decode("utf-8", "surrogatepass")
