"""What is wrong with a YAML text, in words for someone who does not know YAML."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

import yaml
from yaml.error import MarkedYAMLError

from pbem.text.plaintext import TextProblem, is_forbidden, name_character, place

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


def missing_space_problem(text: str, index: int, key: str) -> YamlProblem:
    """Return the problem of a key glued to its value, as in `play:N2`.

    Args:
        text: The whole text.
        index: Position of the colon.
        key: What stands before the colon.
    """
    hint = f"Write a space after the colon, as in {key}: value."
    return YamlProblem(
        place(text, index + 1), f'there is no space after the colon of "{shorten_excerpt(key)}"', hint
    )


def alias_problem(text: str, index: int) -> YamlProblem:
    """Return the problem of `*name`."""
    return YamlProblem(place(text, index), 'a "*" here means a reference, which is not allowed', QUOTE_IT)


def anchor_problem(text: str, index: int) -> YamlProblem:
    """Return the problem of `&name`."""
    return YamlProblem(
        place(text, index), 'an "&" here names a value for reuse, which is not allowed', QUOTE_IT
    )


def tag_problem(text: str, index: int) -> YamlProblem:
    """Return the problem of `!name`."""
    return YamlProblem(place(text, index), 'a "!" here means a type tag, which is not allowed', QUOTE_IT)


def directive_problem(text: str, index: int) -> YamlProblem:
    """Return the problem of a line such as `%YAML 1.1`."""
    return YamlProblem(place(text, index), 'a line that begins with "%" is not allowed', "Delete the line.")


def key_problem(text: str, index: int) -> YamlProblem:
    """Return the problem of a key that is a list, a mapping, a block of text or nothing."""
    return YamlProblem(place(text, index), "a key must be a simple word", "Write one word before the colon.")


def block_header_problem(text: str, since: int, index: int) -> YamlProblem:
    """Return the problem of `|` or `>` with more than its own signs after it."""
    wrong = f'nothing else may stand in the line after "{text[since : since + 1]}"'
    return YamlProblem(place(text, index), wrong, f"Start the text on the next line. {QUOTE_IT}")


def escape_problem(text: str, since: int) -> YamlProblem:
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


def shorten_excerpt(text: str) -> str:
    """Return a text cut to what fits into a sentence."""
    return text if len(text) <= 30 else text[:29] + "…"


ONE_COLUMN: Final = (
    "Entries of one list or mapping start in the same column; what belongs to an entry stands deeper."
)


_GLUED: Final = re.compile(r"^[ ]*(?:- +)*([^\s:#'\"\[{]+):(?=\S)")


_NO_BRACKETS: Final = re.compile(
    r"""(?<=[\s\[{,:])(?:"(?:\\.|[^"\\])*"|'[^']*')|(?:^|(?<=\s))\#[^\n]*""", re.MULTILINE
)
"""Quoted texts and comments."""


class _ParseFailure(NamedTuple):
    """Where the parser stood: the text, the position, and where the thing it was reading began."""

    text: str
    at: int
    since: int

    @property
    def found(self) -> str:
        return self.text[self.at : self.at + 1]

    @property
    def opener(self) -> str:
        return self.text[self.since : self.since + 1]

    @property
    def line_start(self) -> int:
        return self.text.rfind("\n", 0, self.at) + 1

    @property
    def before(self) -> str:
        return self.text[self.line_start : self.at]

    def problem(self, index: int, text: str, hint: str) -> YamlProblem:
        return YamlProblem(place(self.text, index), text, hint)


def explain(error: yaml.YAMLError, text: str) -> YamlProblem:
    """Return a parser's error as a problem of the text it read."""
    if not isinstance(error, MarkedYAMLError):
        return _unreadable_problem(_ParseFailure(text, 0, 0))
    marks = [mark.index for mark in (error.problem_mark, error.context_mark) if mark is not None]
    stumble = _ParseFailure(text, marks[0] if marks else 0, marks[-1] if marks else 0)
    said = f"{error.context}; {error.problem}"
    for words, handler in _HANDLERS:
        if any(word in said for word in words):
            return handler(stumble)
    return _unreadable_problem(stumble)


def _unreadable_problem(stumble: _ParseFailure) -> YamlProblem:
    return stumble.problem(
        stumble.at, "this cannot be read", "Compare the line with the form you started from."
    )


def _glued(stumble: _ParseFailure, start: int) -> YamlProblem | None:
    """Return the problem of `key:value` without a space if the line that starts here has it."""
    match = _GLUED.match(stumble.text[start:].split("\n", 1)[0])
    return missing_space_problem(stumble.text, start + match.end() - 1, match[1]) if match else None


def _extra_colon(stumble: _ParseFailure) -> YamlProblem:
    if ":" in stumble.before.lstrip("- "):
        hint = 'Put the whole value in quotes, as in say: "Note: hold".'
        return stumble.problem(stumble.at, "a second colon stands in this line", hint)
    above = stumble.text[: stumble.line_start].rstrip()
    glued = _glued(stumble, above.rfind("\n") + 1)
    if glued:
        return glued
    word = len(stumble.before) - len(stumble.before.lstrip(" "))
    wrong = "this line does not fit the line above, which already has its value"
    return stumble.problem(stumble.line_start + word, wrong, ONE_COLUMN)


def _no_colon_problem(stumble: _ParseFailure) -> YamlProblem:
    start = stumble.text.rfind("\n", 0, stumble.since) + 1
    glued = _glued(stumble, start)
    if glued:
        return glued
    words = shorten_excerpt(stumble.text[stumble.since :].split("\n", 1)[0].rstrip())
    if words.startswith("-"):
        return stumble.problem(
            stumble.since + 1, 'there is no space after the "-"', "Write a space after it."
        )
    hint = "Write a word, a colon and a space before it, or indent it if it belongs to the line above."
    return stumble.problem(stumble.since, f'there is no colon after "{words}"', hint)


def _no_key_problem(stumble: _ParseFailure) -> YamlProblem:
    if stumble.found in ("]", "}"):
        wrong = f'there is no opening bracket for this "{stumble.found}"'
        return stumble.problem(stumble.at, wrong, f"Delete it. {QUOTE_IT}")
    if stumble.found == ":":
        return key_problem(stumble.text, stumble.at)
    if stumble.before.rstrip()[-1:] in ('"', "'"):
        hint = "Put the quotes around the whole value; write '' for a single quote within single quotes."
        return stumble.problem(stumble.at, "the text goes on after its closing quote", hint)
    if stumble.before.rstrip()[-1:] in ("]", "}"):
        return stumble.problem(stumble.at, "the line goes on after the closing bracket", QUOTE_IT)
    if stumble.text.startswith("- ", stumble.at):
        wrong = 'a list entry ("- ") stands where a key is expected'
        return stumble.problem(stumble.at, wrong, ONE_COLUMN)
    return stumble.problem(
        stumble.at, "this line is indented to a column where nothing above it starts", ONE_COLUMN
    )


def _no_dash_problem(stumble: _ParseFailure) -> YamlProblem:
    if stumble.before.strip("- "):
        return _no_key_problem(stumble)
    wrong = 'this line is neither an entry of the list above ("- ") nor part of one'
    return stumble.problem(stumble.at, wrong, ONE_COLUMN)


def _bracket_problem(stumble: _ParseFailure) -> YamlProblem:
    closer = "]" if stumble.opener == "[" else "}"
    runs_on = stumble.found == ":" and "\n" in stumble.text[stumble.since : stumble.at]
    if runs_on or not stumble.text[stumble.at :].strip():
        wrong = f'the "{stumble.opener}" that opens here is never closed'
        so_far = stumble.text[stumble.text.rfind("\n", 0, stumble.since) + 1 : stumble.since + 1]
        if not runs_on and so_far.count("[") > so_far.count("]"):
            wrong += ", and the text ends inside a list: more may have followed"
        return stumble.problem(stumble.since, wrong, f'Close it with "{closer}".')
    opened = place(stumble.text, stumble.since)
    wrong = f'a comma or the "{closer}" is missing before this; its "{stumble.opener}" is at {opened}'
    return stumble.problem(stumble.at, wrong, f"Put a comma between entries. {QUOTE_IT}")


def _open_quote_problem(stumble: _ParseFailure) -> YamlProblem:
    quote = "double" if stumble.opener == '"' else "single"
    return stumble.problem(
        stumble.since, f"this {quote} quote is never closed", "Close it at the end of the text."
    )


def _no_value_problem(stumble: _ParseFailure) -> YamlProblem:
    if stumble.found in (",", "]", "}", ":"):
        return stumble.problem(stumble.at, f'there is nothing before this "{stumble.found}"', QUOTE_IT)
    if re.match(r"---|\.\.\.", stumble.text[stumble.at :]):
        return stumble.problem(stumble.at, "the brackets above this are not closed", "Close every bracket.")
    if stumble.found == "-":
        hint = "Write [a, b], or one entry a line without brackets."
        return stumble.problem(stumble.at, 'a list entry ("- ") cannot stand in brackets', hint)
    if not stumble.found:
        wrong = "the text ends before the brackets are closed; more may have followed"
        opened = _first_unclosed_bracket(stumble.text)
        hint = f": the one at {place(stumble.text, opened)} is open" if opened is not None else ""
        return stumble.problem(stumble.at, wrong, f"Close every bracket{hint}.")
    return _unreadable_problem(stumble)


def _first_unclosed_bracket(text: str) -> int | None:
    """Return where the first bracket opens that nothing closes; those in quotes and comments are none."""
    bare = _NO_BRACKETS.sub(lambda found: " " * len(found[0]), text)
    opened = list[int]()
    for found in re.finditer(r"[\[{\]}]", bare):
        if found[0] in "[{":
            opened.append(found.start())
        elif opened:
            opened.pop()
    return opened[0] if opened else None


def _bad_start_problem(stumble: _ParseFailure) -> YamlProblem:
    return stumble.problem(
        stumble.at, f'a text cannot begin with "{stumble.found}"', "Put the whole text in quotes."
    )


def _list_on_line_problem(stumble: _ParseFailure) -> YamlProblem:
    hint = "Start the list on the next line, or write [a, b]."
    return stumble.problem(stumble.at, 'a list entry ("- ") cannot start here', hint)


def _after_end_problem(stumble: _ParseFailure) -> YamlProblem:
    directive = re.search(r"^%", stumble.text[: stumble.at], re.MULTILINE)
    if directive:
        return directive_problem(stumble.text, directive.start())
    if stumble.found in ("]", "}") or stumble.before.rstrip()[-1:] in ("]", "}", '"', "'"):
        return _no_key_problem(stumble)
    return stumble.problem(stumble.at, "this stands after the end of what was begun above", ONE_COLUMN)


def _missing_space_in_brackets(stumble: _ParseFailure) -> YamlProblem:
    key = re.split(r"[,\[\]{}]", stumble.before)[-1].strip()
    return missing_space_problem(stumble.text, stumble.at, key)


_Handler = Callable[[_ParseFailure], YamlProblem]

# Words of the C parser and of the one in Python; the first row that fits wins.
_HANDLERS: Final[tuple[tuple[tuple[str, ...], _Handler], ...]] = (
    (("directive",), lambda s: directive_problem(s.text, s.since)),
    (("scanning an alias",), lambda s: alias_problem(s.text, s.since)),
    (("scanning an anchor",), lambda s: anchor_problem(s.text, s.since)),
    (("ing a tag", "tag handle"), lambda s: tag_problem(s.text, s.since)),
    (("escape", "hexdecimal"), lambda s: escape_problem(s.text, s.since)),
    (("mapping values are not allowed",), _extra_colon),
    (("mapping keys are not allowed",), lambda s: key_problem(s.text, s.at)),
    (("sequence entries are not allowed",), _list_on_line_problem),
    (("could not find expected ':'",), _no_colon_problem),
    (("parsing a block mapping",), _no_key_problem),
    (("parsing a block collection",), _no_dash_problem),
    (("parsing a flow sequence", "parsing a flow mapping"), _bracket_problem),
    (("quoted scalar",), _open_quote_problem),
    (("cannot start any token",), _bad_start_problem),
    (("scanning a block scalar",), lambda s: block_header_problem(s.text, s.since, s.at)),
    (("node content",), _no_value_problem),
    (("<document start>",), _after_end_problem),
    (("found unexpected ':'",), _missing_space_in_brackets),
)
