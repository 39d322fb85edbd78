"""Looking ahead: what becomes of lines for later asks, which examples follow, choices of several lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, NamedTuple

from pbem.core.book import (
    LabelParts,
    Line,
    first_open_count,
    has_passed,
    is_past_end,
    label_after_next,
    next_label,
    parts,
)
from pbem.core.conditions import explain_absence, is_implied_by, is_reserved, paths_of
from pbem.core.events import Seat
from pbem.core.foresight import CONDITION, Later, Outlook, horizon_of, outlook_of
from pbem.core.interface import Ask, Draft, Drafting, Json, Label, Problem
from pbem.core.statements import condition_term
from pbem.text.faults import Fault

FARTHEST: Final = 8
"""At so many own asks ahead it is worked out what becomes of lines; further on, all is open."""


class Chance(NamedTuple):
    """What becomes of a line at one of its asks.

    Attributes:
        label: The ask; None is any ask.
        outlook: What can be known of its order there.
        instead: The line that is played wherever this one could be; None if there is none.
        is_stopped: Whether `stop_if` ends it before it is tried, for certain.
        is_behind: Whether one that is tried before it may be played.
    """

    label: Label | None
    outlook: Outlook
    instead: Line | None
    is_stopped: bool
    is_behind: bool


class AskContext(NamedTuple):
    """Where the owner of a view stands: what its orders are judged by.

    Attributes:
        rules: The rules of the game.
        view: What the owner knows.
        ask: Whom the game waits for.
        asked: The highest count asked so far, by owner of the label.
        seat: The owner.
    """

    rules: Any
    view: Any
    ask: Ask
    asked: Mapping[str, int]
    seat: Seat

    def label(self, now: Json) -> Label:
        """Return what the owner is asked as next; after an order for now, the time after that."""
        after = label_after_next if now is not None else next_label
        return Label(after(self.ask, self.asked, self.seat))


class Lookahead:
    """Follows the lines of one seat from ask to ask as a run will try them, as far as its view tells.

    Args:
        here: Where the owner stands.
        stop_if: What ends all lines if it holds when the owner is asked again.

    Attributes:
        stops: Whether that holds for certain, or certainly not, by label; None where it is open.
    """

    def __init__(self, here: AskContext, stop_if: Mapping[str, Json] = {}) -> None:
        self.seat = here.seat
        self.rules, self.view, self.present = here.rules, here.view, here.ask.label
        self.owner, self.first = first_open_count(here.ask, here.asked, here.seat)
        self.next = self.first + (self.present == f"{self.owner}-{self.first}")
        self.stop = self._term(stop_if)
        self.stops: dict[Label, bool | None] = {}
        self._settled: dict[int, Any] = {}
        self._used: set[int] = set()  # lines for one ask, whichever it is, that may be used up

    def chances(
        self, lines: Sequence[Line], played: Line | None = None, far: int = FARTHEST
    ) -> dict[int, list[Chance]]:
        """Return what becomes of each line at its asks after the present one, by the number of the line.

        Of a line for any ask that is first what is so at each, then what becomes of it at the next own ones.

        Args:
            lines: The lines, in the order written.
            played: The line that answers the present ask, if one does.
            far: At so many own asks ahead those for any ask are looked at; 0 says what is so at each.
        """
        if played is not None and self.next > self.first:
            self._settled[self.first] = self.rules.read(played.do)
        left = [line for line in lines if line.at != self.present and (line.keep or line is not played)]
        left.sort(key=lambda line: line.if_silent)  # those for silence are tried last
        found: dict[int, list[Chance]] = {line.number: [] for line in lines}
        for label in (None, *self._labels(left, far)):
            here = [line for line in left if self._may_stand(line, label)]
            own, tried = self._own(label), list[tuple[Line, Chance]]()
            if label is not None and self.stop and left:
                self.stops[label] = self._stop_at(label, (here or left)[0])
            for line in here:
                term = self._term(line.when)
                is_over = own is not None and any(map(self.stops.get, self._own_labels(own.count)))
                is_stopped = is_over or bool(self.stop and term and is_implied_by(self.stop, term))
                above = [one for one, chance in tried if self._goes_before(one, chance, line, label)]
                is_behind = any(not chance.outlook.never for _, chance in tried)
                found[line.number].append(
                    Chance(label, self._outlook(line, label, term), (*above, None)[0], is_stopped, is_behind)
                )
                tried.append((line, found[line.number][-1]))
            if own is not None and not own.word:
                self._settled[own.count] = self._sure_move(tried)
                self._used |= {line.number for line in here if not line.keep}
        return found

    def _labels(self, lines: Sequence[Line], far: int) -> list[Label]:
        """Return the asks that lines are looked at for, own ones in their order up to the last one named."""
        named = [line.at for line in lines if line.at is not None and not has_passed(line.at, self.present)]
        counts = [own.count for label in named if (own := self._own(label)) is not None]
        last = min(max([self.next + far - 1, *counts]), self.next + FARTHEST - 1)
        every = self._own_labels(min(last, horizon_of(self.rules, self.view).last or last))
        return sorted({*every, *named}, key=lambda label: (len(label), label))

    def _own_labels(self, last: int) -> list[Label]:
        counts = range(self.next, last + 1) if parts(self.present) else ()  # before the deal none is known
        return [Label(f"{self.owner}-{count}") for count in counts]

    def _own(self, label: Label | None) -> LabelParts | None:
        """Return the parts of a label of an own ask, or of a follow-up; None for those of others."""
        found = parts(label or "")
        return found if found is not None and found.owner == self.owner else None

    def _may_stand(self, line: Line, label: Label | None) -> bool:
        """Tell whether a line may be tried at an ask; before asks of others nobody knows what has passed."""
        if line.at is not None or label is None:
            return line.at == label
        return line.until is None or self._own(label) is None or has_passed(label, line.until)

    def _surely_stands(self, one: Line, line: Line, label: Label | None) -> bool:
        """Tell whether a line stands for certain where another one is tried at an ask."""
        if one.at is None and not one.keep:
            return one.number not in self._used and self._own(label) is not None
        last = line.until if label is None else label
        return one.at is not None or one.until is None or (last is not None and has_passed(last, one.until))

    def _goes_before(self, one: Line, chance: Chance, line: Line, label: Label | None) -> bool:
        """Tell whether a line is played wherever another one, tried after it, could be."""
        is_legal = one.do == line.do or chance.outlook.is_sure
        is_wider = self._term(one.when).items() <= self._term(line.when).items()
        return is_legal and is_wider and self._surely_stands(one, line, label)

    def _outlook(self, line: Line, label: Label | None, term: Mapping[str, Json]) -> Outlook:
        when = paths_of(term)
        beside = {name: wanted for name, wanted in term.items() if name not in when}
        own, before = self._own(label), None
        if own is not None and own.count < self.next + FARTHEST:
            before = tuple(map(self._settled.get, range(self.first, own.count + bool(own.word))))
        later = Later(self.rules.read(line.do), label, before, when, beside)
        return outlook_of(self.rules, self.view, later)

    def _stop_at(self, label: Label, line: Line) -> bool | None:
        """Tell whether the stop holds at an ask: it is judged there as the condition of a line is."""

        def is_out(term: Any) -> bool:
            return any(one.path[:1] == CONDITION for one in self._outlook(line, label, term).never)

        def is_sure(name: str, wanted: Json) -> bool:
            is_there = not is_reserved(name) and not explain_absence(self.view, name)
            return is_out(wanted) if name == "not" else is_there and is_out({name: {"not": wanted}})

        return (
            False if is_out(self.stop) else all(map(is_sure, *zip(*self.stop.items(), strict=True))) or None
        )

    def _term(self, condition: Mapping[str, Json]) -> Mapping[str, Json]:
        return condition_term(self.rules, condition, self.seat)

    def _sure_move(self, tried: Sequence[tuple[Line, Chance]]) -> Any:
        """Return the move that is made at an ask for certain; None where that is open."""
        line, chance = next((one for one in tried if not one[1].outlook.never), (None, None))
        if line and chance and chance.outlook.is_sure and not (line.when or line.if_silent):
            return self.rules.read(line.do) if self._surely_stands(line, line, chance.label) else None
        return None


def problems_with_names(
    never: Sequence[Problem],
    condition: Mapping[str, Json],
    names: Mapping[str, str],
    written: Mapping[str, str],
) -> Iterator[Problem]:
    """Yield why a line can never be played, with its condition as it is written and its ids as names.

    Args:
        never: The reasons; the place of what is wrong with the condition begins with `CONDITION`.
        condition: The condition.
        names: The names of things by id.
        written: Under which name of the condition each path stands that it comes to.
    """
    ids = {word for word in re.findall(r"\w+", str(dict(condition))) if word in names}
    for problem in never:
        path = [written.get(str(part).casefold(), part) for part in problem.path]
        text, hint = (
            re.sub(r"\w+", lambda found: names[found[0]] if found[0] in ids else found[0], words)
            for words in (problem.text, problem.hint)
        )
        yield problem._replace(path=tuple(path), text=text, hint=hint)


def is_never_playable(here: AskContext, now: Json, then: Json, when: Mapping[str, Json]) -> bool:
    """Tell whether an order for the next ask can never be played after an order for now.

    Args:
        here: Where its owner stands.
        now: The order for now; None if the owner is not asked.
        then: The order for the next ask.
        when: Its condition.
    """
    ahead = Lookahead(here)
    at = here.label(now)
    if is_past_end(at, horizon_of(here.rules, here.view).last):
        return True
    played = None if now is None else Line(1, here.ask.label, {}, False, now)
    return any(one.outlook.never for one in ahead.chances([Line(2, at, when, False, then)], played, 0)[2])


def followed(here: AskContext, draft: Draft, now: Json) -> Draft:
    """Return a draft with an order for now that may be another one, and one for the next ask that fits it.

    Its condition supposes the draft's own order for now, so what has one is left out behind another order. Of
    rules that draft nothing themselves, the order for the next ask is another one than that for now if there
    is one.

    Args:
        here: Where the owner of the draft stands.
        draft: The draft.
        now: The order for now; None if the owner is not asked.
    """
    found = draft._replace(now=now)
    if draft.then is None or (draft.when and now not in (None, draft.now)):
        return found._replace(then=None, when={})
    is_own = isinstance(here.rules.rules, Drafting)
    listed = [draft.then] if is_own or draft.now is None else [draft.then, draft.now]
    listed.sort(key=lambda one: not is_own and one == now)
    fit = (one for one in listed if not is_never_playable(here, now, one, draft.when))
    then = next(fit, None)
    return found._replace(then=then, when={} if then is None else draft.when)


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


def find_half_choices(text: str) -> list[Fault]:
    """Return a mistake for each choice of a form of which some lines are behind # and others are not.

    A message is such a choice: `press:` stands above it.

    Args:
        text: An orders file, its lines with the # that are still there.
    """
    found = list[Fault]()
    if _MAY_BE.search(text):
        found += [fault for choice in _choices(text.splitlines()) if (fault := choice.fault())]
    if (press := _PRESS.search(text)) is not None:
        found += _missing_message_faults(text.count("\n", 0, press.start()), text.split("\n"))
    return found[:20]


def _missing_message_faults(press: int, lines: list[str]) -> Iterator[Fault]:
    """Yield a mistake for `press:` in a row if no message stands below it but one behind #."""
    below = list(takewhile(lambda line: not line[:1].isalpha(), lines[press + 1 :]))
    first = next((row for row, line in enumerate(below) if _MESSAGE.match(line)), None)
    if first is None or any(line.strip() and not line.startswith("#") for line in below):
        return
    last, depth = first, _bracket_depth(below[first])
    while (
        depth > 0 and last + 1 < min(len(below), first + _MOST_LINES) and re.match("#[^#]", below[last + 1])
    ):
        last += 1
        depth = _bracket_depth("\n".join(below[first : last + 1]))
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
        marked, depth = [bool(found[1])], _bracket_depth(line)
        for more in lines[start + 1 :]:
            part = _MORE.fullmatch(more.rstrip()) if depth > 0 else None
            if part is None:
                break
            marked.append(bool(part[1]))
            depth += _bracket_depth(more)
        if depth == 0:
            yield _Choice(start + 1, tuple(marked))


def _bracket_depth(line: str) -> int:
    signs = [sign for sign in _BRACKET.findall(line) if len(sign) == 1]
    return sum(1 if sign in "[{" else -1 for sign in signs)
