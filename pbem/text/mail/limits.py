"""What is checked before a mail parser sees a mail; and what is found in a mail once for all who ask."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

MAX_BYTES: Final = 1024 * 1024
MAX_TEXT: Final = 256 * 1024
MAX_TEXTS: Final = 384 * 1024
MAX_LINES: Final = 16_000
MAX_LINE: Final = 1000
"""Letters of a line that patterns read, about as many as a line may have in a mail (RFC 5322, 2.1.1).

What stands behind them is data: press, or a value in orders.
"""
MAX_HEAD: Final = 64 * 1024
MAX_HEADERS: Final = 200
MAX_BOXES: Final = 10
MAX_PARTS: Final = 50
MAX_FIELD: Final = 2000

_MOST_BLANK: Final = 5000
_EMPTY_LINE: Final = re.compile(rb"(?<=[\r\n])\r?\n|(?<=\r)\r")
_BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n|\r\r|\A\r?\n")
_FIELD: Final = re.compile(rb"(?:^|[\r\n])[!-9;-~]+[ \t]*:")
# In the mail in lower case: a search for plain letters is quicker than one for letters of both cases.
_BOUNDARY: Final = re.compile(rb"boundary(?:\*[0-9]*\*?)?\s*=")
_LETTER_INSIDE: Final = re.compile(rb"content-type:\s*message/")
_PART_FIELD: Final = re.compile(
    rb"content-(?:(?<=\A........)|(?<=[\r\n]........))[!-9;-~]+:[^\r\n]*(?:(?:\r\n|\r|\n)[ \t][^\r\n]*)*"
)


@dataclass(frozen=True, slots=True)
class Refused:
    """A mail, or a part of one, that is not read.

    Attributes:
        reason: Why, as a short name for logs and tables.
        text: Why, in words for its sender.
    """

    reason: str
    text: str


def beyond_limits(raw: bytes) -> Refused | None:
    """Say why a mail must not reach a parser, or None.

    The parser of the standard library needs a call for each box in a box, and seconds for thousands of parts
    or a field of thousands of parameters; so they are counted first, by what each of them cannot do without.
    """
    if len(raw) > MAX_BYTES:
        text = f"It is larger than {MAX_BYTES // 1024} KiB. Leave out pictures and earlier mails."
        return Refused("too-big", text)
    blank = _BLANK_LINE.search(raw)
    head = raw[: blank.start()] if blank else raw
    if len(head) > MAX_HEAD:
        return Refused("long-head", f"Its headers are longer than {MAX_HEAD // 1024} KiB.")
    if sum(1 for _ in _FIELD.finditer(head)) > MAX_HEADERS:
        return Refused("many-headers", f"It has more than {MAX_HEADERS} headers.")
    lower = raw.lower()
    if any(len(field) > MAX_FIELD for field in _PART_FIELD.findall(lower)):
        return Refused("long-header", f"A header of one of its parts is longer than {MAX_FIELD} characters.")
    boxes = len(_BOUNDARY.findall(lower)) + len(_LETTER_INSIDE.findall(lower))
    if boxes > 2 * MAX_BOXES:
        return Refused("too-deep", "Its parts hold other parts, too often within each other.")
    if b"delivery-status" in lower and _blank_lines(raw) > _MOST_BLANK:
        return Refused("many-parts", f"It has more than {_MOST_BLANK} empty lines, each of which parts it.")
    if boxes and raw.count(b"\n--") + raw.count(b"\r--") > 10 * MAX_PARTS:
        return Refused("many-parts", f"It has more than {MAX_PARTS} parts.")
    return None


def _blank_lines(raw: bytes) -> int:
    """Return how many lines of a mail are empty: the parser makes a message of what stands between them."""
    return len(_EMPTY_LINE.findall(raw))


def most_lines(data: bytes, *, is_page: bool) -> int:
    """Return how many lines a text can have at most: of a page one for each tag, too."""
    return max(data.count(b"\n"), data.count(b"\r")) + data.count(b"<") * is_page


One = TypeVar("One")
Found = TypeVar("Found")


def once(find: Callable[[One], Found]) -> Callable[[One], Found]:
    """Return a function that looks once at each thing, and forgets what it found together with that thing."""
    known: WeakKeyDictionary[One, Found] = WeakKeyDictionary()

    def found(one: One) -> Found:
        if one not in known:
            known[one] = find(one)
        return known[one]

    return found
