"""What a game of Game of Powers is made of: its names and its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NewType, TypeAlias

from pbem.core.events import Seat

City = NewType("City", str)
"""The id of a city: "sorte_muld"; four of them are the sites that cards come from."""

Section = NewType("Section", str)
"""The colour of two cities and of the fields of cards they share: "blue"."""

Token = NewType("Token", str)
"""A type of influence token: "military"."""

Category = NewType("Category", str)
"""What kind of find a card shows: "coins"."""

Card = NewType("Card", str)
"""The number of a card, as text: "14"."""

Task = NewType("Task", str)
"""The id of a task: "four_sites"."""

Direction: TypeAlias = Literal["clockwise", "anticlockwise"]
Tokens: TypeAlias = Mapping[Token, int]
"""How many tokens of each type; every type is there."""

CLOCKWISE: Final = "clockwise"
ANTICLOCKWISE: Final = "anticlockwise"
WAYS: Final[tuple[Direction, Direction]] = (CLOCKWISE, ANTICLOCKWISE)
SEATS: Final = (Seat("white"), Seat("black"), Seat("orange"), Seat("purple"), Seat("brown"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """What belongs to one seat.

    Attributes:
        city: Where its ship is; None until it is placed.
        direction: Which way round the sea its bow points.
        hand: Its cards, by number; hidden from those who have not seen them.
        open: Those of them that all have seen: taken from the open fields, or traded.
        shown: Those of them that an offer has shown to one other seat.
        tokens: Its influence tokens, open.
        played: The cards it has played, oldest first.
        tasks: The task tokens it has collected, with their points.
        asks: How many of its turns are over, the placing of the ship included.
        traded: Whether a trade was made with it since its last turn.
        beaten: Whether another has collected a task token since its last turn.
        start_points: Points that it began with, because others had the first turns; 0 without the option.
    """

    city: City | None = None
    direction: Direction = CLOCKWISE
    hand: tuple[Card, ...]
    open: tuple[Card, ...]
    shown: Mapping[Seat, tuple[Card, ...]]
    tokens: Tokens
    played: tuple[Card, ...] = ()
    tasks: Mapping[Task, int]
    asks: int = 0
    traded: bool = False
    beaten: bool = False
    start_points: int


@dataclass(frozen=True, slots=True)
class Wish:
    """A card that is wanted: a certain one, or any that has what is named; "" and 0 name nothing."""

    card: Card = Card("")
    site: City = City("")
    category: Category = Category("")
    token: Token = Token("")
    score: int = 0


@dataclass(frozen=True, slots=True)
class Lot:
    """What one side of a trade hands over."""

    tokens: Tokens
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Wants:
    """What one side of a trade wants to get."""

    tokens: Tokens
    cards: tuple[Wish, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A trade as one side sees it: what it gives and what it wants."""

    give: Lot
    want: Wants


@dataclass(frozen=True, slots=True)
class Offer:
    """A trade that the seat on turn has offered and that is not settled; only the two know what is in it.

    Attributes:
        partner: The seat it was offered to.
        deal: The offer, as the mover sees it.
        accepts: Counter-offers that the mover takes: gives at most, gets at least. Only it knows them.
        counter: The partner's counter-offer, as the partner sees it; None before there is one.
    """

    partner: Seat
    deal: Deal
    accepts: tuple[Deal, ...]
    counter: Deal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A whole game.

    Attributes:
        order: The seats in turn order; the first has the first player card.
        to_move: The seat on turn.
        players: What belongs to each seat.
        fields: The cards that lie open in each section.
        stock: The influence tokens on the field of each city.
        pool: The influence tokens beside the board.
        pile: The draw pile, next card first; hidden from all.
        under: Cards that were put under the pile and seen by all, next card first.
        box: Cards out of the game, oldest first.
        tasks: The task tokens left of each task, the next one first.
        offer: The trade that waits for an answer.
        may_trade: Whether trade is played with.
        is_last: Whether this is the last round: a field could not be filled.
        is_over: Whether the last round is over.
    """

    order: tuple[Seat, ...]
    to_move: Seat
    players: Mapping[Seat, Player]
    fields: Mapping[Section, tuple[Card, ...]]
    stock: Mapping[City, Tokens]
    pool: Tokens
    pile: tuple[Card, ...]
    under: tuple[Card, ...] = ()
    box: tuple[Card, ...] = ()
    tasks: Mapping[Task, tuple[int, ...]]
    offer: Offer | None = None
    may_trade: bool
    is_last: bool = False
    is_over: bool = False

    @property
    def mover(self) -> Player:
        """What belongs to the seat on turn."""
        return self.players[self.to_move]
