"""What lies open on the table: land cards in rows, claiming stones, and where law cards lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbem.core.events import Seat
from pbem.rules.web_of_power_cards.state import Card
from pbem.rules.web_of_power_cards.taking import Rows, Scene


@dataclass(frozen=True, slots=True)
class Stock:
    """The stones of a seat that lie on no card: those in its reserve, and those out of the game."""

    reserve: int
    removed: int


@dataclass(frozen=True, slots=True)
class Table:
    """What lies open.

    Attributes:
        rows: The land cards that lie, row by row.
        covered: Those of them that a law card lies on.
        stones: The owner of each stone on a card.
        stocks: The stones of each seat that lie on no card.
        own_claim_free: Whether a seat may take a card under its own stone although it could take another.
    """

    rows: Rows
    covered: frozenset[Card]
    stones: Mapping[Card, Seat]
    stocks: Mapping[Seat, Stock]
    own_claim_free: bool

    def lying(self, seat: Seat) -> tuple[Card, ...]:
        """Return the cards under a seat's stones, row by row."""
        return tuple(card for row in self.rows for card in row if self.stones.get(card) == seat)

    def scene(self, seat: Seat) -> Scene:
        """Return the table as a seat finds it at the start of a turn."""
        spare = self.stocks[seat].reserve + sum(owner == seat for owner in self.stones.values())
        return Scene(seat, self.rows, self.stones, spare, own_claim_free=self.own_claim_free)

    def with_stone(self, card: Card, seat: Seat) -> Table:
        """Return the table with a stone of a seat on a card."""
        return replace(self, stones={**self.stones, card: seat})

    def without_stone(self, card: Card) -> Table:
        """Return the table without the stone on a card."""
        return replace(self, stones={one: owner for one, owner in self.stones.items() if one != card})

    def stocked(self, seat: Seat, *, reserve: int = 0, removed: int = 0) -> Table:
        """Return the table with so many stones more in a seat's reserve, and out of the game."""
        stock = self.stocks[seat]
        changed = Stock(stock.reserve + reserve, stock.removed + removed)
        return replace(self, stocks={**self.stocks, seat: changed})
