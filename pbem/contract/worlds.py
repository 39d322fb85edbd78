"""Two worlds: what a seat knows must be the same in any world that it cannot tell from this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.contract.subject import Checked, Subject
from pbem.core.book import Orders
from pbem.core.dice import Dice
from pbem.core.events import Event, Recorded, Seat, visible
from pbem.core.interface import Step
from pbem.core.opening import Opened, Opening
from pbem.text.report import Frame, Report, facts, render


def compare_views(
    subject: Subject, state: Any, dice: Dice, where: str, result: Checked, *, with_reports: bool
) -> None:
    """Compare every seat's view, ask, report and form with those in a redealt world.

    Args:
        subject: The rules.
        state: The position.
        dice: Dice of the step, for the redeal.
        where: The place in breaches.
        result: Where counts and breaches go.
        with_reports: Render the reports too; they follow from equal views, and cost more.
    """
    for seat in (*subject.seats, None):
        other = subject.rules.redeal(state, seat, dice.apart("world", seat or "spectator"))
        result.views += 1
        if subject.rules.view(other, seat) != subject.rules.view(state, seat):
            result.breach(f"{where}: the view of {_name(seat)} tells two worlds apart")
        if subject.rules.ask(other) != subject.rules.ask(state):
            result.breach(f"{where}: the ask tells {_name(seat)} two worlds apart")
        if with_reports and subject.environment is not None:
            result.reports += 1
            if _report(subject, other, seat, where) != _report(subject, state, seat, where):
                result.breach(f"{where}: the report of {_name(seat)} tells two worlds apart")


def compare_steps(
    subject: Subject,
    state: Any,
    moves: Mapping[Seat, Any],
    dice: Dice,
    step: Step[Any],
    worlds: int,
    where: str,
    result: Checked,
) -> None:
    """Resolve the same moves with the same dice in other worlds, and compare what each seat learns.

    Worlds in which a release came out otherwise, or in which somebody could not have moved so, say nothing
    and are left out.
    """
    for seat in (*subject.seats, None):
        for number in range(worlds):
            luck = dice.apart("world", seat or "spectator", str(number))
            other = subject.rules.redeal(state, seat, luck)
            result.worlds += 1
            if not _could_move(subject, other, moves):
                continue
            again = subject.rules.resolve(other, moves, dice)
            told, heard = _seen(step.events, seat), _seen(again.events, seat)
            if _released(told) != _released(heard):
                continue
            result.worlds_kept += 1
            if told != heard:
                differ = [one for one in told if one not in heard] + [one for one in heard if one not in told]
                kinds = ", ".join(sorted({type(one).__name__ for one in differ}))
                result.breach(f"{where}: an event tells {_name(seat)} two worlds apart: {kinds}")
            if subject.rules.view(again.state, seat) != subject.rules.view(step.state, seat):
                result.breach(f"{where}: the view of {_name(seat)} after it tells two worlds apart")


def _could_move(subject: Subject, state: Any, moves: Mapping[Seat, Any]) -> bool:
    return not any(subject.rules.check(subject.rules.view(state, seat), move) for seat, move in moves.items())


def _seen(events: tuple[Event, ...], seat: Seat | None) -> tuple[Event, ...]:
    return tuple(entry.event for entry in visible((Recorded("", event) for event in events), seat))


def _released(events: tuple[Event, ...]) -> list[tuple[str, tuple[object, ...]]]:
    return [
        (type(event).__name__, tuple(getattr(event, name) for name in event.releases))
        for event in events
        if event.releases
    ]


def _report(subject: Subject, state: Any, seat: Seat | None, where: str) -> Report:
    assert subject.environment is not None, "reports are rendered where there are templates"
    frame = Frame(
        game="contract-1",
        rules=subject.rules.name,
        turn=1,
        seat=seat,
        players=dict.fromkeys(subject.seats, where),
        deadline="",
        commitment="",
        key_asked=False,
        asked={},
        orders=Orders(),
    )
    opening = Opening(subject.rules, subject.seats, subject.options)
    game = Opened(dict.fromkeys(subject.seats, ""), state)
    told = facts(opening, frame, opening.view(game, seat), opening.ask(game), ())
    return render(subject.environment, told)


def _name(seat: Seat | None) -> str:
    return seat or "the spectator"
