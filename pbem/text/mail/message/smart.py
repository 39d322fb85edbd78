"""Characters that mail programs change by themselves: bullets, dashes, quotation marks, capitals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.text.mail.message.rows import Row
from pbem.text.mail.orders.keys import ANY_KEY, BULLETS, LINE
from pbem.text.yaml.plaintext import with_plain_hyphens

_ITEM: Final = re.compile(
    rf"( *)(?:[{BULLETS}]|[0-9]{{1,2}}[.)])\s+(?=\{{|(?:{'|'.join(LINE)})\s*:)|( *)[–—•·]\s+(?=\w)",
    re.IGNORECASE,
)
_CURLY: Final = re.compile(
    r"(?P<before>[:\[{,-]\s*)(?:[“”„«](?P<double>[^“”„«»\"\\]*)[“”»]|[‘’‚](?P<single>[^‘’‚']*)[‘’])"
    r"(?=\s*(?:[,\]}:]|#|$))"
)
_WORDS: Final = re.compile(r"\s*(?:- +)*(?:\{.*)?\b(?:say|luck)\s*:")
_SAID: Final = re.compile(
    r"(\b(?:say|luck)\s*:\s*)[“”„«»‘’‚‹›\"]([^\x00]{0,8000}?)[“”«»‘’‹›\"]"
    r"(?=\s*(?:\}|,\s*(?:to|anonymous|luck|\w+)\s*:|\n *(?:- |[a-z_]+\s*:)|\s*\Z))",
    re.IGNORECASE,
)
_CURLED: Final = re.compile("[“”„«»‘’‚‹›]")
_COMMENT: Final = re.compile(r"\s*#")


def put_right(rows: Sequence[Row], *, words: bool) -> tuple[Row, ...]:
    """Return lines with bullets, dashes, quotation marks and capitals as YAML has them.

    Args:
        rows: The lines.
        words: Quotation marks around what is said too, where they may be meant.
    """
    out = tuple(row._replace(text=text) if (text := _one(row.text)) != row.text else row for row in rows)
    is_said = words and any(_CURLED.search(row.text) for row in out)
    return _said(out) if is_said and not any(row.rest for row in out) else out


def _one(text: str) -> str:
    if _COMMENT.match(text):
        return text
    if _ITEM.match(text):
        text = _ITEM.sub(lambda found: f"{found[1] or found[2] or ''}- ", text, count=1)
    if not text.isascii() and not _WORDS.match(text):
        text = with_plain_hyphens(_CURLY.sub(_straight, text))
    found = ANY_KEY.match(text)
    return text[: found.start(2)] + found[2].lower() + text[found.end(2) :] if found else text


def _straight(found: re.Match[str]) -> str:
    if found["double"] is not None:
        return f'{found["before"]}"{found["double"]}"'
    return f"{found['before']}'{found['single']}'"


def _said(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return lines with straight marks around what curly ones stand around, over several lines too."""
    text = "\n".join(row.text for row in rows)
    changed = _SAID.sub(_quoted, text)
    lines = changed.split("\n")
    return tuple(
        row if row.text == line else row._replace(text=line) for row, line in zip(rows, lines, strict=True)
    )


def _quoted(found: re.Match[str]) -> str:
    if not _CURLED.search(found.group()):
        return found.group()
    inner = found[2].replace("\\", "\\\\").replace('"', '\\"')
    return f'{found[1]}"{inner}"'
