"""Looking ahead: what becomes of lines for later asks, from their owner's own knowledge carried forward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.book import Line
from pbem.core.events import Seat
from pbem.core.foresight import Later, Outlook, outlook_of
from pbem.core.interface import Ask, Label, Playable
from pbem.core.labels import first_open, parts


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

    def plays(self, line: Line) -> None:
        """Take note that a line answers the present ask."""
        label = parts(self.ask.label)
        if label is not None and label.owner == self.owner and not label.word:
            self._settled[label.count] = self.rules.read(line.do)

    def outlook(self, line: Line, above: Sequence[Line], at: Label | None = None) -> Outlook:
        """Return what can be known of a line for later.

        Args:
            line: The line.
            above: The lines before it, in the order written.
            at: The ask that it is judged for, if that is another than its own.
        """
        label = at or line.at
        before = self._before(label, above)
        return outlook_of(self.rules, self.view, Later(self.rules.read(line.do), label, before, line.when))

    def shadow(self, line: Line, above: Sequence[Line]) -> Line | None:
        """Return the line that is played wherever this one could be, so that this one never is."""
        for one in above:
            if line.if_silent < one.if_silent or not self._is_asked_wherever(one, line):
                continue
            if not all(path in line.when and line.when[path] == wanted for path, wanted in one.when.items()):
                continue
            if one.do == line.do or self.outlook(one, above[: above.index(one)], line.at).is_sure:
                return one
        return None

    def _is_asked_wherever(self, one: Line, line: Line) -> bool:
        """Tell whether a line still stands and is tried at the ask of another one."""
        if one.at is not None:
            return one.at == line.at
        found = parts(line.at) if line.at is not None else None
        is_next = found is not None and (found.owner, found.count) == (self.owner, self.first)
        return one.keep or (is_next and found is not None and not found.word)

    def _before(self, label: Label | None, above: Sequence[Line]) -> tuple[Any, ...] | None:
        """Return what the owner does at its own asks before a label; None where their number is open."""
        found = parts(label) if label is not None else None
        if found is None or found.owner != self.owner:
            return None
        last = found.count + bool(found.word)
        return tuple(self._settled_at(count, above) for count in range(self.first, last))

    def _settled_at(self, count: int, above: Sequence[Line]) -> Any:
        """Return the order at an own ask that is settled; None while it is open.

        It is settled where the first line that may answer has no condition and is legal for certain.
        """
        if count in self._settled:
            return self._settled[count]
        label = Label(f"{self.owner}-{count}")
        if label == self.ask.label:
            return None
        at = [number for number, one in enumerate(above) if one.at in (None, label) and not one.if_silent]
        if not at:
            return None
        one = above[at[0]]
        if one.at is None or one.when or not self.outlook(one, above[: at[0]]).is_sure:
            return None
        return self.rules.read(one.do)
