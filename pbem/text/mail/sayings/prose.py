"""The sentences of a mail that may say orders, without what people write around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from pbem.text.mail.sayings.plainwords import is_closing, signing_lines, words_of

_GREETING: Final = re.compile(
    r"\s*(?:hi|hello|hey|dear|hallo|hei|moi|good (?:morning|day|afternoon|evening))\b"
    r"(?:[ ,]+(?:there|all|(?-i:[A-Z])[^\W\d_]+)){0,3}\s*(?:[,.!:]+(?=\s|$)|\n|$)",
    re.IGNORECASE,
)
_INTENT: Final = re.compile(
    r"\b(?:i(?:['’]d| would) like(?: to have| to)?|i(?:['’]ll| will) have"
    r"|i(?:['’]ll|['’]d| will| would| want to| want| wish to| choose to| choose| pick)?"
    r"|i(?:['’]m| am)(?: going to|(?= \w+ing\b))|let me"
    r"|(?:here (?:is|are) )?my (?:move|order|turn)s?(?: is| are|(?= ?:)))\b(?!['’])",
    re.IGNORECASE,
)
"""Words with which somebody begins to say what they do."""

_POLITE: Final = re.compile(
    r"(?<![ ,])[ ,]+(?:many thanks|thanks|thank you|thx|cheers)(?=\s*[.!]*\s*$)", re.IGNORECASE
)
_THANKS: Final = frozenset(
    [
        "a", "advance", "again", "all", "cheers", "everybody", "everyone", "for", "game", "good", "greetings",
        "hello", "hi", "in", "lot", "luck", "many", "much", "nice", "report", "thank", "thanks", "the", "thx",
        "to", "very", "you",
    ]
)  # fmt: skip
"""Words of sentences that say nothing of orders."""

_ASKING: Final = frozenset(
    [
        "a", "an", "as", "can", "clear", "correct", "correctly", "did", "do", "does", "done", "enough",
        "how", "i", "is", "it", "like", "my", "now", "ok", "okay", "one", "order", "orders", "please",
        "read", "right", "said", "say", "send", "so", "that", "the", "them", "these", "they", "this", "to",
        "understand", "valid", "way", "work", "works", "write", "written", "you",
    ]
)  # fmt: skip
"""Words of questions about how orders are written, and not about which ones are meant."""

_PIECE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LETTERS: Final = re.compile(r"[^\W\d_]|\s|[,.!?]")


def saying_lines(lines: Sequence[str], name: str, is_named: Callable[[str], bool]) -> list[str]:
    """Return what of a mail may say orders: no greeting, thanks or name, and no question how to write them.

    A piece that names something of an order is never taken away.

    Args:
        lines: What a player wrote.
        name: The player's name.
        is_named: Tells whether a piece names a field, a thing or a number of orders.
    """
    written = [*words_of(lines)]
    count = signing_lines(written, name) or next((one for one in (3, 2, 1) if _closes(written, one, name)), 0)
    tail = written[len(written) - count :]
    if not is_named("\n".join(tail)):
        written = written[: len(written) - count]
    text = "\n".join(written)
    if (greeting := _GREETING.match(text)) and not is_named(greeting[0]):
        text = text[greeting.end() :]
    return [_INTENT.sub(" ", _POLITE.sub("", one)) for one in _pieces(text, is_named)]


def _closes(lines: Sequence[str], count: int, name: str) -> bool:
    """Tell whether the last lines are the player's own name, or "Kind regards" with a name below it."""
    if len(lines) <= count:
        return False
    first, *below = lines[len(lines) - count :]
    own, words = _WORD.findall(name.casefold()), _WORD.findall(first.casefold())
    if not below:
        return bool(own) and words in (own, own[:1])
    is_a_name = all(word[0].isupper() for word in _WORD.findall(" ".join(below)))
    return bool(words) and is_a_name and is_closing([first, "x y"]) and is_closing([first, *below])


def _pieces(text: str, is_named: Callable[[str], bool]) -> Iterator[str]:
    for piece in _PIECE.split(text):
        words = frozenset(_WORD.findall(piece.casefold()))
        is_plain = bool(words) and not _LETTERS.sub("", piece) and not is_named(piece)
        is_aside = words <= _ASKING if piece.rstrip().endswith("?") else words <= _THANKS
        if not (is_plain and is_aside):
            yield piece
