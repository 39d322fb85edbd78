"""What can happen in Game of Powers, and who is told.

All of it happens in the open but for what is in an offer, which only the two know, and what was left out of a
seat's own order. Which cards change hands in a trade is shown to all, as it is when the fields are filled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pbem.core.events import Event, Seat
from pbem.rules.game_of_powers.state import Card, City, Direction, Section, Task, Token


@dataclass(frozen=True, kw_only=True)
class ShipPlaced(Event):
    """A seat placed its ship."""

    seat: Seat
    city: City
    direction: Direction
    name: str


@dataclass(frozen=True, kw_only=True)
class CardReturned(Event):
    """A seat returned a card to turn its ship round ("reverse") or to sail further ("extra")."""

    seat: Seat
    card: Card
    title: str
    use: str
    under_pile: bool


@dataclass(frozen=True, kw_only=True)
class ShipSailed(Event):
    """A ship sailed so many spaces from one city to another."""

    seat: Seat
    city_from: City
    city: City
    name: str
    spaces: int
    direction: Direction


@dataclass(frozen=True, kw_only=True)
class TokensTaken(Event):
    """A seat took tokens from the field of a city."""

    seat: Seat
    city: City
    tokens: tuple[Token, ...]


@dataclass(frozen=True, kw_only=True)
class FieldRefilled(Event):
    """The field of a city was empty, and tokens from the pool were laid out there at random."""

    city: City
    name: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CardsTaken(Event):
    """A seat took open cards of a section."""

    seat: Seat
    section: Section
    cards: tuple[Card, ...]
    titles: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CardsLaidOut(Event):
    """Cards from the pile were laid out on the fields of a section; `pile` are left."""

    section: Section
    cards: tuple[Card, ...]
    titles: tuple[str, ...]
    pile: int

    releases: ClassVar[tuple[str, ...]] = ("cards", "titles")


@dataclass(frozen=True, kw_only=True)
class CardPlayed(Event):
    """A seat played a card for so many tokens of its type."""

    seat: Seat
    card: Card
    title: str
    token: Token
    paid: int
    score: int


@dataclass(frozen=True, kw_only=True)
class ActionSkipped(Event):
    """A seat could do nothing where its turn ended."""

    seat: Seat
    name: str


@dataclass(frozen=True, kw_only=True)
class TaskClaimed(Event):
    """A seat collected a task token."""

    seat: Seat
    task: Task
    name: str
    value: int


@dataclass(frozen=True, kw_only=True)
class TradeProposed(Event):
    """A seat offered another one a trade; what it is, only the two know."""

    seat: Seat
    partner: Seat


@dataclass(frozen=True, kw_only=True)
class TradeOffered(Event):
    """What is in an offer, or in a counter-offer: what its maker gives and wants, in words."""

    seat: Seat
    partner: Seat
    give: tuple[str, ...]
    want: tuple[str, ...]
    is_counter: bool


@dataclass(frozen=True, kw_only=True)
class TradeCountered(Event):
    """The partner answered an offer with another one."""

    seat: Seat
    partner: Seat


@dataclass(frozen=True, kw_only=True)
class TradeDeclined(Event):
    """A seat declined what was offered to it, and nothing changed hands."""

    seat: Seat
    partner: Seat


@dataclass(frozen=True, kw_only=True)
class TradeMade(Event):
    """Two seats traded: what the seat on turn gave and got, shown to all."""

    seat: Seat
    partner: Seat
    gave: tuple[str, ...]
    got: tuple[str, ...]

    releases: ClassVar[tuple[str, ...]] = ("gave", "got")


@dataclass(frozen=True, kw_only=True)
class PartLeftOut(Event):
    """A part of a seat's order could not be carried out, and the rest was."""

    seat: Seat
    why: str


@dataclass(frozen=True, kw_only=True)
class LastRoundBegun(Event):
    """A field of a section could not be filled: when the round is over, the game is."""

    section: Section


@dataclass(frozen=True, kw_only=True)
class PointsCounted(Event):
    """What each seat scores: "cards", "tasks", "bonus", "start", and its "unplayed" cards and tokens."""

    points: Mapping[Seat, Mapping[str, int]]
