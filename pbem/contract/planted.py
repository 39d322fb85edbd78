"""Rules with a leak planted on purpose: a contract that does not find them proves nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.contract.playing import play
from pbem.contract.subject import Checked, Subject
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat
from pbem.core.foresight import Horizon, Later, Outlook, Plan, horizon_of, outlook_of, plan_of
from pbem.core.interface import AnyRules, Choices, Forecast, Json, Problem, Step
from pbem.text.codec import dumps_line, encode


@dataclass(frozen=True, slots=True)
class SpoiltView:
    """A view, and a hash of the whole state, which nobody should see."""

    view: Any
    leak: str


@dataclass(frozen=True)
class Whispered(Event):
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


class _Wrapped:
    """Rules that pass everything on."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


class LeakyViews(_Wrapped):
    """Rules whose views tell a hash of the state."""

    def view(self, state: Any, seat: Seat | None) -> SpoiltView:
        """Return the view with the leak."""
        return SpoiltView(self._rules.view(state, seat), _digest(state))

    def check(self, view: SpoiltView, move: Any) -> tuple[Problem, ...]:
        """Check on the honest view."""
        return self._rules.check(view.view, move)

    def choices(self, view: SpoiltView) -> Choices:
        """List the choices of the honest view."""
        return self._rules.choices(view.view)

    def hold(self, view: SpoiltView) -> Json:
        """Hold on the honest view."""
        return self._rules.hold(view.view)

    def forecast(self, view: SpoiltView, move: Any) -> Forecast:
        """Forecast from the honest view."""
        return self._rules.forecast(view.view, move)

    def horizon_in(self, view: SpoiltView) -> Horizon:
        """Read the horizon in the view behind."""
        return horizon_of(self._rules, view.view)

    def foresee(self, view: SpoiltView, later: Later[Any]) -> Outlook:
        """Look ahead on the view behind."""
        return outlook_of(self._rules, view.view, later)

    def plan(self, view: SpoiltView, now: Any, asks: int) -> Plan:
        """Plan on the view behind."""
        return plan_of(self._rules, view.view, now, asks)

    def bot_order(self, state: Any, seat: Seat, dice: Dice, skill: str) -> Json:
        """Play from the honest view."""
        return bot_order(self._rules, state, seat, dice, skill)


class LeakyEvents(_Wrapped):
    """Rules whose every step tells a hash of the state."""

    def resolve(self, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> Step[Any]:
        """Resolve honestly and add the leak."""
        step = self._rules.resolve(state, moves, dice)
        return Step(step.state, (*step.events, Whispered(_digest(state), to=ALL)))


def _digest(state: object) -> str:
    return hashlib.sha256(dumps_line(encode(state)).encode()).hexdigest()
