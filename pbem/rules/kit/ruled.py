"""Rules that are put together from parts: functions that get the facts of the game first.

`Ruled` has what most rules do alike; what is left are the start, whom the game asks, what a silent seat does,
and how a step is resolved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType, ModuleType
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar, dataclass_transform

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat, event_kind
from pbem.core.foresight import Horizon, Later, Outlook, Plan
from pbem.core.interface import Choice, Choices, Draft, Forecast, Json, Label, Menu, Problem
from pbem.core.wording import Wording

F = TypeVar("F")
S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")
P = TypeVar("P")


class Seated(Protocol):
    """A view that shows who plays."""

    @property
    def players(self) -> Mapping[Seat, Any]:
        """What is known of each seat that somebody plays."""


VS = TypeVar("VS", bound=Seated)


def names_fit(facts: object, move: object, seat: Seat, seats: tuple[Seat, ...]) -> tuple[Problem, ...]:
    """Say that no name is wrong: rules whose schema lists all names need not look further."""
    return ()


def no_conditions(facts: object, view: object) -> tuple[Mapping[str, Json], ...]:
    """Name no conditions: of rules that declare none."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts(Generic[F, S, V, M]):
    """What rules are put together from: each is the method of that name, and is given the facts first.

    Attributes:
        facts: Builds the facts from the data tables; raises ValueError if they do not add up.
        wording: How orders, conditions and names are said.
        view: What a seat may know.
        read: An order that fits the schema, as a move.
        check: What is wrong with a move.
        choices: What may be ordered.
        forecast: What a move will try.
        suggest: A bot's order.
        draft: Orders that fit a position, as examples.
        redeal: Another world that a seat cannot tell from the given one.
        misnamed: What is wrong with the names in a move, whatever the view.
        conditions: Conditions that matter in a position, the most useful first.
    """

    facts: Callable[[Mapping[str, Json]], F]
    wording: Callable[[F], Wording]
    view: Callable[[F, S, Seat | None], V]
    read: Callable[[F, Json], M]
    check: Callable[[F, V, M], tuple[Problem, ...]]
    choices: Callable[[F, V], Choices]
    forecast: Callable[[F, V, M], Forecast]
    suggest: Callable[[F, V, Dice, str], Json]
    draft: Callable[[F, V, Choices], Draft]
    redeal: Callable[[F, S, Seat | None, Dice], S]
    misnamed: Callable[[F, M, Seat, tuple[Seat, ...]], Iterable[Problem]] = names_fit
    conditions: Callable[[F, V], Iterable[Mapping[str, Json]]] = no_conditions


Upgrades: TypeAlias = tuple[Callable[[dict[str, Json]], dict[str, Json]], ...]
"""What makes an older saved state of rules a newer one, a shape at a time."""


class Defaults:
    """What most rules have alike: no upgrades of saved games, and no constants that views do not show."""

    upgrades: Upgrades = ()
    constants: Mapping[str, str] = MappingProxyType({})


class Ruled(Defaults, Generic[F, S, V, M]):
    """Rules built from their facts; the attributes are those of `pbem.core.interface.Rules`."""

    parts: Parts[F, S, V, M]

    def __init__(self, facts: F) -> None:
        self.facts = facts
        self.wording = self.parts.wording(facts)

    @classmethod
    def load(cls, data: Mapping[str, Json]) -> Self:
        """Build the rules from their data tables.

        Raises:
            ValueError: The tables do not add up.
        """
        return cls(cls.parts.facts(data))

    def view(self, state: S, seat: Seat | None) -> V:
        """Return everything this seat may know."""
        return self.parts.view(self.facts, state, seat)

    def read(self, order: Json) -> M:
        """Return an order that fits the schema as a move."""
        return self.parts.read(self.facts, order)

    def check(self, view: V, move: M) -> tuple[Problem, ...]:
        """Return why a move is not legal."""
        return self.parts.check(self.facts, view, move)

    def choices(self, view: V) -> Choices:
        """Return what may be ordered, with what it does."""
        return self.parts.choices(self.facts, view)

    def forecast(self, view: V, move: M) -> Forecast:
        """Return what a legal move will try."""
        return self.parts.forecast(self.facts, view, move)

    def suggest(self, view: V, dice: Dice, skill: str) -> Json:
        """Return a bot's order; None if the seat has nothing to order."""
        return self.parts.suggest(self.facts, view, dice, skill)

    def conditions(self, view: V) -> Iterable[Mapping[str, Json]]:
        """Return conditions that matter in a position, the most useful first."""
        return self.parts.conditions(self.facts, view)

    def draft(self, view: V, choices: Choices) -> Draft:
        """Return orders that fit the position, as examples."""
        return self.parts.draft(self.facts, view, choices)

    def redeal(self, state: S, seat: Seat | None, dice: Dice) -> S:
        """Return another world that this seat cannot tell from the given one."""
        return self.parts.redeal(self.facts, state, seat, dice)

    def misnamed(self, move: M, seat: Seat, seats: tuple[Seat, ...]) -> tuple[Problem, ...]:
        """Return what is wrong with the names in an order, however the game is dealt."""
        return tuple(self.parts.misnamed(self.facts, move, seat, seats))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead(Generic[F, V, M]):
    """What rules know of later asks; each is the method of that name, and is given the facts first.

    Attributes:
        seats: All seats that there can be.
        horizon: What is always the same about asks and views, in a game of some seats.
        foresee: What the owner of a view can know of an order for a later ask.
        plan: Lines that are ready for the next asks.
    """

    seats: tuple[Seat, ...]
    horizon: Callable[[F, tuple[Seat, ...]], Horizon]
    foresee: Callable[[F, V, Later[M]], Outlook]
    plan: Callable[[F, V, M | None, int], Plan]


class RuledAhead(Ruled[F, S, VS, M]):
    """Rules that judge and plan orders for later asks too."""

    ahead: Ahead[F, VS, M]

    def __init__(self, facts: F) -> None:
        super().__init__(facts)
        self.horizon = self.ahead.horizon(facts, self.ahead.seats)

    def horizon_in(self, view: VS) -> Horizon:
        """Return what is always the same in the game of a view; seats without a player are no part of it."""
        return self.ahead.horizon(self.facts, tuple(view.players))

    def foresee(self, view: VS, later: Later[M]) -> Outlook:
        """Return what the owner of a view can know of an order for a later ask."""
        return self.ahead.foresee(self.facts, view, later)

    def plan(self, view: VS, now: M | None, asks: int) -> Plan:
        """Return lines for the next asks of a seat."""
        return self.ahead.plan(self.facts, view, now, asks)


def one_menu(title: str, items: Iterable[Choice]) -> Choices:
    """Return choices among whole orders; where there is one alone, it is no real choice.

    Args:
        title: What is chosen: "Your move".
        items: The orders, best explained first.
    """
    found = tuple(items)
    return Choices((Menu(("",), title, found),), found[0].order if len(found) == 1 else None)


def out_of_play(*, is_over: bool) -> tuple[Problem, ...]:
    """Return what is wrong with any order of a spectator, or when the game is over."""
    return (Problem((), "the game is over" if is_over else "a spectator gives no orders"),)


def round_from(seats: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    """Return the seats round the table, from one of them on."""
    at = seats.index(first)
    return seats[at:] + seats[:at]


def next_to(seats: tuple[Seat, ...], seat: Seat) -> Seat:
    """Return the seat that is next after another one round the table."""
    return seats[(seats.index(seat) + 1) % len(seats)]


def changed(players: Mapping[Seat, P], seat: Seat, **changes: object) -> dict[Seat, P]:
    """Return the sides of all seats, with some fields of one of them changed; each side is a dataclass."""
    return {**players, seat: replace(players[seat], **changes)}  # type: ignore[type-var]


class Running(Generic[F, S, P]):
    """A step while it is carried out: the only thing in rules that changes in place, and only in `resolve`.

    Attributes:
        facts: The facts of the game.
        before: The state before the step; what no step changes is read from it.
        dice: The dice of the step.
        now: The state as it is now, but for the players.
        players: The sides of all seats now; each is a dataclass.
        told: What has happened so far.
    """

    def __init__(self, facts: F, before: S, dice: Dice, players: Mapping[Seat, P]) -> None:
        self.facts, self.before, self.dice = facts, before, dice
        self.now, self.players = before, dict(players)
        self.told: list[Event] = []

    def tell(self, event: Event) -> None:
        """Add to what has happened."""
        self.told.append(event)

    def change(self, seat: Seat, **changes: object) -> None:
        """Change some fields of a seat's side."""
        self.players = changed(self.players, seat, **changes)

    def alter(self, **changes: object) -> None:
        """Change some fields of the state; it is a dataclass."""
        self.now = replace(self.now, **changes)  # type: ignore[type-var]


def label_after(seat: Seat, asks: int) -> Label:
    """Return the label of a seat's next ask: "red-4" after three."""
    return Label(f"{seat}-{asks + 1}")


def first_of(seats: tuple[Seat, ...]) -> Callable[[int], tuple[Seat, ...]]:
    """Return what names the first seats of some, for `System.seat_names`."""
    return lambda number: seats[:number]


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Happened(Event):
    """An event of the rules: each class below it is a frozen dataclass by itself, with fields by name.

    The lists of `Event` stand behind the base: `class CardDrawn(Happened, releases=("card",))`. Left out,
    they are those of the base.
    """

    def __init_subclass__(
        cls, *, releases: tuple[str, ...] = (), announces: tuple[str, ...] = (), **more: Any
    ) -> None:
        super().__init_subclass__(**more)
        cls.releases = releases or cls.releases
        cls.announces = announces or cls.announces
        event_kind(cls, kw_only=True)


def kinds_in(module: ModuleType) -> tuple[type[Event], ...]:
    """Return the kinds of events that a module defines, in their order, without bases of others."""
    classes = (one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Event))
    found = [one for one in classes if one.__module__ == module.__name__]
    bases = {base for one in found for base in one.__bases__}
    return tuple(one for one in found if one not in bases)
