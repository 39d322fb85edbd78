"""A line of somebody's text as it can be shown, with a caret under a place in it."""

from __future__ import annotations

from typing import Final

from pbem.text.yaml.plaintext import first_forbidden, is_forbidden

SHOWN: Final = 160
"""So many characters of a line of theirs are shown."""


def visible(text: str) -> str:
    """Return a line of somebody's text as it can be shown."""
    text = text.replace("\t", " ")
    return "".join(one for one in text if not is_forbidden(one)) if first_forbidden(text) else text


def with_caret(line: str, column: int) -> tuple[str, str]:
    """Return a line, cut to what is shown, and what stands under it: a caret at a column, from 1."""
    before, after = visible(line[: column - 1]), visible(line[column - 1 :])
    start = max(0, len(before) - SHOWN // 2)
    return (before[start:] + after)[:SHOWN].rstrip(), " " * (len(before) - start) + "^"
