"""A line of a mail that was meant as `orders:`, and is not written so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pbem.core.wording import like
from pbem.text.mail.message.bodies import text_of
from pbem.text.mail.message.letter import Letter, read_letter
from pbem.text.mail.message.limits import MAX_LINE, Refused
from pbem.text.mail.message.ownwords import own_lines
from pbem.text.mail.orders.keys import BULLET, OF_ORDERS

_HEAD: Final = re.compile(r"\s*(?!orders\s*:)([A-Za-z]{4,8})\s*[:;=.,]?\s*", re.IGNORECASE)
_KEYS: Final = "|".join(OF_ORDERS)
_BELOW: Final = re.compile(
    rf"[^\S\n]*(?:(?:{BULLET}\s*\{{?|\{{)\s*(?:{_KEYS})\b|(?:{_KEYS})\s*:|at\s+\S+\n\s*(?:{_KEYS})\s*:)",
    re.IGNORECASE,
)
"""What shows that orders stand there: a bullet, a brace or a colon at their words, or below "at red-1"."""
_ALIKE: Final = 0.75
_PLAIN: Final = b"Content-Type: text/plain; charset=utf-8\n\n"


@dataclass(frozen=True, slots=True)
class NearHead:
    """A line that was meant as `orders:`.

    Attributes:
        line: Its number in the text of the mail.
        text: What stands there.
        letter: The text of the mail with `orders:` in its place; its lines have the same numbers.
    """

    line: int
    text: str
    letter: Letter


def near_head(letter: Letter) -> NearHead | None:
    """Return the line of a plain text that was meant as `orders:`, with what orders have below it."""
    own = set(own_lines(letter))
    for part in letter.parts:
        if part.content_type != "text/plain" or part.is_attached:
            continue
        text = text_of(part)
        lines = [] if isinstance(text, Refused) else [line.rstrip()[:MAX_LINE] for line in text.lines]
        for number, line in enumerate(lines, 1):
            below = "\n".join(lines[number : number + 2])
            if line in own and _is_near(line) and _BELOW.match(below):
                mended = "\n".join([*lines[: number - 1], "orders:", *lines[number:]])
                anew = read_letter(_PLAIN + mended.encode("utf-8", "replace"))
                return NearHead(number, line.strip(), anew) if isinstance(anew, Letter) else None
    return None


def _is_near(line: str) -> bool:
    word = _HEAD.fullmatch(line)
    return word is not None and word[1][0] in "oO" and bool(like(word[1], ("orders",), _ALIKE))
