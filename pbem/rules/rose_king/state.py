"""What a game of The Rose King is made of: its names, its state and its moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

from pbem.core.events import Seat

Square = NewType("Square", str)
"""Column letter from west to east, row number from north to south: "E5"."""

Card = NewType("Card", str)
"""Direction and distance: "N2", "SW3"."""

RED: Final = Seat("red")
WHITE: Final = Seat("white")
SEATS: Final = (RED, WHITE)


EMPTY: Final = "empty"
"""What views and conditions have of a square that no token lies on."""


def opponent(seat: Seat) -> Seat:
    """Return the other seat."""
    return WHITE if seat == RED else RED


@dataclass(frozen=True, slots=True)
class Player:
    """What lies before one seat.

    Attributes:
        hand: Its power cards, face up, in card order.
        heroes: Its hero cards left.
        asks: How many of its turns are over, skipped ones included.
        tokens: Its own tokens left; None if the game has a common pool.
        turned: Whether its last turn turned over a token of the opponent.
    """

    hand: tuple[Card, ...]
    heroes: int
    asks: int
    tokens: int | None
    turned: bool


@dataclass(frozen=True, slots=True)
class State:
    """A whole game.

    Attributes:
        to_move: The seat on turn.
        crown: The square of the crown.
        tokens: The owner of every token on the board.
        players: What lies before each seat.
        pile: The draw pile, next card first; its order is the only secret.
        discards: The discarded power cards, oldest first.
        supply: Tokens left in the common pool; None if each seat has its own.
    """

    to_move: Seat
    crown: Square
    tokens: Mapping[Square, Seat]
    players: Mapping[Seat, Player]
    pile: tuple[Card, ...]
    discards: tuple[Card, ...]
    supply: int | None


@dataclass(frozen=True, slots=True)
class Play:
    """Play a power card, alone or with a hero."""

    card: Card
    hero: bool


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a power card."""


Move: TypeAlias = Play | Draw
