"""The problems of YAML that is well formed, or nearly, and not allowed here."""

from __future__ import annotations

import re
from typing import Final

from pbem.text.yaml.plaintext import TextProblem, is_forbidden, name_character, place

QUOTE_IT: Final = "If it is part of a text, put the whole text in quotes."

_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0abvfreNLP])|[tn_/\"\\ \n])|\\"
)
_SHORT_ESCAPES: Final = {
    "0": "\0", "a": "\a", "b": "\b", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    "N": "\x85", "L": "\u2028", "P": "\u2029",
}  # fmt: skip


class YamlProblem(TextProblem):
    """A text that is not YAML of the strict kind.

    Attributes:
        again: The key that stands there a second time, and the line of the first, from 1; None otherwise.
    """

    again: tuple[str, int] | None = None


def missing_space(text: str, index: int, key: str) -> YamlProblem:
    """Return the problem of a key glued to its value, as in `play:N2`.

    Args:
        text: The whole text.
        index: Position of the colon.
        key: What stands before the colon.
    """
    hint = f"Write a space after the colon, as in {key}: value."
    return YamlProblem(place(text, index + 1), f'there is no space after the colon of "{short(key)}"', hint)


def refused_alias(text: str, index: int) -> YamlProblem:
    """Return the problem of `*name`."""
    return YamlProblem(place(text, index), 'a "*" here means a reference, which is not allowed', QUOTE_IT)


def refused_anchor(text: str, index: int) -> YamlProblem:
    """Return the problem of `&name`."""
    return YamlProblem(
        place(text, index), 'an "&" here names a value for reuse, which is not allowed', QUOTE_IT
    )


def refused_tag(text: str, index: int) -> YamlProblem:
    """Return the problem of `!name`."""
    return YamlProblem(place(text, index), 'a "!" here means a type tag, which is not allowed', QUOTE_IT)


def refused_directive(text: str, index: int) -> YamlProblem:
    """Return the problem of a line such as `%YAML 1.1`."""
    return YamlProblem(place(text, index), 'a line that begins with "%" is not allowed', "Delete the line.")


def refused_key(text: str, index: int) -> YamlProblem:
    """Return the problem of a key that is a list, a mapping, a block of text or nothing."""
    return YamlProblem(place(text, index), "a key must be a simple word", "Write one word before the colon.")


def refused_header(text: str, since: int, index: int) -> YamlProblem:
    """Return the problem of `|` or `>` with more than its own signs after it."""
    wrong = f'nothing else may stand in the line after "{text[since : since + 1]}"'
    return YamlProblem(place(text, index), wrong, f"Start the text on the next line. {QUOTE_IT}")


def refused_escape(text: str, since: int) -> YamlProblem:
    """Return the problem of the first escape in a double-quoted text that means no allowed character.

    Args:
        text: The whole text.
        since: Position of the opening quote.
    """
    for match in _ESCAPE.finditer(text, since):
        digits = match[1] or match[2] or match[3]
        code = int(digits, 16) if digits else ord(_SHORT_ESCAPES.get(match[4] or "", " "))
        written = text[match.start() : match.start() + 2] if match.group() == "\\" else match.group()
        if match.group() == "\\" or code > 0x10FFFF:
            hint = r"Write \\ for one backslash, or use single quotes."
            return YamlProblem(
                place(text, match.start()), f'"{written.strip()}" means nothing in double quotes', hint
            )
        if is_forbidden(chr(code)):
            wrong = f'"{written}" stands for the {name_character(chr(code))}, which is not allowed'
            return YamlProblem(
                place(text, match.start()), wrong, r"Leave it out, or write \\ for one backslash."
            )
    return YamlProblem(place(text, since), "this text in double quotes cannot be read", QUOTE_IT)


def short(text: str) -> str:
    """Return a text cut to what fits into a sentence."""
    return text if len(text) <= 30 else text[:29] + "…"
