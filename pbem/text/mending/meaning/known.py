"""What is known of a game while the orders of one of its seats are mended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Label, Outcome, Problem
from pbem.core.labels import next_label, parts
from pbem.text.mending.meaning.names import Names
from pbem.text.mending.meaning.viewwalk import texts_in
from pbem.text.submission.orders import Grammar

NOBODY: Final = Seat("")


def no_problems(line: Mapping[str, Json]) -> tuple[Problem, ...]:
    """Find nothing wrong: where the rules cannot be asked."""
    return ()


def reads_alike(one: Json, other: Json) -> bool:
    """Take no two orders for the same: where the rules cannot be asked."""
    return False


@dataclass(frozen=True)
class Known:
    """A game as one seat may know it.

    Attributes:
        games: The ids of the games of the home.
        grammar: What orders of the game may look like; None as long as the game is not known.
        seats: What the seats are called.
        seat: Whose orders these are; "" as long as it is not known.
        ask: Whom the game waits for.
        asked: The highest count asked so far, by owner of the label.
        things: What the things of the game are called.
        view: What the seat sees; None before the deal.
        problems: What the rules find wrong with a line of orders now, or for good.
        same: Tells whether the rules read two orders as the same.
        said: Says a name as reports write it.
    """

    games: tuple[str, ...] = ()
    grammar: Grammar | None = None
    seats: Names = field(default_factory=Names)
    seat: Seat = NOBODY
    ask: Ask | Outcome | None = None
    asked: Mapping[str, int] = field(default_factory=dict)
    things: Names = field(default_factory=Names)
    view: object = None
    problems: Callable[[Mapping[str, Json]], tuple[Problem, ...]] = no_problems
    same: Callable[[Json, Json], bool] = reads_alike
    said: Callable[[str], str] = str

    @cached_property
    def shown(self) -> Names:
        """The texts in the seat's view, each with the words that reports have for it."""
        return Names({one: (self.said(one),) for one in sorted(texts_in(self.view)) if one})

    @cached_property
    def kinds(self) -> tuple[frozenset[str], ...]:
        """What is of one kind: the ids of each table of the game, and the seats."""
        return (*self.things.kinds, frozenset(self.seats.ids))

    @property
    def here(self) -> Label | None:
        """The label under which the seat is asked next, now or later; None when the game is over."""
        if not isinstance(self.ask, Ask) or not self.seat:
            return None
        return next_label(self.ask, self.asked, self.seat) or None

    def label(self, number: int) -> Label | None:
        """Return the seat's own label of a number: `red-36`, or `turn-6` where all order at once."""
        own = self.owner
        return Label(f"{own}-{number}") if own and 0 < number < 1_000_000 else None

    @property
    def owner(self) -> str:
        """What stands before the number in the seat's own labels; "" if nobody knows."""
        found = parts(self.here or "")
        if found is None or isinstance(self.ask, Outcome | None):
            return ""
        return "turn" if found.owner == "turn" else str(self.seat)

    def after(self, label: Label) -> Label | None:
        """Return the seat's next label after one of its own."""
        found = parts(label)
        return self.label(found.count + 1) if found else self.label(1)
