"""What a command prints, and what a page says without its markup."""

from __future__ import annotations

import contextlib
import io
from html.parser import HTMLParser
from typing import Final

from pbem.cli import run_command
from tests.behaviour.evenings import without_secrets

_UNREAD: Final = frozenset({"script", "style", "svg", "id"})
_INLINE: Final = frozenset(
    {"a", "abbr", "b", "code", "em", "i", "kbd", "q", "small", "span", "strong", "sub", "sup", "time", "wbr"}
)
_CELLS: Final = frozenset({"td", "th"})
_TOLD: Final = ("title", "placeholder", "aria-label", "alt")
"""Attributes that are read by people."""


def said(*words: str) -> str:
    """Return what a command prints, without secrets, and with which code it ends if that is not 0."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        code = run_command([*words])
    return f"{without_secrets(out.getvalue())}{f'(exit {code}){chr(10)}' if code else ''}"


def not_known(text: str, known: set[str], end: str) -> str:
    """Return the parts of a text that did not stand in one before, and note them.

    Args:
        text: The text.
        known: The parts that have stood; those of this text are added.
        end: What each part ends with.
    """
    parts = dict.fromkeys(one for one in text.rstrip("\n").split(end) if one not in known)
    known.update(parts)
    return "".join(f"{one}{end}" for one in parts)


def words_of(page: str) -> str:
    """Return what a page of HTML or a feed says: a line for each paragraph and row, and no pictures."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.found).split("\n"))
    return "".join(f"{line.removesuffix(' |')}\n" for line in lines if line)


class _Reader(HTMLParser):
    """Collects words, with an end of line where an element begins or ends that stands by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.unread = self.lined = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unread += tag in _UNREAD
        self.lined += tag == "pre"
        if not self.unread:
            told = [f"[{value}] " for name, value in attrs if name in _TOLD and value]
            self.found += ["" if tag in _INLINE | _CELLS else "\n", *told]

    def handle_endtag(self, tag: str) -> None:
        if not self.unread and tag not in _INLINE:
            self.found.append(" | " if tag in _CELLS else "\n")
        self.unread -= tag in _UNREAD
        self.lined -= tag == "pre"

    def handle_data(self, data: str) -> None:
        if not self.unread:
            self.found.append(data if self.lined else " ".join(data.splitlines()))
