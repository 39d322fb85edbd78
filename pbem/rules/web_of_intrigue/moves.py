"""What seats of Web of Intrigue can order: specials, bids, a guess and where to go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pbem.core.events import Seat

SPECIALS: Final = ("special_1", "special_2", "special_3")
BIDS: Final = ("bid_1", "bid_2", "bid_3")
PLACES: Final = ("special_1", "bid_1", "special_2", "bid_2", "special_3", "bid_3")
"""The six actions in the order of their phases; A to F of the order form."""


@dataclass(frozen=True, slots=True)
class Enact:
    """Enact a special; what it acts on is None where it is not given."""

    special: str
    points: int | None
    square: str | None = None
    squares: tuple[str, ...] | None = None
    row: int | None = None
    column: str | None = None
    player: Seat | None = None


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid for an object."""

    target: str
    points: int | None


@dataclass(frozen=True, slots=True)
class HouseGuess:
    """Guess which House a player plays."""

    player: Seat
    house: str


@dataclass(frozen=True, slots=True)
class Move:
    """One seat's orders for a turn; names that are no tile's or House's stand as they were written."""

    specials: tuple[Enact | None, Enact | None, Enact | None] = (None, None, None)
    bids: tuple[Bid | None, Bid | None, Bid | None] = (None, None, None)
    guess: HouseGuess | None = None
    goal: str | None = None

    def actions(self) -> Iterator[tuple[str, Enact | Bid]]:
        """Yield the actions that are ordered, with their places, in the order of the phases."""
        for place in PLACES:
            if (action := self.at(place)) is not None:
                yield place, action

    def at(self, place: str) -> Enact | Bid | None:
        """Return the action ordered for a place such as "bid_2"."""
        if place in SPECIALS:
            return self.specials[SPECIALS.index(place)]
        return self.bids[BIDS.index(place)]
