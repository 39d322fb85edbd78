"""What seats of Web of Intrigue can order: specials, bids, a guess and where to go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pbem.core.events import Seat

SPECIALS: Final = ("special_1", "special_2", "special_3")
BIDS: Final = ("bid_1", "bid_2", "bid_3")
PLACES: Final = ("special_1", "bid_1", "special_2", "bid_2", "special_3", "bid_3")
"""The six actions in the order of their phases; A to F of the order form."""


@dataclass(frozen=True, slots=True)
class Enact:
    """Enact a special; what it acts on is None where it is not given."""

    tile: str
    points: int
    square: str | None = None
    squares: tuple[str, ...] | None = None
    row: int | None = None
    column: str | None = None
    player: Seat | None = None


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid for an object."""

    tile: str
    points: int


@dataclass(frozen=True, slots=True)
class HouseGuess:
    """Guess which House a player plays."""

    player: Seat
    house: str


@dataclass(frozen=True, slots=True)
class Move:
    """One seat's orders for a turn; names that are no tile's or House's stand as they were written.

    Attributes:
        actions: What is ordered for places such as "bid_2", in the order of the phases.
        guess: The guess, if any.
        goal: The square to go to; None to stay.
    """

    actions: Mapping[str, Enact | Bid] = field(default_factory=dict)
    guess: HouseGuess | None = None
    goal: str | None = None
