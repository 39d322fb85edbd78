"""What a rule system may bring besides its rules, and what stands in the place of what it does not bring."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

from pbem.core.events import Event, Seat

if TYPE_CHECKING:
    from pbem.core.dice import Dice
    from pbem.core.interface import AnyRules, Json, Outcome

S = TypeVar("S")

Tables: TypeAlias = "Mapping[str, Mapping[str, int]]"
Tally: TypeAlias = "Callable[[Any, Outcome, Sequence[Event]], Tables]"


def count_nothing(rules: AnyRules, outcome: Outcome, events: Sequence[Event]) -> Tables:
    """Return no tables: the tally of a rule system that has none of its own."""
    return {}


Hints: TypeAlias = "Callable[[Any, Any], Json]"


def hint_nothing(rules: AnyRules, view: object) -> Json:
    """Return no hints: the form page of a rule system that has no script of its own."""
    return None


Trials: TypeAlias = "Callable[[Any, Any], Sequence[Json]]"


def try_nothing(rules: AnyRules, view: object) -> Sequence[Json]:
    """Return no orders to try: the form page knows the forecasts of whole orders of menus alone."""
    return ()


Told: TypeAlias = "Callable[[Any, Mapping[str, Json]], Mapping[str, Json]]"


def tell_nothing(rules: AnyRules, options: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return nothing: the game book of a rule system whose data tables tell all that it needs."""
    return {}


Renewed: TypeAlias = "Callable[[Json, int], Json]"


def renew_nothing(order: Json, version: int) -> Json:
    """Return an order as it is: what it means has been the same in all versions of the rules."""
    return order


class Stage(NamedTuple, Generic[S]):
    """A part of a step, for those who look back at it: its name, the state after it, what happened in it."""

    name: str
    state: S
    events: tuple[Event, ...]


Stages: TypeAlias = "Callable[[Any, Any, Mapping[Seat, Any], Dice], Sequence[Stage[Any]]]"


def resolve_at_once(
    rules: AnyRules, state: object, moves: Mapping[Seat, Any], dice: Dice
) -> Sequence[Stage[Any]]:
    """Return no stages: the steps of a rule system that knows nothing between their beginning and end."""
    return ()


Whole: TypeAlias = "Callable[[Any, Any], tuple[Any, Sequence[Event]]]"


def show_spectator(rules: AnyRules, state: object) -> tuple[Any, Sequence[Event]]:
    """Return the spectator's view: the board of a rule system that shows nobody more than that."""
    return rules.view(state, None), ()


Numbers: TypeAlias = "Mapping[str, int] | Mapping[Seat, int]"
"""Whole numbers by any name; seats count as names."""

Plot: TypeAlias = "Callable[[Any], Numbers]"
