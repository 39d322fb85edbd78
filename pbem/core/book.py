"""The book of pending lines: the label each is for, which line answers an ask, what becomes of the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from pbem.core.events import Audience, Event, Seat, event_kind, only
from pbem.core.interface import Ask, Json, Label, Playable, Problem
from pbem.core.statements import is_met

START = Label("start")

OPEN = Label("open")
"""The ask of a game with sealed luck words between its start forms and its deal."""

BEFORE_DEAL = (START, OPEN)

TOGETHER = "turn"
"""Whose count the labels have where all are asked at once."""

LONGEST_LABEL = 80
"""So many letters a label has at most: the first line of a form holds no longer one."""

_SHAPE = re.compile(r"([a-z0-9_]+)-([1-9][0-9]{0,5})(?:\.([a-z_]+))?")


@dataclass(frozen=True, slots=True)
class LabelParts:
    """A label taken apart: whose count it is ("red", "turn"), the count from 1, and a follow-up's word."""

    owner: str
    count: int
    word: str


def parts(label: str) -> LabelParts | None:
    """Return the parts of a label, or None if the text is no label with a count."""
    found = _SHAPE.fullmatch(label)
    return LabelParts(found[1], int(found[2]), found[3] or "") if found else None


def has_passed(label: str, answered: str) -> bool:
    """Tell whether an ask can no longer come once the ask `answered` was answered or skipped."""
    if label == answered:
        return True
    if answered in BEFORE_DEAL:
        return label == START
    if label in BEFORE_DEAL:
        return True
    mine, other = parts(label), parts(answered)
    if mine is None or other is None or mine.owner != other.owner:
        return False
    return mine.count < other.count or (mine.count == other.count and mine.word == "" and other.word != "")


def is_past_end(label: str, last: int | None) -> bool:
    """Tell whether a label counts further than a game goes; `last` is the greatest count, if there is one."""
    found = parts(label)
    return found is not None and last is not None and found.count > last


def next_label(ask: Ask, asked: Mapping[str, int], seat: Seat) -> Label:
    """Return the label under which a seat is asked now or, if another seat is, will be asked next.

    While seals are opened nobody can tell yet under which label the others are asked: it is "".

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
    """
    if seat in ask.seats | ask.optional:
        return ask.label
    if ask.label == OPEN:
        return Label("")
    owner = _owner(ask, seat)
    return Label(f"{owner}-{asked.get(owner, 0) + 1}")


def label_after_next(ask: Ask, asked: Mapping[str, int], seat: Seat) -> str:
    """Return the label of the ask of a seat after `next_label`, follow-ups left out; "" before the deal.

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
    """
    return label_ahead(ask, asked, seat, 1)


def label_ahead(ask: Ask, asked: Mapping[str, int], seat: Seat, more: int, end: int | None = None) -> str:
    """Return the label of an own ask of a seat that comes later, follow-ups left out; "" before the deal.

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
        more: So many asks after `next_label`, from 1.
        end: The greatest count that a label can have, if there is one: it is of that then.
    """
    if ask.label in BEFORE_DEAL:
        return ""
    owner, found = _owner(ask, seat), parts(next_label(ask, asked, seat))
    last = found.count if found is not None and found.owner == owner else asked.get(owner, 0)
    return f"{owner}-{last + more if end is None else min(last + more, end)}"


def first_open_count(ask: Ask, asked: Mapping[str, int], seat: Seat) -> tuple[str, int]:
    """Return whose count labels of a seat have, and the first count whose ask is not answered yet.

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
    """
    owner = _owner(ask, seat)
    return owner, asked.get(owner, 0) + 1


def labels_ahead(
    ask: Ask,
    asked: Mapping[str, int],
    seat: Seat,
    seats: Collection[Seat],
    follow_ups: Mapping[str, str],
    *,
    own: int = 2,
) -> tuple[Label, ...]:
    """Return every label under which a seat can be asked soon, follow-ups too: now and next first.

    Args:
        ask: The present ask.
        asked: The highest count asked so far, by owner of the label.
        seat: The seat.
        seats: All seats of the game.
        follow_ups: The words of follow-up asks, and whether the "owner" of the count is asked or "others".
        own: So many own asks are listed.
    """
    if ask.label in BEFORE_DEAL:
        return (ask.label,) if seat in ask.seats else ()
    owner, first = first_open_count(ask, asked, seat)
    found = [ask.label] if seat in ask.seats | ask.optional else []
    current, mine = parts(ask.label), [word for word, whom in follow_ups.items() if whom == "owner"]
    if current is not None and current.owner == owner and current.word:
        found += [Label(f"{owner}-{current.count}.{word}") for word in mine]
    for count in range(first, first + own):
        found.append(Label(f"{owner}-{count}"))
        found += [Label(f"{owner}-{count}.{word}") for word in mine]
    others = [one for one in seats if one != seat] if owner == seat else []
    for one in others:
        is_open = current is not None and current.owner == one and current.word
        count = asked.get(one, 0) + (not is_open)
        words = [word for word, whom in follow_ups.items() if whom == "others"]
        found += [Label(f"{one}-{count}.{word}") for word in words]
    return tuple(
        label for label in dict.fromkeys(found) if label == ask.label or not has_passed(label, ask.label)
    )


def _owner(ask: Ask, seat: Seat) -> str:
    """Return whose count labels of a seat have: its own, or that of the turns."""
    found = parts(ask.label)
    return TOGETHER if found is not None and found.owner == TOGETHER else seat


S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")


class Line(NamedTuple):
    """One line of orders.

    Attributes:
        number: Its place in the submission, from 1.
        at: The ask it is for; None is "whenever I am asked".
        when: What must hold on the owner's view, all of it.
        keep: A standing order: it stays after it was used.
        do: The order itself, in the rules' own words.
        if_silent: It counts only if the deadline passes and nothing else has answered.
        until: The last ask that a standing order is for; None for one that stays until other orders come.
    """

    number: int
    at: Label | None
    when: Mapping[str, Json]
    keep: bool
    do: Json
    if_silent: bool = False
    until: Label | None = None

    def is_over_after(self, answered: Label) -> bool:
        """Tell whether the last ask that the line is for has passed once this one was answered."""
        last = self.at if self.at is not None else self.until
        return last is not None and has_passed(last, answered)


class Press(NamedTuple):
    """A message to other seats.

    Attributes:
        to: Its readers; the moderator may be among them.
        say: What they will read.
        anonymous: They do not learn whose it is.
    """

    to: Audience
    say: str
    anonymous: bool


class Orders(NamedTuple):
    """What a seat has lodged: its newest submission, or what a turn left over of it.

    Attributes:
        lines: The lines, in the order written.
        stop_if: Facts of the owner's view that end playing on.
        press: Messages that go out with the turn that takes the submission.
        fresh: No turn has taken it yet.
        receipt: The number that `pbem submit` gave it; 0 for a file placed by hand.
        wait: The lines count at the deadline of an ask and not before, even if all others have answered.
        detail: How long the seat wants its reports: `full`, or `short`; "" for as before, and short at first.
    """

    lines: tuple[Line, ...] = ()
    stop_if: Mapping[str, Json] = {}
    press: tuple[Press, ...] = ()
    fresh: bool = False
    receipt: int = 0
    wait: bool = False
    detail: str = ""

    def renewed(self, renew: Callable[[Json], Json]) -> Orders:
        """Return the same with the order of each line made anew; start forms stay as they are."""
        lines = [line if line.at == START else line._replace(do=renew(line.do)) for line in self.lines]
        return self._replace(lines=tuple(lines))

    def remaining_orders(self) -> Orders:
        """Return what stays for later turns: the press is out, and without lines there is nothing to stop."""
        return self._replace(stop_if=self.stop_if if self.lines else {}, press=(), fresh=False)


def merge_orders(standing: Orders, sent: Orders, *, keep: bool) -> Orders:
    """Return what a seat has lodged when new orders came: those, or with `keep` its lines and new press."""
    detail = sent.detail or standing.detail
    if keep:
        return standing._replace(press=(*standing.press, *sent.press), detail=detail)
    return sent._replace(detail=detail) if detail else sent


@event_kind
class OrderFired(Event):
    """A line of orders made a move."""

    seat: Seat
    label: Label
    order: int
    do: Json


@event_kind
class OrderLapsed(Event):
    """A line of orders is over without having been used."""

    seat: Seat
    order: int
    do: Json
    why: str


@event_kind
class OrderWaited(Event):
    """A standing order fitted but was not legal; it stays."""

    seat: Seat
    label: Label
    order: int
    do: Json
    why: str


@event_kind
class PlayingStopped(Event):
    """What the seat named under `stop_if` holds: its lines are over."""

    seat: Seat
    label: Label
    condition: Mapping[str, Json]
    orders: tuple[int, ...]


class Consultation(NamedTuple, Generic[M]):
    """What a seat's lines say to one ask.

    Attributes:
        line: The line that fires, or None.
        move: Its typed move.
        orders: The orders without the lines that lapsed.
        events: What the owner must be told.
    """

    line: Line | None
    move: M | None
    orders: Orders
    events: tuple[Event, ...] = ()


def find_answering_line(
    rules: Playable[S, V, M],
    view: V,
    seat: Seat,
    label: Label,
    orders: Orders,
    *,
    may_stop: bool,
    due: bool = False,
) -> Consultation[M]:
    """Find the first line that fits this ask and is legal on the owner's view.

    Args:
        rules: The rules of the game.
        view: The seat's view when it is asked.
        seat: The owner of the orders.
        label: The ask.
        orders: What the seat has lodged.
        may_stop: Whether `stop_if` counts: not for the ask that was open when fresh orders were sent.
        due: The deadline of this ask has passed, so that lines for silence count.
    """
    if may_stop and orders.stop_if and orders.lines and is_met(rules, orders.stop_if, view, seat):
        numbers = tuple(line.number for line in orders.lines)
        stopped = PlayingStopped(seat, label, orders.stop_if, numbers, to=only(seat))
        return Consultation(None, None, orders._replace(lines=()), (stopped,))
    events: list[Event] = []
    gone: set[int] = set()
    for line in _answering_lines(orders.lines, due=due):
        if (line.at is not None and line.at != label) or not is_met(rules, line.when, view, seat):
            continue
        move = rules.read(line.do)
        problems = tuple(problem for problem in rules.check(view, move) if not problem.bearable)
        if is_for_another_ask(line, problems):
            continue
        if not problems:
            return Consultation(line, move, _drop_lines(orders, gone), tuple(events))
        if line.keep:
            events.append(
                OrderWaited(seat, label, line.number, line.do, _problem_texts(problems), to=only(seat))
            )
        else:
            gone.add(line.number)
            events.append(OrderLapsed(seat, line.number, line.do, _problem_texts(problems), to=only(seat)))
    return Consultation(None, None, _drop_lines(orders, gone), tuple(events))


def is_for_another_ask(line: Line, problems: tuple[Problem, ...]) -> bool:
    """Tell whether a line for any ask is an order of another kind than the one that is asked now."""
    return line.at is None and any(problem.elsewhere for problem in problems)


def remove_used_lines(
    seat: Seat, orders: Orders, answered: Label, used: Line | None, how: str
) -> tuple[Orders, tuple[Event, ...]]:
    """Take out the lines that an answered ask has used up.

    Args:
        seat: The owner of the orders.
        orders: What the seat has lodged.
        answered: The ask that was answered or skipped.
        used: The line that answered it, or None.
        how: How it was answered, for the owner: "was answered by order 2".

    Returns:
        The orders that stay, and a lapse for every other line whose ask has passed.
    """
    events: list[Event] = []

    def is_over(line: Line) -> bool:
        is_used_up = line is used and (not line.keep or line.at is not None)
        return is_used_up or line.is_over_after(answered)

    over = [line for line in orders.lines if is_over(line)]
    for line in over:
        if line is not used:
            why = _why_unused(line, answered, used, how)
            events.append(OrderLapsed(seat, line.number, line.do, why, to=only(seat)))
    return _drop_lines(orders, {line.number for line in over}), tuple(events)


def _why_unused(line: Line, answered: Label, used: Line | None, how: str) -> str:
    """Say why a line is over that did not answer the ask: lines above the one that did had not fitted."""
    if line.at != answered:
        return f"{line.at or line.until} has passed"
    was_tried = used is not None and line.number < used.number and line.if_silent <= used.if_silent
    if was_tried and line.when:
        return f"its condition did not hold at {answered}"
    return f"{answered} {how}"


def _answering_lines(lines: tuple[Line, ...], *, due: bool) -> tuple[Line, ...]:
    """Return the lines that may answer, in the order in which they are tried: those for silence last."""
    plain = tuple(line for line in lines if not line.if_silent)
    return (*plain, *(line for line in lines if line.if_silent)) if due else plain


def _drop_lines(orders: Orders, numbers: set[int]) -> Orders:
    if not numbers:
        return orders
    return orders._replace(lines=tuple(line for line in orders.lines if line.number not in numbers))


def _problem_texts(problems: tuple[Problem, ...]) -> str:
    return "; ".join(problem.text for problem in problems)


def find_owing_seats(
    rules: Playable[S, V, M],
    game: S,
    ask: Ask,
    orders: Mapping[Seat, Orders],
    *,
    bots: Collection[Seat],
    forced: bool,
) -> frozenset[Seat]:
    """Return the seats that have no line, no bot and no only move for an ask, as things stand.

    Args:
        rules: The rules of the game.
        game: The position.
        ask: The ask.
        orders: What each seat has lodged.
        bots: The seats that bots play.
        forced: Moves without a choice are made.
    """
    found = set[Seat]()
    for seat in ask.seats - set(bots):
        view, lodged = rules.view(game, seat), orders.get(seat, Orders())
        answer = find_answering_line(rules, view, seat, ask.label, lodged, may_stop=not lodged.fresh)
        if answer.line is None and not (forced and rules.choices(view).only is not None):
            found.add(seat)
    return frozenset(found)
