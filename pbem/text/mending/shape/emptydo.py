"""The empty `do` of a form that was left above what its player wrote, such as the example without its `#`."""

from __future__ import annotations

import re
from typing import Final

from pbem.text.mending.shape.drafts import Draft
from pbem.text.yaml.strictyaml import YamlProblem

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
    if problem.again is not None and problem.again[0] == "do":
        empty = [n for n in (problem.again[1] - 1, at) if n < len(lines) and _EMPTY.match(lines[n])]
        return draft.with_lines({empty[0]: ""}, _LEFT_OUT) if empty else None
    above = next((n for n in range(min(at, len(lines)) - 1, -1, -1) if _says(lines[n])), None)
    if above is None or at >= len(lines) or not (empty_do := _EMPTY.match(lines[above])):
        return None
    deeper = _indent(lines[at]) - _indent(lines[above])
    if deeper <= 0 or not _FIELD.match(lines[at]):
        return None
    from pbem.text.mending.shape.described import fields_of_menu  # little stands below an empty do

    if _DO.match(lines[at]):
        end = next((n for n in range(at + 1, len(lines)) if _ends(lines[n], lines[at])), len(lines))
        moved = {n: lines[n][deeper:] for n in range(at, end) if _says(lines[n])}
        tried = draft.with_lines({above: "", **moved}, _LEFT_OUT)
    elif (menu := fields_of_menu(lines[at])) is not None:
        fields, note = menu
        tried = draft.with_lines({above: f"{empty_do[1]} {{{fields}}}", at: ""}, note)
    else:
        tried = draft.with_lines({above: empty_do[1]}, _FILLED)
    return tried if tried.reads_further(problem) else None


def _says(line: str) -> bool:
    """Tell whether a line is neither empty nor help of the form."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _ends(line: str, first: str) -> bool:
    """Tell whether a line belongs no more to the block that another line begins."""
    return _says(line) and _indent(line) <= _indent(first)
