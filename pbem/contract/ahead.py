"""Looking ahead, checked: what is called impossible never comes about, and labels come from the one list."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pbem.contract.subject import Checked, Looks, Subject
from pbem.core.conditions import holds
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.foresight import Later, Outlook, horizon_of, never_holds, outlook_of
from pbem.core.interface import Ask, Json, Label
from pbem.core.labels import first_open, labels_ahead, parts

FAR: Final = 2
"""So many own asks after the next one are looked ahead to."""


@dataclass(slots=True)
class _Guess:
    """An order that was judged for a later ask, and what its judge took for settled."""

    later: Later[Any]
    found: Outlook
    settled: Mapping[Label, Any]
    where: str


@dataclass(slots=True)
class AheadWatch:
    """Judges orders for later asks while a game is played, and compares when the ask comes.

    Attributes:
        subject: The rules.
        result: Where counts and breaches go.
        lines: So many orders are judged for later at each step.
        asked: The highest count asked so far, by owner of the label.
    """

    subject: Subject
    result: Checked
    lines: int = 1
    asked: dict[str, int] = field(default_factory=dict)
    _tried: list[Json] = field(default_factory=list)
    _guesses: dict[tuple[Seat, Label], list[_Guess]] = field(default_factory=dict)
    _listed: dict[Seat, set[Label]] = field(default_factory=dict)

    def watch(self, before: Looks, ask: Ask, moves: Mapping[Seat, Any], dice: Dice, where: str) -> None:
        """Compare what was foreseen of this ask, then look ahead from it.

        Args:
            before: What each seat sees.
            ask: The ask.
            moves: What its seats order.
            dice: Picks what is tried.
            where: The place in breaches.
        """
        self._check_label(ask, where)
        for seat in sorted(ask.seats):
            self._compare(seat, ask, before.view(seat), moves, where)
            self._learn(before.view(seat), dice.apart("ahead", seat))
        for number in range(self.lines):
            own = dice.apart("ahead", str(number))
            seat = own.pick(self.subject.seats, "seat")
            self._look_ahead(seat, before.view(seat), ask, moves, own, where)
            if not number:
                self._check_horizon(before.view(seat), where)
        follow_ups = horizon_of(self.subject.rules).follow_ups or {}
        for one in self.subject.seats:
            listed = labels_ahead(ask, self.asked, one, self.subject.seats, follow_ups)
            self._listed[one] = {*listed}
        found = parts(ask.label)
        if found is not None:
            self.asked[found.owner] = found.count

    def _check_label(self, ask: Ask, where: str) -> None:
        """A seat is asked under labels only that it could have been told of, where rules list follow-ups."""
        if horizon_of(self.subject.rules).follow_ups is None:
            return
        for seat in ask.seats | ask.optional:
            if seat in self._listed and ask.label not in self._listed[seat]:
                self.result.breach(
                    "ask-untold", f"{seat} was not told that it can be asked {ask.label}", where
                )

    def _learn(self, view: Any, dice: Dice) -> None:
        """Keep some of what may be ordered now, to try it for later asks."""
        whole = [*self.subject.rules.choices(view).whole()]
        if whole:
            self._tried.append(dice.pick(whole, "learn"))

    def _look_ahead(
        self, seat: Seat, view: Any, ask: Ask, moves: Mapping[Seat, Any], dice: Dice, where: str
    ) -> None:
        if not self._tried:
            return
        owner, first = first_open(ask, self.asked, seat)
        is_now = ask.label == f"{owner}-{first}"
        count = first + is_now + dice.below(FAR, "count")
        settled = {ask.label: moves[seat]} if is_now and seat in moves else {}
        earlier = tuple(settled.get(Label(f"{owner}-{n}")) for n in range(first, count))
        when = self._condition(view, dice) if dice.below(2, "when") else {}
        order = dice.pick(self._tried, "order")
        label = Label(f"{owner}-{count}")
        later = Later(self.subject.rules.read(order), label, earlier, when)
        found = outlook_of(self.subject.rules, view, later)
        self._guesses.setdefault((seat, label), []).append(_Guess(later, found, settled, where))
        self.result.lines_ahead += 1

    def _condition(self, view: Any, dice: Dice) -> dict[str, Json]:
        """Return a condition that holds now, on a fact of the view that may change."""
        facts = [(path, value) for path, value in _facts(view) if value is not None]
        path, value = dice.pick(facts, "fact")
        return {path: value}

    def _compare(self, seat: Seat, ask: Ask, view: Any, moves: Mapping[Seat, Any], where: str) -> None:
        for guess in self._guesses.pop((seat, ask.label), []):
            problems = self.subject.rules.check(view, guess.later.move)
            fits = holds(guess.later.when, view)
            if guess.found.never:
                self.result.never += 1
                if fits and not problems:
                    self.result.wrongly_never += 1
                    why = guess.found.never[0].text
                    told = f"{guess.later.move} can never be played at {ask.label} ({why}), and it could"
                    self.result.breach("never-wrong", told, f"{guess.where}, {seat}")
            elif not guess.found.is_sure:
                self.result.open += 1
                self.result.in_vain += bool(problems) or not fits
            elif fits:
                self.result.sure += 1
                if problems:
                    self.result.wrongly_sure += 1
                    told = f"{guess.later.move} is legal for certain at {ask.label}: {problems[0].text}"
                    self.result.breach("sure-wrong", told, f"{guess.where}, {seat}")

    def _check_horizon(self, view: Any, where: str) -> None:
        """What stands in a view is never called impossible there."""
        horizon = horizon_of(self.subject.rules, view)
        for path, value in _facts(view):
            if told := never_holds(view, path, value, horizon):
                self.result.breach("horizon-wrong", f"the horizon of the rules is wrong: {told[0]}", where)


def _facts(view: object, path: str = "", deep: int = 3) -> Iterator[tuple[str, Json]]:
    """Yield every single value of a view with its path, to some depth."""
    if dataclasses.is_dataclass(view):
        entries = [(one.name, getattr(view, one.name)) for one in dataclasses.fields(view)]
    elif isinstance(view, Mapping):
        entries = [(str(key), value) for key, value in view.items()]
    else:
        entries = []
    for name, value in entries:
        here = f"{path}.{name}" if path else name
        if isinstance(value, str | int):
            yield here, value
        elif deep > 1 and "." not in name:
            yield from _facts(value, here, deep - 1)
