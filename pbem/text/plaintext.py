"""Bytes from anywhere to clean text: UTF-8, one kind of line end, nothing hidden; and a line with a caret."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final, NamedTuple

MAX_BYTES: Final = 64 * 1024

_SPACES: Final = dict.fromkeys([0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
_ODD_SPACE: Final = r"[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]"
_ODD_HYPHEN: Final = r"(?<=\w)[\u2010-\u2015\u2212](?=\w)|(?<=[\s:\[,{])[\u2010-\u2012\u2212](?=[0-9])"
_FORBIDDEN: Final = (
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, and the line ends that only some programs see
    r"\u2028\u2029"
    r"\xad\u200b\u2060-\u2064\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # invisible
    r"\u061c\u200e\u200f\u202a-\u202e\u2065-\u206f"  # turn the direction of reading
    r"\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000f0000-\U0010ffff"  # no meaning of their own
    + "".join(rf"\U{plane:04x}fffe\U{plane:04x}ffff" for plane in range(1, 15))
    + "]"
)
_PLAIN_ASCII: Final = b"\t\n" + bytes(range(0x20, 0x7F))
_CONTROL_NAMES: Final = {
    0x00: "NUL", 0x07: "bell", 0x08: "backspace", 0x0B: "vertical tab", 0x0C: "form feed",
    0x0D: "carriage return", 0x1B: "escape", 0x7F: "delete", 0x85: "next line", 0xFEFF: "byte order mark",
}  # fmt: skip


class Mark(NamedTuple):
    """A place in a text: line and column from 1, the column in characters."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


class TextProblem(Exception):
    """A text that cannot be used.

    Attributes:
        mark: Where, in the clean text.
        text: What was read and what is wrong with it.
        hint: What would do; may be empty.
    """

    def __init__(self, mark: Mark, text: str, hint: str = "") -> None:
        super().__init__(mark, text, hint)
        self.mark = mark
        self.text = text
        self.hint = hint

    def __str__(self) -> str:
        place = f"{self.mark}: {self.text}"
        return f"{place}. {self.hint}" if self.hint else place


def make_printable(text: str) -> str:
    """Return a text that a terminal shows and never obeys: each forbidden character as its code."""
    if _is_plain_ascii(text):
        return text
    return _compile_pattern(_FORBIDDEN).sub(lambda found: ascii(found[0])[1:-1], text)


def clean_text(data: bytes | str, max_bytes: int = MAX_BYTES) -> str:
    """Return the text of a file or mail.

    A byte order mark at the start goes, CR and CRLF become LF, and the spaces of other widths become plain
    ones, one for one, so that columns stay true.

    Raises:
        TextProblem: Too long, not UTF-8, or with a character that `is_forbidden`.
    """
    size = len(data) if isinstance(data, bytes) else _utf8_length(data, max_bytes)
    if size > max_bytes:
        raise TextProblem(
            Mark(1, 1),
            f"this text is too long, more than {max_bytes // 1024} KiB",
            "Leave out pictures, earlier mails and what else is not needed.",
        )
    text = _with_plain_line_ends(_decoded(data) if isinstance(data, bytes) else data)
    if _is_plain_ascii(text):
        return text
    bad = _compile_pattern(_FORBIDDEN).search(text)
    if bad:
        raise _character_problem(text, bad.start())
    return text.translate(_SPACES)


@cache
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled when the first text needs it; most are plain ASCII."""
    return re.compile(pattern)


def _is_plain_ascii(text: str) -> bool:
    return text.isascii() and not text.encode().translate(None, _PLAIN_ASCII)


def is_forbidden(character: str) -> bool:
    """Tell whether a character has no place in any text: it controls, hides, reorders, or has no meaning."""
    return bool(_compile_pattern(_FORBIDDEN).match(character))


def first_forbidden(text: str) -> str:
    """Return the first character that `is_forbidden`, or an empty string."""
    bad = None if _is_plain_ascii(text) else _compile_pattern(_FORBIDDEN).search(text)
    return bad.group() if bad else ""


def with_plain_spaces(text: str) -> str:
    """Return the text with spaces of other widths as plain ones, one for one."""
    return text if text.isascii() else _compile_pattern(_ODD_SPACE).sub(" ", text)


def with_plain_hyphens(text: str) -> str:
    """Return the text with each sign that is meant as a hyphen, in a word or before a number, as one."""
    return text if text.isascii() else _compile_pattern(_ODD_HYPHEN).sub("-", text)


def escape_odd_spaces(text: str) -> str:
    r"""Return the text with each space that `clean` would make plain written as \uXXXX."""
    return (
        text
        if text.isascii()
        else _compile_pattern(_ODD_SPACE).sub(lambda odd: f"\\u{ord(odd.group()):04x}", text)
    )


def name_character(character: str) -> str:
    """Return a character's name and number, such as "right-to-left override (U+202E)"."""
    code = ord(character)
    name = _CONTROL_NAMES.get(code) or unicodedata.name(character, "").lower()
    if not name:
        kinds = {"Cc": "control character", "Co": "private-use character", "Cs": "half of a character"}
        name = kinds.get(unicodedata.category(character), "character without a name")
    return f"{name} (U+{code:04X})"


def place(text: str, index: int) -> Mark:
    """Return the mark of a character by its position from 0; past the end means the end."""
    index = min(index, len(text))
    return Mark(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def _utf8_length(text: str, enough: int) -> int:
    return len(text) if len(text) > enough else len(text.encode("utf-8", "surrogatepass"))


def _with_plain_line_ends(text: str) -> str:
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _decoded(data: bytes) -> str:
    if b"\0" in data:
        before = _with_plain_line_ends(data[: data.index(b"\0")].decode("utf-8", "replace"))
        raise _binary(place(before, len(before)))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = _with_plain_line_ends(data[: error.start].decode("utf-8"))
        raise TextProblem(
            place(before, len(before)),
            f"the byte 0x{data[error.start]:02X} is not UTF-8 text",
            "Save the file with the encoding UTF-8.",
        ) from None


def _binary(mark: Mark) -> TextProblem:
    return TextProblem(mark, "this looks like a binary file", "Send plain text with the encoding UTF-8.")


def _character_problem(text: str, index: int) -> TextProblem:
    if text[index] == "\0":
        return _binary(place(text, index))
    return TextProblem(
        place(text, index),
        f"the {name_character(text[index])} is not allowed, as it may hide or change what others read",
        "Delete this character, which may be invisible.",
    )


SHOWN: Final = 160
"""So many characters of a line of theirs are shown."""


def printable_text(text: str) -> str:
    """Return a line of somebody's text as it can be shown."""
    text = text.replace("\t", " ")
    return "".join(one for one in text if not is_forbidden(one)) if first_forbidden(text) else text


def caret_lines(line: str, column: int) -> tuple[str, str]:
    """Return a line, cut to what is shown, and what stands under it: a caret at a column, from 1."""
    before, after = printable_text(line[: column - 1]), printable_text(line[column - 1 :])
    start = max(0, len(before) - SHOWN // 2)
    return (before[start:] + after)[:SHOWN].rstrip(), " " * (len(before) - start) + "^"
