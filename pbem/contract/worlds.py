"""Two worlds: what a seat knows must be the same in any world that it cannot tell from this one."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from itertools import zip_longest
from typing import Any

from pbem.contract.fields import FieldWatch
from pbem.contract.subject import Checked, Played, Subject, differing, differing_fields, told_text
from pbem.contract.within import compare_parts, compare_redealt
from pbem.core.dice import Dice
from pbem.core.engine.book import Orders
from pbem.core.engine.opening import Opened
from pbem.core.events import Event, Recorded, Seat, visible
from pbem.core.interface import Json
from pbem.text.reports.facts import facts
from pbem.text.reports.frame import Frame
from pbem.text.reports.plots import extended
from pbem.text.reports.report import Report
from pbem.text.reports.templatefaults import template_fault
from pbem.text.schemas.codec import encode_event


def compare_worlds(
    subject: Subject,
    played: Played,
    worlds: int,
    result: Checked,
    fields: FieldWatch | None,
    reported: Collection[Seat | None],
) -> None:
    """Compare what each seat and the spectator know and learn with what they would in other worlds.

    Args:
        subject: The rules.
        played: The step as it was played.
        worlds: Other worlds for each seat.
        result: Where counts and breaches go.
        fields: Learns what the redeals change; None leaves that out.
        reported: Whose reports are rendered too; they follow from equal views, and cost more.
    """
    for seat in (*subject.seats, None):
        for number in range(worlds):
            luck = played.dice.apart("world", seat or "spectator", str(number))
            other = subject.rules.redeal(played.state, seat, luck)
            if fields is not None and number == 0:
                fields.compare(played.state, other)
            _compare_views(subject, played, other, seat, result)
            if number == 0 and seat in reported:
                _compare_reports(subject, played, other, seat, result)
            if seat is None:
                compare_redealt(subject, played, luck, result)
            _compare_steps(subject, played, other, seat, luck, result)


def _compare_views(subject: Subject, played: Played, other: Any, seat: Seat | None, result: Checked) -> None:
    result.views += 1
    view = subject.rules.view(other, seat)
    if told_text(view) != played.before.text(seat):
        told = differing_fields(played.before.view(seat), view)
        _breach(result, "leak-view", played, "the view of", seat, f"tells two worlds apart{told}")
    if subject.rules.ask(other) != played.ask:
        _breach(result, "leak-ask", played, "the ask tells", seat, "two worlds apart")


def _compare_reports(
    subject: Subject, played: Played, other: Any, seat: Seat | None, result: Checked
) -> None:
    if subject.environment is None:
        return
    result.reports += 1
    here = facts_of(subject, played.state, seat, played.where)
    there = facts_of(subject, other, seat, played.where)
    try:
        files = Report(subject.environment, here).files()
        others = files if told_text(here) == told_text(there) else Report(subject.environment, there).files()
    except Exception as wrong:  # a plug-in's templates may raise anything
        _breach(
            result, "report-fails", played, "the report of", seat, f"cannot be made: {template_fault(wrong)}"
        )
        return
    if different := sorted(one for one in files.keys() | others.keys() if files.get(one) != others.get(one)):
        told = ", ".join(different)
        _breach(result, "leak-report", played, "the report of", seat, f"tells two worlds apart: {told}")


def _compare_steps(
    subject: Subject, played: Played, other: Any, seat: Seat | None, luck: Dice, result: Checked
) -> None:
    """Resolve the step with the same dice in another world, and compare what the seat learns.

    Orders of the others that the seat is never told may differ too. A world in which somebody could not have
    moved so says nothing and is left out.
    """
    moves = played.moves
    if subject.other_moves is not None:
        moves = subject.other_moves(other, moves, seat, luck.apart("moves"))
    if other == played.state and moves == played.moves:
        return
    result.worlds += 1
    if not _could_move(subject, other, moves, seat):
        return
    again = subject.rules.resolve(other, moves, played.dice)
    told, heard = seen(played.step.events, seat), seen(again.events, seat)
    alike, differ = _first_difference(told, heard)
    if differ:
        _breach(
            result, "leak-event", played, "an event tells", seat, f"two worlds apart: {_unreleased(differ)}"
        )
    if not alike:
        result.worlds_in_part += not differ
        return
    result.worlds_kept += 1
    view = subject.rules.view(again.state, seat)
    if told_text(view) != played.after.text(seat):
        fields = differing_fields(played.after.view(seat), view)
        _breach(result, "leak-view", played, "the view of", seat, f"after it tells two worlds apart{fields}")
    if seat is None:
        compare_parts(subject, played, other, moves, result)


def _could_move(subject: Subject, state: Any, moves: Mapping[Seat, Any], knowing: Seat | None) -> bool:
    """Tell whether all could have moved so; the seat itself could, for its view is the same."""
    return not any(
        subject.rules.check(subject.rules.view(state, seat), move)
        for seat, move in moves.items()
        if seat != knowing
    )


def _first_difference(told: tuple[Event, ...], heard: tuple[Event, ...]) -> tuple[bool, tuple[Event, ...]]:
    """Compare two records up to the first release that came out otherwise: from there on all may differ.

    Events stand in the order in which they happened, so what is told before a release hangs on nothing that
    it gives away.

    Returns:
        Whether the records are the same to the end, and the events that differ without a release.
    """
    for one, other in zip_longest(told, heard):
        events = tuple(event for event in (one, other) if event is not None)
        if one is None or other is None or type(one) is not type(other):
            return False, () if any(event.releases for event in events) else events
        if told_text(one) == told_text(other):
            continue
        return False, events if _open_part(one) != _open_part(other) else ()
    return True, ()


def _unreleased(events: tuple[Event, ...]) -> str:
    """Name the fields in which two events differ though they do not release them, or the kinds of events."""
    released = {f"{type(event).__name__}.{name}" for event in events for name in event.releases}
    names = ", ".join(sorted(differing(*events, *(None,) * (2 - len(events))) - released))
    why = "what follows from a field that is released is released too: name it in releases as well"
    return f"{names}; {why}" if released else names


def _open_part(event: Event) -> str:
    """Return an event without what it releases."""
    told = encode_event(event)
    return json.dumps({name: value for name, value in told.items() if name not in event.releases})


def seen(events: tuple[Event, ...], seat: Seat | None) -> tuple[Event, ...]:
    """Return the events of a step that a seat may know."""
    return tuple(entry.event for entry in visible((Recorded("", event) for event in events), seat))


def facts_of(subject: Subject, state: Any, seat: Seat | None, where: str) -> dict[str, Json]:
    """Return the facts of a report of a state, as the contract makes them: without a clock."""
    opening = subject.opening
    game = Opened(dict.fromkeys(subject.seats, ""), state)
    public = opening.view(game, None)
    counted = {title: count(public) for title, count in subject.plots.items()}
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
        history=extended(extended({}, 0, counted), 1, counted),
    )
    return facts(opening, frame, opening.view(game, seat), opening.ask(game), ())


def _breach(result: Checked, kind: str, played: Played, what: str, seat: Seat | None, told: str) -> None:
    """Note what a reader knows or gets of a step; the same of several readers is one breach."""
    result.breach(kind, f"{what} {{}} {told}", played.where, reader=_name(seat))


def _name(seat: Seat | None) -> str:
    return seat or "the spectator"
