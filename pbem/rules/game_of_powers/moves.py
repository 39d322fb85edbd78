"""What seats of Game of Powers can order: placing a ship, turns with their actions, and answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

from pbem.rules.game_of_powers.offers import Accept, Counter, Decline, Proposal
from pbem.rules.game_of_powers.state import Card, City, Task, Token, Wish

ANY: Final = Token("any")
"""Instead of a type of token, or of a card, where any will do: those come first that suit best."""


@dataclass(frozen=True, slots=True)
class Place:
    """Place the ship at a city, its bow towards a direction or one of the next cities."""

    city: City
    facing: str


@dataclass(frozen=True, slots=True)
class TakeTokens:
    """Take tokens: types in the order of preference, "any" for one of those held least."""

    types: tuple[Token, ...]

    @classmethod
    def any(cls, number: int) -> Self:
        """Take so many, those first that are held least of."""
        return cls((ANY,) * number)


@dataclass(frozen=True, slots=True)
class TakeCards:
    """Take cards from the section of the city: wishes in the order of preference."""

    wishes: tuple[Wish, ...]

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Self:
        """Take certain cards."""
        return cls(tuple(Wish(card=card) for card in cards))

    @classmethod
    def any(cls, number: int) -> Self:
        """Take so many, the best first."""
        return cls((Wish(),) * number)


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Play cards of the hand, in this order."""

    cards: tuple[Card, ...]


Action: TypeAlias = TakeTokens | TakeCards | PlayCards


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

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that are returned."""
        return tuple(card for card in (self.reverse, self.extra) if card is not None)


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
    reverse: Card | None = None
    extra: Card | None = None
    action: Action | None = None
    claim: tuple[Task, ...] = ()
    trade: Proposal | None = None

    @property
    def played(self) -> tuple[Card, ...]:
        """The cards that its action plays."""
        return self.action.cards if isinstance(self.action, PlayCards) else ()


Move: TypeAlias = Place | Turn | Accept | Decline | Counter
