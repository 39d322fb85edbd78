"""Looking ahead: what becomes of lines for later asks, which examples follow, choices of several lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, NamedTuple

from pbem.core.book import (
    Line,
    first_open_count,
    has_passed,
    is_past_end,
    label_after_next,
    next_label,
    parts,
)
from pbem.core.conditions import paths_of
from pbem.core.events import Seat
from pbem.core.foresight import Later, Outlook, horizon_of, outlook_of
from pbem.core.interface import Ask, Draft, Drafting, Json, Label, Playable, Problem
from pbem.core.opening import Opening
from pbem.core.statements import condition_term
from pbem.text.faults import Fault

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
        self.owner, self.first = first_open_count(ask, asked, seat)
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
            self._note_settled_line(line, above, found)
        return found

    def _outlook_at(self, line: Line, label: Label | None) -> Outlook:
        term = self._term(line.when)
        when = paths_of(term)
        beside = {name: wanted for name, wanted in term.items() if name not in when}
        later = Later(self.move(line), label, self._earlier_moves(label), when, beside)
        return outlook_of(self.rules, self.view, later)

    def _term(self, condition: Mapping[str, Json]) -> Mapping[str, Json]:
        return condition_term(self.rules, condition, self.seat)

    def find_shadow(self, line: Line, above: Sequence[Line]) -> Line | None:
        """Return the line that is played wherever this one could be, so that this one never is."""
        term = self._term(line.when)
        for one in above:
            if line.if_silent < one.if_silent or not self._is_asked_wherever(one, line):
                continue
            asked = self._term(one.when)
            if not all(name in term and term[name] == wanted for name, wanted in asked.items()):
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

    def _earlier_moves(self, label: Label | None) -> tuple[Any, ...] | None:
        """Return what the owner does at its own asks before a label; None where their number is open."""
        found = parts(label) if label is not None else None
        if found is None or found.owner != self.owner or found.count > self.first + FARTHEST:
            return None
        return tuple(self._settled.get(count) for count in range(self.first, found.count + bool(found.word)))

    def _note_settled_line(self, line: Line, above: Sequence[Line], found: Outlook) -> None:
        """Take note of the first line for a later ask: it is what is played there if it is sure.

        What stands before it for any ask may be played there instead, and leaves the ask open.
        """
        label = parts(line.at) if line.at is not None else None
        if label is None or label.owner != self.owner or label.word or label.count in self._settled:
            return
        is_open = any(one.at is None and (one.keep or one is not self._played) for one in above)
        is_sure = found.is_sure and not line.when and not is_open and line.at != self.ask.label
        self._settled[label.count] = self.move(line) if is_sure else None


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


class AskContext(NamedTuple):
    """Where the owner of a view stands: what examples for the next ask are judged by.

    Attributes:
        rules: The rules of the game.
        view: What the owner knows.
        ask: Whom the game waits for.
        asked: The highest count asked so far, by owner of the label.
        seat: The owner.
    """

    rules: Opening[Any, Any, Any]
    view: Any
    ask: Ask
    asked: Mapping[str, int]
    seat: Seat

    def label(self, now: Json) -> Label:
        """Return what the owner is asked as next; after an order for now, the time after that."""
        after = label_after_next if now is not None else next_label
        return Label(after(self.ask, self.asked, self.seat))


def is_never_playable(here: AskContext, now: Json, then: Json, when: Mapping[str, Json]) -> bool:
    """Tell whether an order for the next ask can never be played after an order for now.

    Args:
        here: Where its owner stands.
        now: The order for now; None if the owner is not asked.
        then: The order for the next ask.
        when: Its condition.
    """
    ahead = Lookahead(here.rules, here.view, here.ask, here.asked, here.seat)
    if now is not None:
        ahead.plays(Line(1, here.ask.label, {}, False, now))
    at = here.label(now)
    if is_past_end(at, horizon_of(here.rules, here.view).last):
        return True
    return bool(ahead.outlook(Line(2, at, when, False, then), ()).never)


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
