"""The contract: what every rule system must keep, checked by playing; also for rules of your own.

result = check(subject)
assert not result.breaches, result

Rules with a leak planted on purpose stand here too: a contract that does not find them proves nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pbem.contract.playing import play
from pbem.contract.shown import check_book, check_next_ask
from pbem.contract.subject import Checked, Subject
from pbem.contract.worlds import FieldWatch
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.foresight import Horizon, Later, Outlook, Plan, horizon_of, outlook_of, plan_of
from pbem.core.interface import AnyRules, Choices, Forecast, Json, Problem, Step
from pbem.text.codec import dumps_line, encode


@dataclass(frozen=True, slots=True)
class LeakyView:
    """A view, and a hash of the whole state, which nobody should see."""

    view: Any
    leak: str


@dataclass(frozen=True)
class StateLeaked(Event):
    """A hash of the whole state, told to everybody."""

    leak: str


def find_leak(subject: Subject, *, games: int = 1, worlds: int = 4, seed: str = "planted") -> str:
    """Play rules with a leak until the comparison of worlds finds it.

    Returns:
        The first breach that tells two worlds apart, or "" if no game has any.
    """
    for number in range(games):
        found = Checked()
        skill = "greedy" if number % 2 else "random"
        for _ in play(subject, f"{seed}/{number}", skill, worlds, found, None):
            for kind, breach in zip(found.kinds, found.breaches, strict=True):
                if kind.startswith("leak-"):
                    return breach
    return ""


class _RulesProxy:
    """Rules that pass everything on."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


class LeakyViews(_RulesProxy):
    """Rules whose views tell a hash of the state."""

    def view(self, state: Any, seat: Seat | None) -> LeakyView:
        """Return the view with the leak."""
        return LeakyView(self._rules.view(state, seat), _digest(state))

    def check(self, view: LeakyView, move: Any) -> tuple[Problem, ...]:
        """Check on the honest view."""
        return self._rules.check(view.view, move)

    def choices(self, view: LeakyView) -> Choices:
        """List the choices of the honest view."""
        return self._rules.choices(view.view)

    def hold(self, view: LeakyView) -> Json:
        """Hold on the honest view."""
        return self._rules.hold(view.view)

    def forecast(self, view: LeakyView, move: Any) -> Forecast:
        """Forecast from the honest view."""
        return self._rules.forecast(view.view, move)

    def horizon_in(self, view: LeakyView) -> Horizon:
        """Read the horizon in the view behind."""
        return horizon_of(self._rules, view.view)

    def foresee(self, view: LeakyView, later: Later[Any]) -> Outlook:
        """Look ahead on the view behind."""
        return outlook_of(self._rules, view.view, later)

    def plan(self, view: LeakyView, now: Any, asks: int) -> Plan:
        """Plan on the view behind."""
        return plan_of(self._rules, view.view, now, asks)

    def bot_order(self, state: Any, seat: Seat, dice: Dice, skill: str) -> Json:
        """Play from the honest view."""
        return bot_order(self._rules, state, seat, dice, skill)


class LeakyEvents(_RulesProxy):
    """Rules whose every step tells a hash of the state."""

    def resolve(self, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> Step[Any]:
        """Resolve honestly and add the leak."""
        step = self._rules.resolve(state, moves, dice)
        return Step(step.state, (*step.events, StateLeaked(_digest(state), to=ALL)))


def _digest(state: object) -> str:
    return hashlib.sha256(dumps_line(encode(state)).encode()).hexdigest()


__all__ = ["Checked", "Subject", "check"]


def check(subject: Subject, *, games: int = 10, worlds: int = 4, seed: str = "contract") -> Checked:
    """Play games and compare every seat's knowledge between worlds it must not tell apart.

    Args:
        subject: The rules with what is needed to play and report them.
        games: How many games; greedy bots play every second one.
        worlds: Other worlds compared at each step, for each seat and the spectator; 1 or 2 do for many seats.
        seed: Any text; the same text gives the same games.

    Returns:
        What was checked and every breach; none means that the rules keep the contract.
    """
    result, fields = Checked(), FieldWatch(subject)
    for number in range(games):
        skill = "greedy" if number % 2 else "random"
        for _ in play(subject, f"{seed}/{number}", skill, worlds, result, fields):
            pass
    fields.report(result)
    check_next_ask(result)
    _check_kinds(subject, result)
    _check_schema(subject, result)
    check_book(subject, result)
    if fields.has_hidden_fields:
        _check_planted_leaks(subject, seed, worlds, result)
    return result


def _check_kinds(subject: Subject, result: Checked) -> None:
    declared = {kind.__name__ for kind in subject.rules.event_kinds}
    for name in sorted(result.events.keys() - declared):
        result.breach("event-unlisted", f"the event {name} is not listed in event_kinds")


def _check_schema(subject: Subject, result: Checked) -> None:
    """Every field a player may write has a title and a description, for forms and editors."""
    for place, field in _field_schemas(dict(subject.moves.schema), "do"):
        for wanted in ("title", "description"):
            if not isinstance(field.get(wanted), str):
                result.breach("schema-incomplete", f"the schema of orders: {place} has no {wanted}")


def _field_schemas(schema: Json, place: str) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield every schema of a field, with the path players write; conditions between fields are none."""
    if not isinstance(schema, dict):
        return
    yield place, schema
    fields = schema.get("properties")
    for name, field in (fields if isinstance(fields, dict) else {}).items():
        yield from _field_schemas(field, f"{place}.{name}")
    items = schema.get("items")
    if isinstance(items, dict) and "properties" in items:
        yield from _field_schemas(items, f"{place}[]")


def _check_planted_leaks(subject: Subject, seed: str, worlds: int, result: Checked) -> None:
    """Plant a leak in the views, then one in the events: the comparison must find both."""
    for name, leaky in (
        ("view", LeakyViews(subject.rules)),
        ("event", LeakyEvents(subject.rules)),
    ):
        spoilt = replace(subject, rules=leaky, environment=None)
        if find_leak(spoilt, worlds=worlds, seed=seed):
            result.planted_found += 1
        else:
            result.breach(
                "leak-not-found",
                f"a leak planted in a {name} was not found: the comparison of worlds is blind",
            )
