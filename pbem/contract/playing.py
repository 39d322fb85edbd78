"""One game of the contract: bots play it, and every promise is checked at every step."""

from __future__ import annotations

import hashlib
from typing import Any

from pbem.contract.fields import FieldWatch
from pbem.contract.subject import Checked, Subject
from pbem.contract.worlds import compare_steps, compare_views
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.interface import Ask, Outcome
from pbem.core.labels import parts
from pbem.text.codec import Misshapen, decode, encode, encode_event

MOST_STEPS = 100_000
REPORT_EVERY = 7
FIELDS_EVERY = 11


def play(
    subject: Subject, seed: str, skill: str, worlds: int, result: Checked, fields: FieldWatch | None
) -> None:
    """Play one game to its end and note every breach.

    Args:
        subject: The rules.
        seed: The game's seed, any text.
        skill: The skill of the bots in all seats.
        worlds: Other worlds compared at each step.
        result: Where counts and breaches go.
        fields: Watches which fields of the state are hidden; None leaves that out.
    """
    rules, key = subject.rules, hashlib.sha256(seed.encode()).digest()
    state = rules.setup(subject.seats, subject.options, {seat: {} for seat in subject.seats}, Dice(key, 0))
    labels: set[str] = set()
    result.games += 1
    for number in range(1, MOST_STEPS):
        ask = rules.ask(state)
        if isinstance(ask, Outcome):
            _check_outcome(subject, ask, result)
            return
        where = f"game {seed}, {ask.label}"
        _check_ask(subject, ask, labels, where, result)
        _check_save(subject, state, where, result)
        dice = Dice(key, number)
        moves = _moves(subject, state, ask, dice, skill, where, result)
        if ask.seats - moves.keys():
            return
        compare_views(subject, state, dice, where, result, with_reports=number % REPORT_EVERY == 1)
        if fields is not None and number % FIELDS_EVERY == 1:
            fields.watch(state, dice)
        step = rules.resolve(state, moves, dice)
        _check_step(subject, state, moves, dice, step.events, where, result)
        compare_steps(subject, state, moves, dice, step, worlds, where, result)
        state = step.state
        result.steps += 1
    result.breach(f"game {seed} did not end within {MOST_STEPS} steps")


def _check_ask(subject: Subject, ask: Ask, labels: set[str], where: str, result: Checked) -> None:
    if ask.label in labels:
        result.breach(f"{where}: the label came twice")
    labels.add(ask.label)
    found = parts(ask.label)
    if found is None or found.owner not in (*subject.seats, "turn"):
        result.breach(f"{where}: a label is SEAT-N or turn-N, with .word for a follow-up")
    if strange := (ask.seats | ask.optional) - set(subject.seats):
        result.breach(f"{where}: asks {sorted(strange)}, who are no seats")


def _check_save(subject: Subject, state: Any, where: str, result: Checked) -> None:
    try:
        if decode(subject.rules.state, encode(state)) != state:
            result.breach(f"{where}: the state is another after saving and loading")
    except Misshapen as wrong:
        result.breach(f"{where}: the state cannot be loaded again: {wrong}")


def _moves(
    subject: Subject, state: Any, ask: Ask, dice: Dice, skill: str, where: str, result: Checked
) -> dict[Seat, Any]:
    """Let the bots answer, and check what they may order; a seat whose bot errs is left out."""
    moves = {}
    for seat in subject.seats:
        if seat not in ask.seats:
            continue
        view = subject.rules.view(state, seat)
        _check_choices(subject, view, f"{where}, {seat}", result)
        order = subject.rules.suggest(view, dice.apart("bot", seat), skill)
        if wrong := _why_illegal(subject, view, order):
            result.breach(f"{where}, {seat}: the {skill} bot orders {order}: {wrong}")
        else:
            moves[seat] = subject.rules.read(order)
    return moves


def _check_choices(subject: Subject, view: Any, where: str, result: Checked) -> None:
    choices = subject.rules.choices(view)
    whole = [item.order for menu in choices.menus if menu.path == "" for item in menu.items]
    for order in whole:
        if wrong := _why_illegal(subject, view, order):
            result.breach(f"{where}: the choice {order} is not legal: {wrong}")
    if choices.only is not None and (wrong := _why_illegal(subject, view, choices.only)):
        result.breach(f"{where}: the only order {choices.only} is not legal: {wrong}")
    if len(whole) == 1 and choices.only is None:
        result.breach(f"{where}: one choice, but `only` is empty")


def _why_illegal(subject: Subject, view: Any, order: Any) -> str:
    if problems := subject.moves.problems(order):
        return f"schema: {problems[0].text}"
    return "; ".join(problem.text for problem in subject.rules.check(view, subject.rules.read(order)))


def _check_step(
    subject: Subject,
    state: Any,
    moves: dict[Seat, Any],
    dice: Dice,
    events: tuple[Event, ...],
    where: str,
    result: Checked,
) -> None:
    again = subject.rules.resolve(state, moves, dice)
    if again.events != events:
        result.breach(f"{where}: the same step gave other events")
    for event in events:
        result.events[type(event).__name__] += 1
        encode_event(event)
        if event.to != ALL and not event.to <= set(subject.seats):
            result.breach(f"{where}: {type(event).__name__} is addressed to no seats")


def _check_outcome(subject: Subject, outcome: Outcome, result: Checked) -> None:
    seats = set(subject.seats)
    if set(outcome.scores) != seats or not set(outcome.winners) <= seats:
        result.breach(f"the outcome {outcome} does not score every seat")
    if not outcome.reason or not outcome.decided_by:
        result.breach(f"the outcome {outcome} does not say how it came about")
