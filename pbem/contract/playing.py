"""One game of the contract: bots play it, and every promise is checked at every step, looking ahead too."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

from pbem.contract.shown import check_report_and_form
from pbem.contract.subject import (
    Checked,
    OrderedPosition,
    PlayedStep,
    PositionViews,
    Subject,
    differing_event_fields,
    differing_fields,
    json_for_seat,
)
from pbem.contract.worlds import FieldWatch, compare_orders, compare_worlds
from pbem.core.book import (
    LONGEST_LABEL,
    first_open_count,
    labels_ahead,
    parts,
)
from pbem.core.bots import bot_order
from pbem.core.conditions import is_reserved, is_term_met, paths_of
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.foresight import Later, Outlook, horizon_of, outlook_of, why_never_holds
from pbem.core.interface import Ask, Json, Label, Outcome, Step
from pbem.text.codec import ShapeError, decode, dumps, encode

FAR: Final = 2
"""So many own asks after the next one are looked ahead to."""


@dataclass(slots=True)
class _JudgedLaterOrder:
    """An order that was judged for a later ask, and what its judge took for settled."""

    later: Later[Any]
    found: Outlook
    settled: Mapping[Label, Any]
    where: str


@dataclass(slots=True)
class LookaheadChecker:
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
    _guesses: dict[tuple[Seat, Label], list[_JudgedLaterOrder]] = field(default_factory=dict)
    _listed: dict[Seat, set[Label]] = field(default_factory=dict)

    def watch(
        self, before: PositionViews, ask: Ask, moves: Mapping[Seat, Any], dice: Dice, where: str
    ) -> None:
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
            self._collect_orders(before.view(seat), dice.apart("ahead", seat))
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

    def _collect_orders(self, view: Any, dice: Dice) -> None:
        """Keep some of what may be ordered now, to try it for later asks."""
        whole = [*self.subject.rules.choices(view).whole()]
        if whole:
            self._tried.append(dice.pick(whole, "learn"))

    def _look_ahead(
        self, seat: Seat, view: Any, ask: Ask, moves: Mapping[Seat, Any], dice: Dice, where: str
    ) -> None:
        if not self._tried:
            return
        owner, first = first_open_count(ask, self.asked, seat)
        is_now = ask.label == f"{owner}-{first}"
        count = first + is_now + dice.below(FAR, "count")
        settled = {ask.label: moves[seat]} if is_now and seat in moves else {}
        earlier = tuple(settled.get(Label(f"{owner}-{n}")) for n in range(first, count))
        when = self.condition(seat, view, dice) if dice.below(2, "when") else {}
        order = dice.pick(self._tried, "order")
        label = Label(f"{owner}-{count}")
        beside = {name: wanted for name, wanted in when.items() if is_reserved(name)}
        later = Later(self.subject.rules.read(order), label, earlier, paths_of(when), beside)
        found = outlook_of(self.subject.rules, view, later)
        self._guesses.setdefault((seat, label), []).append(_JudgedLaterOrder(later, found, settled, where))
        self.result.lines_ahead += 1

    def condition(self, seat: Seat, view: Any, dice: Dice) -> Mapping[str, Json]:
        """Return the term of a condition that holds now, on any fact of the view."""
        facts = [(path, value) for path, value in facts_of(view) if value is not None]
        path, value = dice.pick(facts, "fact")
        return {path: value}

    def _compare(self, seat: Seat, ask: Ask, view: Any, moves: Mapping[Seat, Any], where: str) -> None:
        for guess in self._guesses.pop((seat, ask.label), []):
            problems = self.subject.rules.check(view, guess.later.move)
            fits = is_term_met(guess.later.when, view) and is_term_met(guess.later.beside, view)
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
        for path, value in facts_of(view):
            if told := why_never_holds(view, path, value, horizon):
                self.result.breach("horizon-wrong", f"the horizon of the rules is wrong: {told[0]}", where)


def facts_of(view: object, path: str = "", deep: int = 3) -> Iterator[tuple[str, Json]]:
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
            yield from facts_of(value, here, deep - 1)


MOST_STEPS = 100_000
REPORT_EVERY = 8
LOAD_EVERY = 3
SHOWN_FIRST = 8
SHOW_EVERY = 3


def play(
    subject: Subject, seed: str, skill: str, worlds: int, result: Checked, fields: FieldWatch | None
) -> Iterator[None]:
    """Play one game to its end and note every breach; yield after each step, for those who want to stop.

    Args:
        subject: The rules.
        seed: The game's seed, any text.
        skill: The skill of the bots in all seats.
        worlds: Other worlds compared at each step, for each seat.
        result: Where counts and breaches go.
        fields: Watches which fields of the state are hidden; None leaves that out.
    """
    rules, key = subject.rules, hashlib.sha256(seed.encode()).digest()
    state = rules.setup(subject.seats, subject.options, {seat: {} for seat in subject.seats}, Dice(key, 0))
    before, labels, kinds = PositionViews(rules, state), set[str](), set[str]()
    ahead = LookaheadChecker(subject, result)
    result.games += 1
    for number in range(1, MOST_STEPS):
        ask = rules.ask(state)
        if isinstance(ask, Outcome):
            _check_outcome(subject, ask, result)
            return
        where = f"game {seed}, {ask.label}"
        _check_ask(subject, ask, labels, where, result)
        dice = Dice(key, number)
        moves = _moves(subject, before, ask, dice, skill, where, result)
        if ask.seats - moves.keys():
            return
        asked = dict(ahead.asked)
        ahead.watch(before, ask, moves, dice, where)
        if _is_sampled_step(result.games, number) or ask.kind not in kinds:
            kinds.add(ask.kind)
            check_report_and_form(
                subject, OrderedPosition(ask, before, asked, moves, dice, where), number, result
            )
        step = rules.resolve(state, moves, dice)
        after = PositionViews(rules, step.state)
        played = PlayedStep(ask, before, asked, moves, dice, where, step, after)
        _check_events(subject, step.events, where, result)
        if (result.games + number) % LOAD_EVERY == 0:
            _check_save_and_load(subject, played, result)
            _check_stages(subject, played, result)
        if fields is not None and _is_power_of_two(result.games + number - 1):
            fields.watch(before, dice)
        compare_worlds(
            subject, played, worlds, result, fields, _report_readers(subject, result.games + number)
        )
        compare_orders(subject, played, worlds, result)
        state, before = step.state, after
        result.steps += 1
        yield
    result.breach("endless", f"game {seed} did not end within {MOST_STEPS} steps")


def _is_sampled_step(game: int, number: int) -> bool:
    """Tell in which steps the reports and pages are made: the first game's often, the others' rarely."""
    if game == 1:
        return number <= SHOWN_FIRST or number % SHOW_EVERY == 0
    return _is_power_of_two(game + number - 1)


def _is_power_of_two(number: int) -> bool:
    """Tell which steps are watched: dense at the start and then rarer, one step earlier in each game."""
    return number & (number - 1) == 0


def _report_readers(subject: Subject, number: int) -> tuple[Seat | None, ...]:
    """Return whose reports are rendered in a step: nobody's in most, then one reader's after the other."""
    readers = (*subject.seats, None)
    return () if number % REPORT_EVERY else (readers[number // REPORT_EVERY % len(readers)],)


def _check_ask(subject: Subject, ask: Ask, labels: set[str], where: str, result: Checked) -> None:
    if ask.label in labels:
        result.breach("label-twice", "the label came twice", where)
    labels.add(ask.label)
    found = parts(ask.label)
    if found is None or found.owner not in (*subject.seats, "turn"):
        result.breach("label-shape", "a label is SEAT-N or turn-N, with .word for a follow-up", where)
    if len(ask.label) > LONGEST_LABEL:
        result.breach("label-long", f"a label has at most {LONGEST_LABEL} letters", where)
    if strange := (ask.seats | ask.optional) - set(subject.seats):
        result.breach("ask-strangers", f"asks {sorted(strange)}, who are no seats", where)


def _check_save_and_load(subject: Subject, played: PlayedStep, result: Checked) -> None:
    """Save and load the game: views, ask and the step must be the same, and so must the order in tables.

    A saved game is sorted, so tables come back in another order than the one they were made in.
    """
    rules, where = subject.rules, played.where
    try:
        state = decode(rules.state, json.loads(dumps(encode(played.state))))
    except ShapeError as wrong:
        result.breach("state-unreadable", f"the state cannot be loaded again: {wrong}", where)
        return
    if state != played.state:
        result.breach("state-changed", "the state is another after saving and loading", where)
    for seat in (*subject.seats, None):
        view = rules.view(state, seat)
        if json_for_seat(view) != played.before.text(seat):
            fields = differing_fields(played.before.view(seat), view)
            result.breach(
                "view-changed",
                f"the view of {seat or 'the spectator'} is another after loading{fields}",
                where,
            )
    if rules.ask(state) != played.ask:
        result.breach("ask-changed", "the ask is another after loading", where)
    again = rules.resolve(state, played.moves, played.dice)
    if (told := _step_difference(played.step, again)) is not None:
        why = "tables come back sorted, so give those of events and views an order of their own"
        result.breach("step-changed", f"the same step came out otherwise after loading{told}; {why}", where)


def _step_difference(step: Step[Any], again: Step[Any]) -> str | None:
    """Return in what a step came out otherwise, as ": CardsShown.cards"; None if it did not."""
    first = next(
        (pair for pair in zip_longest(step.events, again.events) if differing_event_fields(*pair)), None
    )
    if first is not None:
        return f": {', '.join(sorted(differing_event_fields(*first)))}"
    return differing_fields(step.state, again.state) if step.state != again.state else None


def _check_stages(subject: Subject, played: PlayedStep, result: Checked) -> None:
    """See that the stages of a step, where there are any, come to what the step comes to."""
    stages = subject.stages(subject.rules, played.state, played.moves, played.dice)
    events = tuple(event for stage in stages for event in stage.events)
    if stages and (stages[-1].state, events) != (played.step.state, played.step.events):
        result.breach(
            "stages-changed", "the stages of the step come to something else than the step", played.where
        )


def _moves(
    subject: Subject, before: PositionViews, ask: Ask, dice: Dice, skill: str, where: str, result: Checked
) -> dict[Seat, Any]:
    """Let the bots answer, and check what they may order; a seat whose bot errs is left out."""
    moves = {}
    for seat in subject.seats:
        if seat not in ask.seats:
            continue
        view = before.view(seat)
        _check_choices(subject, view, f"{where}, {seat}", result)
        order = bot_order(subject.rules, before.state, seat, dice.apart("bot", seat), skill, subject.takes)
        if wrong := _why_illegal(subject, view, order):
            result.breach("bot-refused", f"the {skill} bot orders {order}: {wrong}", f"{where}, {seat}")
        else:
            moves[seat] = subject.rules.read(order)
            if not all(subject.rules.forecast(view, moves[seat]).lines or [""]):
                result.breach("forecast-empty", f"nothing is forecast of {order}", f"{where}, {seat}")
        held = subject.rules.hold(view)
        if held is not None and (wrong := _why_illegal(subject, view, held)):
            result.breach("hold-refused", f"a silent seat would order {held}: {wrong}", f"{where}, {seat}")
    return moves


def _check_choices(subject: Subject, view: Any, where: str, result: Checked) -> None:
    choices = subject.rules.choices(view)
    whole = [item.order for menu in choices.menus if "" in menu.paths for item in menu.items]
    for order in whole:
        if wrong := _why_illegal(subject, view, order):
            result.breach("choice-refused", f"the choice {order} is not legal: {wrong}", where)
    if choices.only is not None and (wrong := _why_illegal(subject, view, choices.only)):
        result.breach("only-refused", f"the only order {choices.only} is not legal: {wrong}", where)
    if choices.only is not None and any(order != choices.only for order in whole):
        result.breach("only-of-many", f"the only order is {choices.only}, but others are listed", where)


def _why_illegal(subject: Subject, view: Any, order: Any) -> str:
    if problems := subject.moves.problems(order):
        return f"schema: {problems[0].text}"
    return "; ".join(problem.text for problem in subject.rules.check(view, subject.rules.read(order)))


def _check_events(subject: Subject, events: tuple[Event, ...], where: str, result: Checked) -> None:
    for event in events:
        result.events[type(event).__name__] += 1
        if event.to != ALL and not event.to <= set(subject.seats):
            result.breach("event-unaddressed", f"{type(event).__name__} is addressed to no seats", where)


def _check_outcome(subject: Subject, outcome: Outcome, result: Checked) -> None:
    seats = set(subject.seats)
    if set(outcome.scores) != seats or not set(outcome.winners) <= seats:
        result.breach("outcome-incomplete", f"the outcome {outcome} does not score every seat")
    if not outcome.reason or not outcome.decided_by:
        result.breach("outcome-unexplained", f"the outcome {outcome} does not say how it came about")
