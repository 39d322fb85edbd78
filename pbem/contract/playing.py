"""One game of the contract: bots play it, and every promise is checked at every step."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from pbem.contract.ahead import AheadWatch
from pbem.contract.shown import check_shown
from pbem.contract.subject import (
    Checked,
    Looks,
    Ordered,
    Played,
    Subject,
    differing,
    differing_fields,
    told_text,
)
from pbem.contract.worlds import FieldWatch, compare_orders, compare_worlds
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.interface import Ask, Outcome, Step
from pbem.core.labels import LONGEST_LABEL, parts
from pbem.text.schemas.codec import Misshapen, decode, dumps, encode

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
    before, labels, kinds = Looks(rules, state), set[str](), set[str]()
    ahead = AheadWatch(subject, result)
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
        if _is_shown(result.games, number) or ask.kind not in kinds:
            kinds.add(ask.kind)
            check_shown(subject, Ordered(ask, before, asked, moves, dice, where), number, result)
        step = rules.resolve(state, moves, dice)
        after = Looks(rules, step.state)
        played = Played(ask, before, asked, moves, dice, where, step, after)
        _check_events(subject, step.events, where, result)
        if (result.games + number) % LOAD_EVERY == 0:
            _check_loaded(subject, played, result)
            _check_stages(subject, played, result)
        if fields is not None and _is_power_of_two(result.games + number - 1):
            fields.watch(before, dice)
        compare_worlds(subject, played, worlds, result, fields, _reported(subject, result.games + number))
        compare_orders(subject, played, worlds, result)
        state, before = step.state, after
        result.steps += 1
        yield
    result.breach("endless", f"game {seed} did not end within {MOST_STEPS} steps")


def _is_shown(game: int, number: int) -> bool:
    """Tell in which steps the reports and pages are made: the first game's often, the others' rarely."""
    if game == 1:
        return number <= SHOWN_FIRST or number % SHOW_EVERY == 0
    return _is_power_of_two(game + number - 1)


def _is_power_of_two(number: int) -> bool:
    """Tell which steps are watched: dense at the start and then rarer, one step earlier in each game."""
    return number & (number - 1) == 0


def _reported(subject: Subject, number: int) -> tuple[Seat | None, ...]:
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


def _check_loaded(subject: Subject, played: Played, result: Checked) -> None:
    """Save and load the game: views, ask and the step must be the same, and so must the order in tables.

    A saved game is sorted, so tables come back in another order than the one they were made in.
    """
    rules, where = subject.rules, played.where
    try:
        state = decode(rules.state, json.loads(dumps(encode(played.state))))
    except Misshapen as wrong:
        result.breach("state-unreadable", f"the state cannot be loaded again: {wrong}", where)
        return
    if state != played.state:
        result.breach("state-changed", "the state is another after saving and loading", where)
    for seat in (*subject.seats, None):
        view = rules.view(state, seat)
        if told_text(view) != played.before.text(seat):
            fields = differing_fields(played.before.view(seat), view)
            result.breach(
                "view-changed",
                f"the view of {seat or 'the spectator'} is another after loading{fields}",
                where,
            )
    if rules.ask(state) != played.ask:
        result.breach("ask-changed", "the ask is another after loading", where)
    again = rules.resolve(state, played.moves, played.dice)
    if (told := _otherwise(played.step, again)) is not None:
        why = "tables come back sorted, so give those of events and views an order of their own"
        result.breach("step-changed", f"the same step came out otherwise after loading{told}; {why}", where)


def _otherwise(step: Step[Any], again: Step[Any]) -> str | None:
    """Return in what a step came out otherwise, as ": CardsShown.cards"; None if it did not."""
    first = next((pair for pair in zip_longest(step.events, again.events) if differing(*pair)), None)
    if first is not None:
        return f": {', '.join(sorted(differing(*first)))}"
    return differing_fields(step.state, again.state) if step.state != again.state else None


def _check_stages(subject: Subject, played: Played, result: Checked) -> None:
    """See that the stages of a step, where there are any, come to what the step comes to."""
    stages = subject.stages(subject.rules, played.state, played.moves, played.dice)
    events = tuple(event for stage in stages for event in stage.events)
    if stages and (stages[-1].state, events) != (played.step.state, played.step.events):
        result.breach(
            "stages-changed", "the stages of the step come to something else than the step", played.where
        )


def _moves(
    subject: Subject, before: Looks, ask: Ask, dice: Dice, skill: str, where: str, result: Checked
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
