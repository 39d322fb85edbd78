"""What can happen in Game of Powers, and who is told.

All of it happens in the open but for what is in an offer, which only the two know, and what was left out of a
seat's own order. Which cards change hands in a trade is shown to all, as it is when the fields are filled.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.events import Seat
from pbem.rules.game_of_powers.state import Card, City, Direction, Section, Task, Token
from pbem.rules.kit.ruled import Happened


class ShipPlaced(Happened):
    """A seat placed its ship."""

    seat: Seat
    city: City
    direction: Direction
    name: str


class CardReturned(Happened):
    """A seat returned a card to turn its ship round ("reverse") or to sail further ("extra")."""

    seat: Seat
    card: Card
    title: str
    use: str
    under_pile: bool


class ShipSailed(Happened):
    """A ship sailed so many spaces from one city to another."""

    seat: Seat
    city_from: City
    city: City
    name: str
    spaces: int
    direction: Direction


class TokensTaken(Happened):
    """A seat took tokens from the field of a city."""

    seat: Seat
    city: City
    tokens: tuple[Token, ...]


class FieldRefilled(Happened):
    """The field of a city was empty, and tokens from the pool were laid out there at random."""

    city: City
    name: str
    tokens: tuple[str, ...]


class CardsTaken(Happened):
    """A seat took open cards of a section."""

    seat: Seat
    section: Section
    cards: tuple[Card, ...]
    titles: tuple[str, ...]


class CardsLaidOut(Happened, releases=("cards", "titles")):
    """Cards from the pile were laid out on the fields of a section; `pile` are left."""

    section: Section
    cards: tuple[Card, ...]
    titles: tuple[str, ...]
    pile: int


class CardPlayed(Happened):
    """A seat played a card for so many tokens of its type."""

    seat: Seat
    card: Card
    title: str
    token: Token
    paid: int
    score: int


class ActionSkipped(Happened):
    """A seat could do nothing where its turn ended."""

    seat: Seat
    name: str


class TaskClaimed(Happened):
    """A seat collected a task token."""

    seat: Seat
    task: Task
    name: str
    value: int


class TradeProposed(Happened):
    """A seat offered another one a trade; what it is, only the two know."""

    seat: Seat
    partner: Seat


class TradeOffered(Happened):
    """What is in an offer, or in a counter-offer: what its maker gives and wants, in words."""

    seat: Seat
    partner: Seat
    give: tuple[str, ...]
    want: tuple[str, ...]
    is_counter: bool


class TradeCountered(Happened):
    """The partner answered an offer with another one."""

    seat: Seat
    partner: Seat


class TradeDeclined(Happened):
    """A seat declined what was offered to it, and nothing changed hands."""

    seat: Seat
    partner: Seat


class TradeMade(Happened, releases=("gave", "got")):
    """Two seats traded: what the seat on turn gave and got, shown to all."""

    seat: Seat
    partner: Seat
    gave: tuple[str, ...]
    got: tuple[str, ...]


class PartLeftOut(Happened):
    """A part of a seat's order could not be carried out, and the rest was."""

    seat: Seat
    why: str


class LastRoundBegun(Happened):
    """A field of a section could not be filled: when the round is over, the game is."""

    section: Section


class PointsCounted(Happened):
    """What each seat scores: "cards", "tasks", "bonus", "start", and its "unplayed" cards and tokens."""

    points: Mapping[Seat, Mapping[str, int]]
