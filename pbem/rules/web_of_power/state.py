"""What a game of Web of Power is made of: its names, its state and its moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, NewType, TypeAlias

from pbem.core.events import Seat

Country = NewType("Country", str)
"""One of the nine countries: "franken"."""

Site = NewType("Site", str)
"""A place for one cloister: "mainz"."""

Card = NewType("Card", str)
"""A type of card, named after the countries that it shows: "franken_aragon"."""

SEATS: Final = tuple(map(Seat, ("yellow", "red", "green", "purple", "blue")))

CLOISTER: Final = "cloister"
ADVISOR: Final = "advisor"
ANY: Final = "any"
MATCH: Final = "match"
PILE: Final = "pile"


@dataclass(frozen=True, slots=True)
class Player:
    """What lies before one seat.

    Attributes:
        hand: Its cards, in card order; hidden from the others but for those that are `known`.
        known: Cards of the hand that all saw it take, in card order.
        points: Points scored so far.
        asks: How many of its turns are over.
        led: Countries in which it had or shared most cloisters when its last turn was over.
        news: Countries in which others placed pieces since then.
    """

    hand: tuple[Card, ...]
    known: tuple[Card, ...] = ()
    points: int = 0
    asks: int = 0
    led: tuple[Country, ...] = ()
    news: tuple[Country, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A whole game.

    Attributes:
        seats: The seats in clockwise order.
        starter: The seat with the start marker.
        to_move: The seat on turn.
        half: 1 until the pile runs out for the first time, then 2.
        closing: Whether the pile ran out for the second time: the last turns are played.
        ended: Why the game is over; "" while it goes on.
        alliances: The set of alliances in force.
        next_in_turn: Whether the second half begins with the seat that is next, not the starter's neighbour.
        players: What lies before each seat.
        cloisters: The owner of every site that is taken.
        advisors: How many advisors each seat has in each country; only those that have any.
        pile: The draw pile, next card first; secret.
        face_up: The open cards beside it, oldest first.
        discards: How many cards of each type lie on the discard pile; only types that do.
    """

    seats: tuple[Seat, ...]
    starter: Seat
    to_move: Seat
    half: int
    closing: bool
    ended: str
    alliances: str
    next_in_turn: bool
    players: Mapping[Seat, Player]
    cloisters: Mapping[Site, Seat]
    advisors: Mapping[Country, Mapping[Seat, int]]
    pile: tuple[Card, ...]
    face_up: tuple[Card, ...]
    discards: Mapping[Card, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """A placement as it was ordered, with preferences.

    Attributes:
        countries: Where, the first that is possible; `any` stands for all countries in scoring order.
        pieces: For each piece what it may be, the first that is possible: a site, `cloister` or `advisor`.
        pay: The cards to pay with; None chooses them.
    """

    countries: tuple[str, ...]
    pieces: tuple[tuple[str, ...], ...]
    pay: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Move:
    """A turn as it was ordered.

    Attributes:
        plans: Placements, the first that is possible.
        discard: The card to throw away if none is: types in order of preference, or `any`.
        draw: What to take for each missing card in turn, by preference: types that lie open, `match` or
            `pile`. The last entry serves for all further cards.
    """

    plans: tuple[Plan, ...]
    discard: tuple[str, ...]
    draw: tuple[tuple[str, ...], ...]


class Placed(NamedTuple):
    """A placement as it is carried out.

    Attributes:
        country: Where.
        pieces: A site for a cloister, `advisor` for an advisor, in the order in which they are placed.
        cards: What it costs, in card order.
    """

    country: Country
    pieces: tuple[str, ...]
    cards: tuple[Card, ...]

    @property
    def sites(self) -> tuple[Site, ...]:
        """The sites of its cloisters."""
        return tuple(Site(piece) for piece in self.pieces if piece != ADVISOR)

    @property
    def kind(self) -> tuple[Country, int, int]:
        """Where how many cloisters and how many advisors are placed: points of countries hang on no more."""
        sent = self.pieces.count(ADVISOR)
        return self.country, len(self.pieces) - sent, sent


class Discarded(NamedTuple):
    """A card that is thrown away instead."""

    card: Card

    @property
    def cards(self) -> tuple[Card, ...]:
        """What it costs."""
        return (self.card,)


Act: TypeAlias = Placed | Discarded
