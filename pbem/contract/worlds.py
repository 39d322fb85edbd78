"""Two worlds: what a seat knows must be the same in any world that it cannot tell from this one."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import zip_longest
from typing import Any

from pbem.contract.subject import (
    Checked,
    PlayedStep,
    PositionViews,
    Subject,
    differing_event_fields,
    differing_fields,
    json_for_seat,
)
from pbem.core.book import Orders
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Recorded, Seat, visible
from pbem.core.interface import Json, Stage, Step
from pbem.core.opening import DealtGame
from pbem.text.codec import encode_event
from pbem.text.reports.facts import Frame, facts
from pbem.text.reports.report import Report, extend_history
from pbem.text.reports.sandbox import template_fault


def compare_parts(
    subject: Subject, played: PlayedStep, other: Any, moves: Mapping[Seat, Any], result: Checked
) -> None:
    """Compare the parts of a step, as replays of running games show them, with those in another world.

    Args:
        subject: The rules.
        played: The step as it was played.
        other: The state before it in another world in which all that the public is told came out the same.
        moves: What was ordered there.
        result: Where breaches go.
    """
    here = _public_stages(subject, played.state, played.moves, played.dice)
    there = _public_stages(subject, other, moves, played.dice)
    if [one.name for one in here] != [one.name for one in there]:
        result.breach(
            "leak-within", "the parts of the step tell the spectator two worlds apart", played.where
        )
        return
    for one, another in zip(here, there, strict=True):
        _compare_parts(subject, played, one, another.state, result)


def compare_redealt(subject: Subject, played: PlayedStep, dice: Dice, result: Checked) -> None:
    """Compare what the public sees of each part of a step with what it would see were it redealt."""
    for one in _public_stages(subject, played.state, played.moves, played.dice):
        _compare_parts(subject, played, one, subject.rules.redeal(one.state, None, dice), result)


def _public_stages(subject: Subject, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> list[Stage[Any]]:
    """Return the parts of a step of which something is told to all; its end is compared elsewhere."""
    stages = subject.stages(subject.rules, state, moves, dice)
    return [one for one in stages[:-1] if any(event.to == ALL for event in one.events)]


def _compare_parts(
    subject: Subject, played: PlayedStep, one: Stage[Any], other: Any, result: Checked
) -> None:
    result.views += 1
    view, another = subject.rules.view(one.state, None), subject.rules.view(other, None)
    if json_for_seat(view) != json_for_seat(another):
        told = "the spectator's view within the step tells two worlds apart"
        result.breach(
            "leak-within", f"{told}{differing_fields(view, another)}", f"{played.where}, {one.name}"
        )


Keys = tuple[Any, ...]
Leaf = tuple[Keys, Any]

TRIED = 2
"""So many values of a field are changed in a position that is watched."""
ENOUGH = 100
"""So many redeals of positions that have a field must leave it before none is said to change it."""


class FieldWatch:
    """Changes fields of a state by hand: if a seat's view stays the same, redeals must change them too."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._hidden: dict[str, str] = {}
        self._redealt: set[str] = set()
        self._redeals: Counter[str] = Counter()
        self._values: dict[str, set[Any]] = {}
        self._state: Any = None
        self._paths: set[str] = set()

    @property
    def has_hidden_fields(self) -> bool:
        """Whether any redeal changed anything."""
        return bool(self._redealt)

    def watch(self, looks: PositionViews, dice: Dice) -> None:
        """Find out which fields are hidden in a position; a few values of each are tried."""
        state = looks.state
        leaves: dict[str, list[Leaf]] = {}
        for path, keys, value in _plain_values(state, (), ""):
            leaves.setdefault(path, []).append((keys, value))
            self._values.setdefault(path, set()).add(value)
        seen: dict[Any, Any] = {seat: looks.view(seat) for seat in (None, *self._subject.seats)}
        for path, found in leaves.items():
            for number in range(0 if path in self._hidden else min(TRIED, len(found))):
                keys, value = dice.pick(found, f"field/{path}", number)
                if told := self._hidden_from(state, path, keys, value, seen):
                    self._hidden[path] = told
                    break

    def compare(self, state: Any, other: Any) -> None:
        """Note which fields a redeal changed."""
        if state is not self._state:
            self._state, self._paths = state, {path for path, _, _ in _plain_values(state, (), "")}
        self._redeals.update(self._paths)
        self._redealt.update(_changed_paths(state, other, ""))

    def report(self, result: Checked) -> None:
        """Note every hidden field that no redeal changed, among many, and that is not listed as constant."""
        constants = self._subject.rules.constants
        for path in sorted(self._hidden.keys() - self._redealt - constants.keys()):
            if self._redeals[path] >= ENOUGH:
                told = f"no view shows the field {path} to every seat, and no redeal changes it"
                result.breach("field-never-redealt", f"{told}: {self._hidden[path]}")
        for path in sorted(constants.keys() & self._redealt):
            result.breach("field-redealt", f"the field {path} is listed as constant, but redeals change it")

    def _hidden_from(self, state: Any, path: str, keys: Keys, value: Any, seen: Mapping[Any, Any]) -> str:
        """Say whose view stays the same when one field has another value, and which entry it was; or ""."""
        for other in self._other_values(path, value):
            try:
                changed = _replace_value(state, keys, other)
                for seat, view in seen.items():
                    if self._subject.rules.view(changed, seat) == view:
                        what = f"with {'.'.join(map(str, keys))} {other} in place of {value}"
                        return f"{what}, {seat or 'the spectator'} sees the same"
            except (ValueError, KeyError, IndexError, AssertionError):
                continue  # no such state can be, or none that these rules can look at
            else:
                return ""
        return ""

    def _other_values(self, path: str, value: Any) -> list[Any]:
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, int):
            return [value + 1, value - 1]
        return sorted((one for one in self._values[path] if one != value and isinstance(one, str)), key=str)


def _plain_values(value: Any, keys: Keys, path: str) -> Iterator[tuple[str, Keys, Any]]:
    """Yield every plain value of a state: its path with * for keys and positions, its keys, the value."""
    if isinstance(value, str | int):
        yield path, keys, value
    else:
        for key, below, item in _child_values(value, path):
            yield from _plain_values(item, (*keys, key), below)


def _changed_paths(value: Any, other: Any, path: str) -> Iterator[str]:
    """Yield the path of every plain value that another state has otherwise in the same place."""
    if value == other:
        return
    if isinstance(value, str | int):
        yield path
    elif type(value) is type(other):
        others = {key: item for key, _, item in _child_values(other, path)}
        for key, below, item in _child_values(value, path):
            if key in others:
                yield from _changed_paths(item, others[key], below)


def _child_values(value: Any, path: str) -> Iterator[tuple[Any, str, Any]]:
    """Yield the parts of a value: key, path and item."""
    if names := _fields_of(value.__class__):
        for name in names:
            yield name, f"{path}.{name}" if path else name, getattr(value, name)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key, f"{path}.*", item
    elif isinstance(value, tuple | frozenset):
        for number, item in enumerate(sorted(value) if isinstance(value, frozenset) else value):
            yield number, f"{path}.*", item


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; nothing else has any."""
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


def _replace_value(value: Any, keys: Keys, new: Any) -> Any:
    """Return a state with one plain value replaced."""
    if not keys:
        return new
    key = keys[0]
    if isinstance(value, Mapping):
        return {**value, key: _replace_value(value[key], keys[1:], new)}
    if isinstance(value, tuple):
        return (*value[:key], _replace_value(value[key], keys[1:], new), *value[key + 1 :])
    if isinstance(value, frozenset):
        return value - {sorted(value)[key]} | {new}
    return dataclasses.replace(value, **{key: _replace_value(getattr(value, key), keys[1:], new)})


def compare_worlds(
    subject: Subject,
    played: PlayedStep,
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


def _compare_views(
    subject: Subject, played: PlayedStep, other: Any, seat: Seat | None, result: Checked
) -> None:
    result.views += 1
    view = subject.rules.view(other, seat)
    if json_for_seat(view) != played.before.text(seat):
        told = differing_fields(played.before.view(seat), view)
        _breach(result, "leak-view", played, "the view of", seat, f"tells two worlds apart{told}")
    if subject.rules.ask(other) != played.ask:
        _breach(result, "leak-ask", played, "the ask tells", seat, "two worlds apart")


def _compare_reports(
    subject: Subject, played: PlayedStep, other: Any, seat: Seat | None, result: Checked
) -> None:
    if subject.environment is None:
        return
    result.reports += 1
    here = facts_of(subject, played.state, seat, played.where)
    there = facts_of(subject, other, seat, played.where)
    try:
        files = Report(subject.environment, here).files()
        others = (
            files
            if json_for_seat(here) == json_for_seat(there)
            else Report(subject.environment, there).files()
        )
    except Exception as wrong:  # a plug-in's templates may raise anything
        _breach(
            result, "report-fails", played, "the report of", seat, f"cannot be made: {template_fault(wrong)}"
        )
        return
    if different := sorted(one for one in files.keys() | others.keys() if files.get(one) != others.get(one)):
        told = ", ".join(different)
        _breach(result, "leak-report", played, "the report of", seat, f"tells two worlds apart: {told}")


def _compare_steps(
    subject: Subject, played: PlayedStep, other: Any, seat: Seat | None, luck: Dice, result: Checked
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
            result,
            "leak-event",
            played,
            "an event tells",
            seat,
            f"two worlds apart: {_differing_fields(differ)}",
        )
    if not alike:
        result.worlds_in_part += not differ
        return
    result.worlds_kept += 1
    view = subject.rules.view(again.state, seat)
    if json_for_seat(view) != played.after.text(seat):
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
        if json_for_seat(one) == json_for_seat(other):
            continue
        return False, events if _event_without_releases(one) != _event_without_releases(other) else ()
    return True, ()


def _differing_fields(events: tuple[Event, ...]) -> str:
    """Name the fields in which two events differ though they do not release them, or the kinds of events."""
    released = {f"{type(event).__name__}.{name}" for event in events for name in event.releases}
    names = ", ".join(sorted(differing_event_fields(*events, *(None,) * (2 - len(events))) - released))
    why = "what follows from a field that is released is released too: name it in releases as well"
    return f"{names}; {why}" if released else names


def _event_without_releases(event: Event) -> str:
    """Return an event without what it releases."""
    told = encode_event(event)
    return json.dumps({name: value for name, value in told.items() if name not in event.releases})


def seen(events: tuple[Event, ...], seat: Seat | None) -> tuple[Event, ...]:
    """Return the events of a step that a seat may know."""
    return tuple(entry.event for entry in visible((Recorded("", event) for event in events), seat))


def facts_of(subject: Subject, state: Any, seat: Seat | None, where: str) -> dict[str, Json]:
    """Return the facts of a report of a state, as the contract makes them: without a clock."""
    opening = subject.opening
    game = DealtGame(dict.fromkeys(subject.seats, ""), state)
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
        history=extend_history(extend_history({}, 0, counted), 1, counted),
    )
    return facts(opening, frame, opening.view(game, seat), opening.ask(game), ())


def _breach(result: Checked, kind: str, played: PlayedStep, what: str, seat: Seat | None, told: str) -> None:
    """Note what a reader knows or gets of a step; the same of several readers is one breach."""
    result.breach(kind, f"{what} {{}} {told}", played.where, reader=_reader_name(seat))


def _reader_name(seat: Seat | None) -> str:
    return seat or "the spectator"


def compare_orders(subject: Subject, played: PlayedStep, tries: int, result: Checked) -> None:
    """Resolve a step again with another legal order of one seat, and compare what all the others are told.

    Only steps in which several order at once are looked at: what a seat orders alone is there for all to
    watch, or `Subject.other_moves` says what is not. Most orders come out, and views show it: a card lies on
    the table, a region is held by another seat. An order that works on something hidden, as a bid works on a
    purse, comes out if an event tells it. No redeal would notice, for in other worlds the others order the
    same.

    Args:
        subject: The rules.
        played: The step as it was played.
        tries: So many other orders are tried.
        result: Where counts and breaches go.
    """
    rules = subject.rules
    for number in range(tries if len(played.moves) > 1 else 0):
        luck = played.dice.apart("orders", str(number))
        mover = luck.pick(sorted(played.moves), "mover")
        move = _other_move(subject, played, mover, luck)
        if move is None:
            continue
        again = rules.resolve(played.state, {**played.moves, mover: move}, played.dice)
        result.orders_changed += 1
        for seat in (*subject.seats, None):
            if seat != mover:
                _compare_orders(subject, played, again, seat, result)


def _other_move(subject: Subject, played: PlayedStep, mover: Seat, luck: Dice) -> Any:
    """Return another legal move of a seat, or None if its bot has none."""
    rules = subject.rules
    order = bot_order(rules, played.state, mover, luck.apart("bot"), "random", subject.takes)
    if order is None or not subject.takes(order):
        return None
    move = rules.read(order)
    if move == played.moves[mover] or rules.check(played.before.view(mover), move):
        return None
    return move


def _compare_orders(
    subject: Subject, played: PlayedStep, again: Step[Any], seat: Seat | None, result: Checked
) -> None:
    told, heard = seen(played.step.events, seat), seen(again.events, seat)
    first = next((pair for pair in zip_longest(told, heard) if differing_event_fields(*pair)), None)
    if first is None:
        return
    result.orders_told.update(differing_event_fields(*first))
    events = [event for event in first if event is not None]
    declared = {f"{type(one).__name__}.{name}" for one in events for name in (*one.releases, *one.announces)}
    leaked = differing_event_fields(*first) - declared
    if len({type(one) for one in events}) > 1 and declared:
        return  # another thing happened, and one of them is known to tell of orders
    if not leaked or leaked <= result.orders_leaked or again.state == played.step.state:
        return
    if json_for_seat(subject.rules.view(again.state, seat)) == played.after.text(seat):
        result.orders_leaked |= leaked
        result.breach(
            "orders-told",
            f"an event tells {seat or 'the spectator'} what another seat ordered in secret: "
            f"{', '.join(sorted(leaked))}. The view after it does not show that; if the rules mean it, "
            "show it there, or name the field in announces",
            played.where,
        )
