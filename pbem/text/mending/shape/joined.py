"""Fields in one line, as mail programs join them: `- at: red-1 do: {play: N2}`, `do: {} play: N2`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from pbem.text.mail.orders.keys import BULLETS, OF_ORDERS
from pbem.text.mending.shape.drafts import shortened

_ABOVE: Final = ("game", "seat", "key", "orders")
_KEY: Final = re.compile(
    rf"(?:^|(?<=[\s,;]))(-[ \t]+)?({'|'.join((*_ABOVE, *OF_ORDERS))})[ \t]*:(?=[ \t{{]|$)"
)
_QUOTED: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")
_LUCK: Final = re.compile(r"(?:^|[\s{,])luck[ \t]*:[ \t]+(?![\"'\[{|>])", re.IGNORECASE)
_EMPTY: Final = re.compile(r"^([ \t]*(?:- +)*do[ \t]*:[ \t]*)\{[ \t]*\}[ \t]*([^\s#].*)$", re.IGNORECASE)


def apart(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Fields of a line of orders that stand in one line: `- at: red-1, do: {play: N2}`, a line each."""
    found = list(_fields(line))
    if len(found) < 2:
        return None
    base = line[: len(line) - len(line.lstrip())]
    out, item, has = list[str](), "", set[str]()
    ends = [one.start() for one in found[1:]] + [len(line)]
    for one, end in zip(found, ends, strict=True):
        dash, key, value = one[1], one[2], line[one.end() : end].strip(" \t,;")
        if dash or key in _ABOVE:
            has = set()
            item = "  " if dash else ""
        if key in has:
            return None
        has.add(key)
        start = "- " if dash else item
        out.append(f"{base}{start}{key}:{' ' if value else ''}{value}")
    return "\n".join(out), "Fields that stood in one line were put into lines of their own"


def _fields(line: str) -> Iterator[re.Match[str]]:
    """Yield where the fields of a line begin that stand in no braces, and in no words of a player."""
    if not _KEY.match(line.lstrip()):
        return
    covered = _QUOTED.sub(lambda found: "x" * len(found.group()), line)
    last = ""
    for found in _KEY.finditer(covered):
        before = covered[: found.start()]
        is_inside = any(before.count(one) > before.count(other) for one, other in ("{}", "[]"))
        is_in_do = last == "do" and not found[1] and "}" not in before[before.rfind("do") :]
        if not (is_inside or is_in_do):
            last = found[2]
            yield found


def with_commas(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """Fields behind luck words that nothing parts from them: `{luck: red shoes target: 280}`."""
    found = _LUCK.search(line)
    others = "|".join(sorted((re.escape(word) for word in words if word != "luck"), key=len, reverse=True))
    if found is None or not others:
        return None
    behind = line[found.end() :]
    parted = re.sub(rf"(?<=\S)(?:\s*[;{BULLETS}])?\s+(?=(?:{others})\s*:(?:\s|$))", ", ", behind)
    parted = parted.replace(",, ", ", ")
    return f"{line[: found.end()]}{parted}", "A comma was put before each field that stood behind luck words"


def within(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """What stands behind the empty braces of a form belongs between them: `do: {} play: N2`."""
    found = _EMPTY.match(line)
    if found is None:
        return None
    inner = found[2].strip()
    braced = inner if inner.startswith("{") else f"{{{inner}}}"
    return f"{found[1]}{braced}", f"`{shortened(inner)}` was put between the braces"
