"""Looking ahead: what becomes of lines for later asks, from their owner's own knowledge carried forward."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pbem.core.engine.book import Line
from pbem.core.events import Seat
from pbem.core.foresight import Later, Outlook, outlook_of
from pbem.core.interface import Ask, Json, Label, Playable, Problem
from pbem.core.labels import first_open, has_passed, parts

FARTHEST: Final = 50
"""So many own asks ahead it is worked out what is settled before; further on, all is open."""


class Lookahead:
    """Judges the lines of one seat that are not for the present ask, on its view of the present position.

    Args:
        rules: The rules of the game.
        view: What the owner knows now.
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The owner.
    """

    def __init__(
        self, rules: Playable[Any, Any, Any], view: Any, ask: Ask, asked: Mapping[str, int], seat: Seat
    ) -> None:
        self.rules = rules
        self.view = view
        self.ask = ask
        self.owner, self.first = first_open(ask, asked, seat)
        self.seat = seat
        self._settled: dict[int, Any] = {}
        self._played: Line | None = None
        self._moves: dict[int, tuple[Line, Any]] = {}

    def move(self, line: Line) -> Any:
        """Return the move that a line orders, read once."""
        if id(line) not in self._moves:
            self._moves[id(line)] = line, self.rules.read(line.do)  # a line that is kept keeps its id
        return self._moves[id(line)][1]

    def plays(self, line: Line) -> None:
        """Take note that a line answers the present ask."""
        self._played = line
        label = parts(self.ask.label)
        if label is not None and label.owner == self.owner and not label.word:
            self._settled[label.count] = self.move(line)

    def outlook(self, line: Line, above: Sequence[Line]) -> Outlook:
        """Return what can be known of a line for later.

        Args:
            line: The line.
            above: The lines before it, in the order written, of which each was looked at already.
        """
        found = self._outlook_at(line, line.at)
        if line.at is not None and not line.if_silent:
            self._settle(line, above, found)
        return found

    def _outlook_at(self, line: Line, label: Label | None) -> Outlook:
        later = Later(self.move(line), label, self._before(label), line.when)
        return outlook_of(self.rules, self.view, later)

    def shadow(self, line: Line, above: Sequence[Line]) -> Line | None:
        """Return the line that is played wherever this one could be, so that this one never is."""
        for one in above:
            if line.if_silent < one.if_silent or not self._is_asked_wherever(one, line):
                continue
            if not all(path in line.when and line.when[path] == wanted for path, wanted in one.when.items()):
                continue
            if one.do == line.do or self._outlook_at(one, line.at).is_sure:
                return one
        return None

    def _is_asked_wherever(self, one: Line, line: Line) -> bool:
        """Tell whether a line still stands and is tried at the ask of another one."""
        if one.at is not None:
            return one.at == line.at
        if line.at is None:
            return one.keep and one.until in (None, line.until)
        if one.keep:
            return one.until is None or has_passed(line.at, one.until)
        found = parts(line.at)
        is_next = found is not None and (found.owner, found.count) == (self.owner, self.first)
        return is_next and found is not None and not found.word

    def _before(self, label: Label | None) -> tuple[Any, ...] | None:
        """Return what the owner does at its own asks before a label; None where their number is open."""
        found = parts(label) if label is not None else None
        if found is None or found.owner != self.owner or found.count > self.first + FARTHEST:
            return None
        return tuple(self._settled.get(count) for count in range(self.first, found.count + bool(found.word)))

    def _settle(self, line: Line, above: Sequence[Line], found: Outlook) -> None:
        """Take note of the first line for a later ask: it is what is played there if it is sure.

        What stands before it for any ask may be played there instead, and leaves the ask open.
        """
        label = parts(line.at) if line.at is not None else None
        if label is None or label.owner != self.owner or label.word or label.count in self._settled:
            return
        is_open = any(one.at is None and (one.keep or one is not self._played) for one in above)
        is_sure = found.is_sure and not line.when and not is_open and line.at != self.ask.label
        self._settled[label.count] = self.move(line) if is_sure else None


def by_name(
    never: Sequence[Problem], condition: Mapping[str, Json], names: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield why a line can never be played, with its condition as it is written and its ids as names.

    Args:
        never: The reasons; the place of what is wrong with the condition begins with `CONDITION`.
        condition: The condition.
        names: The names of things by id.
    """
    ids = {word for word in re.findall(r"\w+", str(dict(condition))) if word in names}
    for problem in never:
        path = [next((one for one in condition if one.casefold() == part), part) for part in problem.path]
        text, hint = (
            re.sub(r"\w+", lambda found: names[found[0]] if found[0] in ids else found[0], words)
            for words in (problem.text, problem.hint)
        )
        yield problem._replace(path=tuple(path), text=text, hint=hint)
