"""What the contract is checked on, and what comes of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.interface import AnyRules, Ask, Plot, Stages, Step, default_stages
from pbem.core.opening import Opening
from pbem.text.codec import encode, encode_event
from pbem.text.schema import Schema

if TYPE_CHECKING:
    from jinja2 import Environment


OtherMoves = Callable[[Any, Mapping[Seat, Any], Seat | None, Dice], Mapping[Seat, Any]]
"""Returns other moves in a state, which a seat cannot tell from those given: (state, moves, seat, dice)."""


MakesPage = Callable[[Opening[Any, Any, Any], Any, Ask, Seat, Mapping[str, Any]], str]
"""Makes the order page of a seat that is asked: (rules with opening, state, ask, seat, report's facts)."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A rule system with what is needed to play and report it.

    Attributes:
        rules: The rules, built from their data.
        seats: The seats at the table.
        options: The rules' options in force.
        moves: The schema of `do`.
        environment: The report templates; None leaves reports out.
        plots: What reports draw of the game so far, as the System has it.
        stages: What lies within a step, as the System has it.
        book: Makes the game book, as text and as a page; None leaves it out.
        page: Makes the order page; None leaves it out.
        other_moves: Changes what the others ordered where nobody is ever told; None leaves their orders.
    """

    rules: AnyRules
    seats: tuple[Seat, ...]
    options: Mapping[str, Any]
    moves: Schema
    environment: Environment | None
    other_moves: OtherMoves | None = None
    plots: Mapping[str, Plot] = field(default_factory=dict)
    stages: Stages = default_stages
    book: Callable[[], tuple[str, str]] | None = None
    page: MakesPage | None = None

    @property
    def opening(self) -> Opening[Any, Any, Any]:
        """The rules with their opening, as the loop plays them."""
        return Opening(self.rules, self.seats, self.options, takes=self.takes)

    def takes(self, order: Any) -> bool:
        """Tell whether the schema of `do` takes an order."""
        return self.moves.takes(order)


class PositionViews:
    """What each seat sees of one position, and the spectator (None): asked of the rules once each."""

    def __init__(self, rules: AnyRules, state: Any) -> None:
        self._rules = rules
        self._views: dict[Seat | None, Any] = {}
        self._texts: dict[Seat | None, str] = {}
        self.state = state

    def view(self, seat: Seat | None) -> Any:
        """Return a view."""
        if seat not in self._views:
            self._views[seat] = self._rules.view(self.state, seat)
        return self._views[seat]

    def text(self, seat: Seat | None) -> str:
        """Return a view as text."""
        if seat not in self._texts:
            self._texts[seat] = json_for_seat(self.view(seat))
        return self._texts[seat]


def json_for_seat(value: object) -> str:
    """Return what a seat is told as text, tables in their own order, for reports print in that order."""
    return json.dumps(encode_event(value) if isinstance(value, Event) else encode(value))


def differing_fields(one: object, other: object) -> str:
    """Return the fields in which two views differ, also by a table's order, as ": board, deck"; or ""."""
    names = [
        each.name
        for each in (fields(one) if is_dataclass(one) and type(one) is type(other) else ())
        if json_for_seat(getattr(one, each.name)) != json_for_seat(getattr(other, each.name))
    ]
    return f": {', '.join(names)}" if names else ""


def differing_event_fields(one: Event | None, other: Event | None) -> set[str]:
    """Return in what two events differ: "CardsShown.cards"; the kinds alone where they are of two."""
    if one is None or other is None or type(one) is not type(other):
        return {type(event).__name__ for event in (one, other) if event is not None}
    here, there = encode_event(one), encode_event(other)
    names = [name for name, value in here.items() if json_for_seat(value) != json_for_seat(there[name])]
    return {f"{type(one).__name__}.{name}" for name in names}


@dataclass(frozen=True, slots=True)
class OrderedPosition:
    """A position in which the game waits, and what is ordered in it.

    Attributes:
        ask: Whom the game waits for.
        before: What each seat sees of it.
        asked: The highest count asked before, by owner of the label.
        moves: What all order.
        dice: The dice of the step.
        where: The place in breaches.
    """

    ask: Ask
    before: PositionViews
    asked: Mapping[str, int]
    moves: Mapping[Seat, Any]
    dice: Dice
    where: str

    @property
    def state(self) -> Any:
        """The position."""
        return self.before.state


@dataclass(frozen=True, slots=True)
class PlayedStep(OrderedPosition):
    """A step as it was played, to be compared with what would have been in other worlds.

    Attributes:
        step: What came of it.
        after: What each seat sees then.
    """

    step: Step[Any]
    after: PositionViews


@dataclass(slots=True)
class _Breach:
    kind: str
    told: str
    times: int = 0
    readers: dict[str, None] = field(default_factory=dict)

    def __str__(self) -> str:
        _, *others = self.readers
        too = f"; {', '.join(others)} too" if others else ""
        return self.told + (f" ({self.times} times in all{too})" if self.times > 1 else "")


@dataclass(slots=True)
class Checked:
    """What a check did and found.

    Attributes:
        games: Games played.
        steps: Steps resolved.
        views: Pairs of views compared.
        reports: Pairs of reports and forms compared.
        forms: Reports made with the form of a seat that is asked.
        worlds: Other worlds for a step.
        worlds_kept: Those in which all could move so and every release came out the same: compared whole.
        worlds_in_part: Those compared up to a release that came out otherwise.
        events: Events by kind.
        orders_changed: Steps that were resolved again with another order of one seat.
        orders_told: What tells a seat of another's order, by event and field: "CardsShown.cards"; of each
            step only the first event that does.
        orders_leaked: Those of them that tell what no view shows.
        lines_ahead: Orders judged for later asks.
        never: Those called impossible whose ask came.
        sure: Those called legal for certain whose ask came, with their condition.
        wrongly_never: Those called impossible that could have been played.
        wrongly_sure: Those called legal for certain that were refused.
        open: Those that were called neither whose ask came.
        in_vain: Those of the open ones that could not be played when the ask came.
        next_tried: Examples of forms for the next ask that were tried there, with their condition.
        next_refused: Those of them that were refused.
        next_shown: The last of them, in words.
        planted_found: Planted leaks that were found; two where something is hidden.
    """

    games: int = 0
    steps: int = 0
    views: int = 0
    reports: int = 0
    forms: int = 0
    worlds: int = 0
    worlds_kept: int = 0
    worlds_in_part: int = 0
    events: Counter[str] = field(default_factory=Counter)
    orders_changed: int = 0
    orders_told: set[str] = field(default_factory=set)
    orders_leaked: set[str] = field(default_factory=set)
    lines_ahead: int = 0
    never: int = 0
    sure: int = 0
    wrongly_never: int = 0
    wrongly_sure: int = 0
    open: int = 0
    in_vain: int = 0
    next_tried: int = 0
    next_refused: int = 0
    next_shown: str = ""
    planted_found: int = 0
    _found: dict[str, _Breach] = field(default_factory=dict)

    def breach(self, kind: str, text: str, where: str = "", *, reader: str = "") -> None:
        """Note a breach: where it came up first, how often, and with which readers.

        Args:
            kind: What is broken, in a word or two; "leak-" begins those that tell two worlds apart.
            text: What is wrong; `{}` stands for the reader. The same text is the same breach.
            where: The game and the ask, or "".
            reader: Who is told what is wrong, or "".
        """
        told = text.replace("{}", reader, 1) if reader else text
        found = self._found.setdefault(text, _Breach(kind, f"{where}: {told}" if where else told))
        found.times += 1
        found.readers[reader] = None

    @property
    def kinds(self) -> list[str]:
        """The kind of each breach, in the order of `breaches`."""
        return [one.kind for one in self._found.values()]

    @property
    def breaches(self) -> list[str]:
        """Each breach once, in a sentence with its first place, how often it came up, and other readers."""
        return [str(one) for one in self._found.values()]

    def __str__(self) -> str:
        """Return the counts and the breaches, a line each."""
        counts = (
            f"{self.games} games, {self.steps} steps; "
            f"{self.views} views and {self.reports} reports compared, {self.forms} forms made; "
            f"{self.worlds_kept} of {self.worlds} worlds kept, {self.worlds_in_part} more in part; "
            f"{self.orders_changed} other orders tried; "
            f"{self.lines_ahead} orders judged for later, {self.never} impossible and {self.sure} sure "
            "where their ask came; "
            f"{self.planted_found} planted leaks found"
        )
        told = ", ".join(sorted(self.orders_told)) or "nothing"
        told = f"told of others' orders, by the first event of a step that differs: {told}"
        return "\n".join([counts, told, *self.breaches])
