"""Braces over several lines without commas, `do: {`, `play: S3`, `}`; and those that nothing closes."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from pbem.text.mending.shape.drafts import Draft
from pbem.text.yaml.strictyaml import YamlProblem

_OPENS: Final = re.compile(r"^([ \t]*(?:- +)*)([A-Za-z_]\w*[ \t]*:)[ \t]*\{[ \t]*([^{}#]*?)[ \t]*(?:#.*)?$")
_CLOSES: Final = re.compile(r"^[ \t]*+((?:.*?[^ \t])??)[ \t]*+\}[ \t]*(?:#[^{}]*)?$")
_FIELD: Final = re.compile(r"^[ \t]*[A-Za-z_]\w*[ \t]*:(?:[ \t]|$)")
_COMMENT: Final = re.compile(r"\s+#.*$")
_MOST: Final = 40


def without_braces(draft: Draft, problem: YamlProblem) -> Draft | None:
    """Return the text with one such pair of braces left out, so that reading comes further; None otherwise.

    Args:
        draft: The text.
        problem: What reading it stumbled over: between the braces, or at the second one.
    """
    lines = draft.text.split("\n")
    last = min(problem.mark.line, len(lines)) - 1
    for first in range(last, max(-1, last - _MOST), -1):
        opening = _OPENS.match(lines[first])
        if opening is None:
            continue
        end = _end(lines, first)
        closing = None if end is None else _CLOSES.match(lines[end])
        if end is None or closing is None:
            return None
        inner = [opening[3], *lines[first + 1 : end], closing[1]]
        fields = [one for one in inner if one.strip() and not one.lstrip().startswith("#")]
        if len(fields) < 2 or not all(_FIELD.match(one) for one in fields):
            return None
        return _laid_out(draft, lines, (first, end), (opening, closing), problem)
    return None


def closed(line: str, words: Collection[str]) -> tuple[str, str] | None:
    """A bracket at the end of a line that was not closed, or closed once too often."""
    bare = _COMMENT.sub("", line)
    if '"' in bare or "'" in bare:
        return None
    stack: list[str] = []
    for sign in bare:
        if sign in "[{":
            stack.append("]" if sign == "[" else "}")
        elif sign in "]}":
            if not stack or stack[-1] != sign:
                if not stack and bare.rstrip().endswith(sign):
                    return bare.rstrip()[:-1] + line[len(bare) :], f"One `{sign}` too many was left out"
                return None
            stack.pop()
    if not stack:
        return None
    end = "".join(reversed(stack))
    return bare.rstrip() + end + line[len(bare) :], f"`{end}` was added at the end"


def breaks_off(line: str, closed: str) -> bool:
    """Tell whether a last line, closed now, broke off in a list: more may have followed."""
    return closed.startswith(line.rstrip()) and "]" in closed[len(line.rstrip()) :]


def closed_at_end(draft: Draft, problem: YamlProblem) -> Draft | None:
    """Return a text that breaks off in a list with its last line closed: what it may say, to be asked about.

    Args:
        draft: The text.
        problem: What reading it stumbled over.
    """
    rows = draft.text.split("\n")
    written = [n for n, row in enumerate(rows) if row.strip() and not row.lstrip().startswith("#")]
    if not written:
        return None
    row = rows[written[-1]].rstrip(" \t,")
    found = closed(row, ())
    if found is None or not breaks_off(row, found[0]):
        return None
    tried = draft.with_lines({written[-1]: found[0]}, "")
    return tried if tried.reads_further(problem) else None


def _end(lines: list[str], first: int) -> int | None:
    """Return the number of the line in which the brace is closed that a line opens."""
    depth = 1
    for number in range(first + 1, min(len(lines), first + _MOST)):
        depth += lines[number].count("{") - lines[number].count("}")
        if depth <= 0:
            return number
    return None


def _laid_out(
    draft: Draft,
    lines: list[str],
    ends: tuple[int, int],
    braces: tuple[re.Match[str], re.Match[str]],
    problem: YamlProblem,
) -> Draft | None:
    (first, end), (opening, closing) = ends, braces
    deeper = " " * (len(opening[1]) + 2)
    between = [one for one in lines[first + 1 : end] if one.strip()]
    least = min((len(one) - len(one.lstrip()) for one in between), default=0)
    head = f"{opening[1]}{opening[2]}" + (f"\n{deeper}{_bare(opening[3])}" if opening[3] else "")
    new = [head, *(deeper + _bare(one[least:]) if one.strip() else one for one in lines[first + 1 : end])]
    new.append(deeper + _bare(closing[1]) if closing[1] else "")
    laid_out = dict(zip(range(first, end + 1), new, strict=True))
    tried = draft.with_lines(laid_out, "The fields between the braces were read as a line each")
    return tried if tried.reads_further(problem) else None


def _bare(line: str) -> str:
    """Return a line without a comma at its end, which only braces need."""
    return re.sub(r"[ \t]*,[ \t]*$", "", line)
