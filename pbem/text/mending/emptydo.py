"""The empty `do` of a form that was left above what its player wrote, such as the example without its `#`."""

from __future__ import annotations

import re
from typing import Final

from pbem.text.mending.drafts import Draft, Edit
from pbem.text.strictyaml import YamlProblem, parse

_TWICE: Final = re.compile(r'the key "do" is already in line (\d+)')
_EMPTY: Final = re.compile(r"^( +do:)[ \t]*\{[ \t]*\}[ \t]*(?:#.*)?$")
_DO: Final = re.compile(r"^ +do:(?: |$)")
_FIELD: Final = re.compile(r"^ +[A-Za-z_]\w*:(?: |$)")
_LEFT_OUT: Final = "The empty `do` of the form was left out"
_FILLED: Final = "The empty braces of the form were left out"


def without_empty_do(draft: Draft, problem: YamlProblem) -> Draft | None:
    """Return the text without the empty `do` that stands above another, or above fields; None if none does.

    Args:
        draft: The text.
        problem: What reading it stumbled over: the second `do`, or a line that is deeper than the first.
    """
    lines = draft.text.split("\n")
    at = problem.mark.line - 1
    if twice := _TWICE.match(problem.text):
        empty = [n for n in (int(twice[1]) - 1, at) if n < len(lines) and _EMPTY.match(lines[n])]
        return _edited(draft, lines, {empty[0]: ""}, _LEFT_OUT) if empty else None
    above = next((n for n in range(min(at, len(lines)) - 1, -1, -1) if _says(lines[n])), None)
    if above is None or at >= len(lines) or not (empty_do := _EMPTY.match(lines[above])):
        return None
    deeper = _indent(lines[at]) - _indent(lines[above])
    if deeper <= 0 or not _FIELD.match(lines[at]):
        return None
    if _DO.match(lines[at]):
        end = next((n for n in range(at + 1, len(lines)) if _ends(lines[n], lines[at])), len(lines))
        moved = {n: lines[n][deeper:] for n in range(at, end) if _says(lines[n])}
        tried = _edited(draft, lines, {above: "", **moved}, _LEFT_OUT)
    else:
        tried = _edited(draft, lines, {above: empty_do[1]}, _FILLED)
    try:
        parse(tried.text)
    except YamlProblem as after:
        return tried if after.mark.line > problem.mark.line else None
    return tried


def _says(line: str) -> bool:
    """Tell whether a line is neither empty nor help of the form."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _ends(line: str, first: str) -> bool:
    """Tell whether a line belongs no more to the block that another line begins."""
    return _says(line) and _indent(line) <= _indent(first)


def _edited(draft: Draft, lines: list[str], new: dict[int, str], note: str) -> Draft:
    """Return the text with some lines changed; what is told of it is told once."""
    edits: list[Edit] = []
    start = 0
    for number, line in enumerate(lines):
        if number in new:
            edits.append(Edit(start, start + len(line), new[number], "" if edits else note))
        start += len(line) + 1
    return draft.edited(edits)
