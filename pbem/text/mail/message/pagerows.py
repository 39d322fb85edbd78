"""HTML to rows of text: block by block, with the depth of quotes, and with what is hidden known as such."""

from __future__ import annotations

import html
import re
from typing import Final

from pbem.text.mail.message.rows import Row, Spot

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


class _Page:
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
    page = _Page()
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
