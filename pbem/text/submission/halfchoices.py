"""What goes over several lines of a form, choices and messages: whoever takes one takes all of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final, NamedTuple

from pbem.text.submission.faults import Fault

_FIRST: Final = re.compile(r"(#?)(?:- *|stop_if: *)\{")
_MORE: Final = re.compile(r"(#) {2,}[^\s#].*[,\]}]| *[^#\s].*")
_MAY_BE: Final = re.compile(r"^#?(?:- *|stop_if: *)\{.*[,\[{][ \t\r]*$", re.MULTILINE)
_PRESS: Final = re.compile(r"^press:[ \t]*(?:#.*)?\r?$", re.MULTILINE)
_MESSAGE: Final = re.compile(r"#- *\{ *to:")
_MOST_LINES: Final = 50
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
        return Fault(self.first + other, 1, wrong, hint, kind="half-choice")


def half_choices(text: str) -> list[Fault]:
    """Return a mistake for each choice of a form of which some lines are behind # and others are not.

    A message is such a choice: `press:` stands above it.

    Args:
        text: An orders file, its lines with the # that are still there.
    """
    found = list[Fault]()
    if _MAY_BE.search(text):
        found += [fault for choice in _choices(text.splitlines()) if (fault := choice.fault())]
    if (press := _PRESS.search(text)) is not None:
        found += _message_left(text.count("\n", 0, press.start()), text.split("\n"))
    return found[:20]


def _message_left(press: int, lines: list[str]) -> Iterator[Fault]:
    """Yield a mistake for `press:` in a row if no message stands below it but one behind #."""
    below = list(takewhile(lambda line: not line[:1].isalpha(), lines[press + 1 :]))
    first = next((row for row, line in enumerate(below) if _MESSAGE.match(line)), None)
    if first is None or any(line.strip() and not line.startswith("#") for line in below):
        return
    last, depth = first, _depth(below[first])
    while (
        depth > 0 and last + 1 < min(len(below), first + _MOST_LINES) and re.match("#[^#]", below[last + 1])
    ):
        last += 1
        depth = _depth("\n".join(below[first : last + 1]))
    start, end = press + first + 2, press + last + 2
    where = f"line {start}" if start == end else f"lines {start} to {end}"
    wrong = f"the message below, in {where}, is still behind #"
    hint = f"Take the # away from {where} too, or put it back before `press:`."
    yield Fault(press + 1, 1, wrong, hint, kind="hidden-message")


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
