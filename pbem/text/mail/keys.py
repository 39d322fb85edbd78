"""Words at the start of a line that orders are made of, and the first line of an orders form."""

from __future__ import annotations

import base64
import hmac
import json
import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Final, NamedTuple

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


_CODE_LENGTH: Final = 10
_MARKER: Final = re.compile(
    r"#\s*pbem form\s+(?P<game>[a-z0-9][a-z0-9-]{0,20})\s+(?P<seat>[^\s/]{1,40})\s+(?P<label>[^\s/]{1,80})"
    rf"(?:\s+(?P<code>[a-z2-7]{{{_CODE_LENGTH}}}))?\s*"
)


class Marker(NamedTuple):
    """What a marker line says.

    Attributes:
        game: The id of the game.
        seat: Whose form it is.
        label: The ask that it answers.
        code: What proves it; "" if the line has none.
    """

    game: str
    seat: str
    label: str
    code: str


def marker(game: str, seat: str, label: str, secret: bytes) -> str:
    """Return the marker line of a form, such as `# pbem form web-1 7 turn-3 k3v9qq7t2m`.

    Args:
        game: The id of the game.
        seat: Whose form it is.
        label: The ask that it answers.
        secret: What only the host knows of this game.
    """
    return f"# pbem form {game} {seat} {label} {_code(game, seat, label, secret)}"


def find(line: str) -> Marker | None:
    """Return what a line says if it is a marker line, quoted or not."""
    found = _MARKER.fullmatch(line.lstrip("> |\t").rstrip())
    return Marker(found["game"], found["seat"], found["label"], found["code"] or "") if found else None


def accepts(game: str, seat: str, labels: Collection[str], secret: bytes) -> Callable[[str], bool]:
    """Return what tells whether a line is the marker of a seat's own form for one of these asks."""

    def is_ours(line: str) -> bool:
        said = find(line)
        if said is None or (said.game, said.seat) != (game, seat) or said.label not in labels:
            return False
        return hmac.compare_digest(said.code, _code(game, seat, said.label, secret))

    return is_ours


def _code(game: str, seat: str, label: str, secret: bytes) -> str:
    text = json.dumps(["form", game, seat, label]).encode()
    digest = hmac.digest(secret, text, "sha256")
    return base64.b32encode(digest).decode().lower()[:_CODE_LENGTH]
