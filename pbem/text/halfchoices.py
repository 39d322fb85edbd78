"""Choices of a form that go over several lines: whoever takes one takes all of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pbem.text.faults import Fault

_FIRST: Final = re.compile(r"(#?)(?:- *|stop_if: *)\{")
_MORE: Final = re.compile(r"(#) {2,}[^\s#].*[,\]}]| *[^#\s].*")
_MAY_BE: Final = re.compile(r"^#?(?:- *|stop_if: *)\{.*[,\[{][ \t\r]*$", re.MULTILINE)
_BRACKET: Final = re.compile(r'"(?:\\.|[^"\\])*"|[\[{\]}]')


class _Choice(NamedTuple):
    """The lines of a choice, from 1, and which of them are comments."""

    first: int
    marked: tuple[bool, ...]

    def fault(self) -> Fault | None:
        """Return what is wrong if only some of the lines are comments."""
        other = next((n for n, mark in enumerate(self.marked) if mark != self.marked[0]), None)
        if other is None:
            return None
        last = self.first + len(self.marked) - 1
        is_left = self.marked[other]
        wrong = (
            f"this line is still behind #, and the choice that begins in line {self.first} goes on here"
            if is_left
            else f"this line belongs to the choice that begins in line {self.first}, still behind #"
        )
        hint = f"Take the # away from all of lines {self.first} to {last}, or from none."
        return Fault(self.first + other, 1, wrong, hint)


def half_choices(text: str) -> list[Fault]:
    """Return a mistake for each choice of a form of which some lines are behind # and others are not.

    Args:
        text: An orders file, its lines with the # that are still there.
    """
    if not _MAY_BE.search(text):
        return []
    return [fault for choice in _choices(text.splitlines()) if (fault := choice.fault())][:20]


def _choices(lines: list[str]) -> Iterator[_Choice]:
    """Yield what begins as forms write choices, and is closed by lines that all could be parts of one."""
    for start, line in enumerate(lines):
        found = _FIRST.match(line)
        if found is None:
            continue
        marked, depth = [bool(found[1])], _depth(line)
        for more in lines[start + 1 :]:
            part = _MORE.fullmatch(more.rstrip()) if depth > 0 else None
            if part is None:
                break
            marked.append(bool(part[1]))
            depth += _depth(more)
        if depth == 0:
            yield _Choice(start + 1, tuple(marked))


def _depth(line: str) -> int:
    signs = [sign for sign in _BRACKET.findall(line) if len(sign) == 1]
    return sum(1 if sign in "[{" else -1 for sign in signs)
