"""What seats of Game of Powers can order: turns with their actions, offers and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.core.events import Seat
from pbem.rules.game_of_powers.state import Card, City, Deal, Task, Token, Wish


@dataclass(frozen=True, slots=True)
class Place:
    """Place the ship at a city, its bow towards a direction or one of the next cities."""

    city: City
    facing: str


@dataclass(frozen=True, slots=True)
class TakeTokens:
    """Take tokens: types in the order of preference, "any" for one of those held least."""

    types: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class TakeCards:
    """Take cards from the section of the city: wishes in the order of preference."""

    wishes: tuple[Wish, ...]


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Play cards of the hand, in this order."""

    cards: tuple[Card, ...]


Action: TypeAlias = TakeTokens | TakeCards | PlayCards


@dataclass(frozen=True, slots=True)
class Proposal:
    """A trade offered to the owner of another ship, and the counter-offers that are accepted beforehand."""

    partner: Seat
    deal: Deal
    accepts: tuple[Deal, ...]


class Returning:
    """What returns cards to sail: one to turn the ship round first, and one to go further."""

    __slots__ = ()

    reverse: Card | None
    extra: Card | None

    @property
    def returned(self) -> dict[str, Card]:
        """The cards that are returned, by what for: "reverse" and "extra"."""
        uses = {"reverse": self.reverse, "extra": self.extra}
        return {use: card for use, card in uses.items() if card is not None}


@dataclass(frozen=True, slots=True)
class Turn(Returning):
    """A turn: sail, perform one action, and perhaps claim a task token and offer a trade.

    Attributes:
        sail: The city, or how many spaces ahead.
        reverse: The card returned to turn the ship round first.
        extra: The card returned to sail further.
        action: The action; None where none is possible.
        claim: Tasks in the order of preference.
        trade: A trade that is offered.
    """

    sail: City | int
    reverse: Card | None
    extra: Card | None
    action: Action | None
    claim: tuple[Task, ...]
    trade: Proposal | None


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept what is on the table; with terms, only if it gives at least and takes at most so much."""

    terms: Deal | None


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline what is on the table."""


@dataclass(frozen=True, slots=True)
class Counter:
    """Answer an offer with another one."""

    deal: Deal


Answer: TypeAlias = Accept | Decline | Counter
Move: TypeAlias = Place | Turn | Accept | Decline | Counter
