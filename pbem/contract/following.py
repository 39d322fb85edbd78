"""The example for the next ask, tried: after the order for now of a form it is to be legal at times."""

from __future__ import annotations

from typing import Final

from pbem.contract.subject import Checked, Ordered, Subject
from pbem.core.bots import bot_order
from pbem.core.conditions import holds
from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.text.submission.following import Standing, followed

ENOUGH: Final = 4
"""So many tries in vain are no accident."""
STEPS: Final = 6
"""So many steps are played on until a seat is asked again."""


def try_next(subject: Subject, ordered: Ordered, seat: Seat, result: Checked) -> None:
    """Give the order for now that a form shows, and see whether the one for the next ask is legal then.

    Args:
        subject: The rules.
        ordered: The position, and what is ordered in it.
        seat: The owner of the form; it gives the order of its form in place of its own.
        result: Where counts go.
    """
    rules, view, opening = subject.rules, ordered.before.view(seat), subject.opening
    draft = opening.draft(view, opening.choices(view))
    here = Standing(opening, view, ordered.ask, ordered.asked, seat)
    found = followed(here, draft, draft.now)
    if found.now is None or found.then is None or any(map(subject.moves.problems, (found.now, found.then))):
        return
    now = rules.read(found.now)
    if rules.check(view, now):
        return  # which is told elsewhere
    state = rules.resolve(ordered.state, {**ordered.moves, seat: now}, ordered.dice).state
    for number in range(STEPS):
        again = rules.ask(state)
        if not isinstance(again, Ask):
            return
        if again.label == here.label(found.now) and seat in again.seats:
            break
        luck = ordered.dice.apart("next", str(number))
        orders = {
            one: bot_order(rules, state, one, luck.apart("bot", one), "random", subject.takes)
            for one in sorted(again.seats)
        }
        if not all(map(subject.takes, orders.values())):
            return  # the bot errs, which is told elsewhere
        state = rules.resolve(state, {one: rules.read(do) for one, do in orders.items()}, luck).state
    else:
        return
    then = rules.view(state, seat)
    if holds(found.when, then):
        result.next_tried += 1
        result.next_refused += bool(rules.check(then, rules.read(found.then)))
        result.next_shown = f"{found.then} at {again.label} after {found.now} at {ordered.ask.label}"


def report_next(result: Checked) -> None:
    """Note a breach if what forms show for the next ask was refused whenever it was tried."""
    if result.next_tried >= ENOUGH and result.next_refused == result.next_tried:
        told = f"{result.next_tried} times out of {result.next_tried}, such as {result.next_shown}"
        why = "a `foresee` that calls it never leaves it out, a `draft` brings another one"
        result.breach("next-refused", f"the example of the form for the next ask was refused {told}; {why}")
