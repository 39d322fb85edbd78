"""Rules with one leak, to see that the contract finds it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.interface import AnyRules, Ask, Outcome, Step

S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")


class Leaky(Generic[S, V, M]):
    """Honest rules that see or tell a little more, as a subclass says."""

    def __init__(self, rules: AnyRules) -> None:
        self.honest: Any = rules  # with what these rules have of their own

    def ask(self, state: S) -> Ask | Outcome:
        """Return what the honest rules ask."""
        found: Ask | Outcome = self.honest.ask(state)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.honest, name)

    def view(self, state: S, seat: Seat | None) -> V:
        """Return the view with what `see` adds to it."""
        return self.see(self.honest.view(state, seat), state, seat)

    def resolve(self, state: S, moves: Mapping[Seat, M], dice: Dice) -> Step[S]:
        """Return the step with what `tell` makes of its events."""
        step = self.honest.resolve(state, moves, dice)
        return Step(step.state, tuple(self.tell(step, state, moves)))

    def see(self, view: V, state: S, seat: Seat | None) -> V:
        """Return the view that a seat is given."""
        return view

    def tell(self, step: Step[S], state: S, moves: Mapping[Seat, M]) -> Iterator[Event]:
        """Yield the events that are told."""
        return iter(step.events)
