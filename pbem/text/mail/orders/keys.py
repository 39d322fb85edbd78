"""Words that orders are made of, as they stand at the start of a line: in the envelope, and in the rules."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

TOP: Final = ("game", "seat", "key", "orders", "stop_if", "press", "partial", "wait", "detail")
MAIN: Final = frozenset(["orders", "stop_if", "press"])
OF_ORDERS: Final = ("at", "when", "keep", "until", "if_silent", "do")
OF_PRESS: Final = ("to", "say", "anonymous")
LINE: Final = (*OF_ORDERS, *OF_PRESS)

_YES_OR_NO: Final = r"(?=\s*:\s*(?:true|false|yes|no|on|off)\b)"  # for somebody may write "Wait: ..."
_MESSAGES: Final = r"messages(?=\s*:[ \t]*(?:[\[{#\n]|$))"  # for somebody may write "Messages: ..."
_LENGTH: Final = r"(?=\s*:\s*(?:short|full)\b)"  # for somebody may write "Detail: ..."
_ONLY: Final = {"wait": _YES_OR_NO, "detail": _LENGTH}
_KEYS: Final = "|".join([*(key + _ONLY.get(key, "") for key in TOP), _MESSAGES])
MEANT: Final = {"messages": "press"}
"""Another word that many write for one of them."""
BULLETS: Final = "–—•·●○▪‣◦⁃*§"
BULLET: Final = rf"(?:[-{BULLETS}]|[0-9]{{1,2}}[.)])"

TOP_KEY: Final = re.compile(rf"({_KEYS})\s*:", re.IGNORECASE)
START: Final = re.compile(rf" {{0,4}}(?:#\s*pbem form\s|(?:{_KEYS})\s*:)", re.IGNORECASE)
LINE_KEY: Final = re.compile(rf"(?:{'|'.join(LINE)})\s*:(?:\s|$)", re.IGNORECASE)
ANY_KEY: Final = re.compile(rf"( *(?:- +)*(?:\{{ *)?)({'|'.join((*TOP, *LINE))})(?=\s*:)", re.IGNORECASE)
WORD: Final = re.compile(r"[\w']+\s*:(?:\s|$)")
ITEM: Final = re.compile(rf"{BULLET}(?:\s|$)")
BARE_DO: Final = re.compile(rf"(?:{BULLET}\s+)?do\s*:\s*(?:#.*)?$", re.IGNORECASE)
OPENS: Final = re.compile(r":\s*(?:$|[\[{#|>~-]|[\"']?none[\"']?\s*(?:#|$))", re.IGNORECASE)
NONE: Final = re.compile(r"orders\s*:\s*[\"']?none[\"']?\s*(?:#.*)?$", re.IGNORECASE)
"""The row that withdraws everything."""
STRAY: Final = re.compile(
    rf" *(?:do\s*:\s*(?:\{{|$)|{BULLET} +(?:{'|'.join((*OF_ORDERS, 'to'))})\s*:"
    rf"|{BULLET} +\{{ *(?:{'|'.join((*OF_ORDERS, 'to'))})\b)",
    re.IGNORECASE,
)
NAMES_READERS: Final = re.compile(r"to\s*:\s*[^\s@|>\[{][^@]{0,79}$", re.IGNORECASE)
"""The line that opens press in a mail, and stands in no orders: those have it further right, or in a list."""
SIGNATURE: Final = re.compile(r"--[ \xa0]?")
"""The line above a signature."""
FORM: Final = re.compile(
    r"\s*(?:#.*|(?:- +)?(?:game|seat|key|at)\s*:.*|(?:- +)?(?:orders|do)\s*:\s*(?:\{\s*\})?\s*(?:#.*)?)?"
)
"""A line of a form that nobody has filled in."""
MAY_COUNT: Final = re.compile(
    rf"\n[ >|]*+(?=[#m{''.join(sorted({key[0] for key in TOP}))}{BULLETS}0-9d-])"
    rf"(?=#\s*pbem form\s|(?:{_KEYS})\s*:|[-{BULLETS}] |[0-9]{{1,2}}[.)] |do\s*:)",
    re.IGNORECASE,
)
"""Finds in a whole text each line that `START` or `STRAY` may match, and some more."""


@lru_cache(maxsize=64)
def of_rules(words: frozenset[str]) -> re.Pattern[str] | None:
    """Return what finds in a whole text each line that begins with a key of the rules, if there are any.

    A mark of a list may stand before the key.
    """
    if not words:
        return None
    named = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    return re.compile(rf"\n[ >|]*+(?=(?:{BULLET} +)?(?:{named})\s*:(?:\s|$))", re.IGNORECASE)


def is_key(text: str, words: Collection[str]) -> bool:
    """Tell whether a row looks like a part of orders: an item, or a key of the envelope or of the rules."""
    bare = text.lstrip()
    if ITEM.match(bare) or ANY_KEY.match(text):
        return True
    word = bare.partition(":")
    return bool(word[1]) and word[0].strip().lower() in words
