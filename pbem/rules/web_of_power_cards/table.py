"""What lies open on the table: land cards in rows, where law cards lie, and the use of claiming stones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import Card, Law
from pbem.rules.web_of_power_cards.taking import Rows, Scene, ends, without


class Stock(NamedTuple):
    """The stones of a seat that lie on no card: those in its reserve, and those out of the game."""

    reserve: int
    removed: int


class Table(NamedTuple):
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

    @property
    def cards(self) -> tuple[Card, ...]:
        """The land cards that lie, row by row."""
        return tuple(chain.from_iterable(self.rows))

    def free(self) -> tuple[Card, ...]:
        """Return the cards that a stone may be put on: all that lie without one, row by row.

        Source: rulebook, "Place a claiming stone", first paragraph.
        """
        return tuple(card for card in self.cards if card not in self.stones)

    def locked(self) -> tuple[Card, ...]:
        """Return the cards that a seat could take next, but not under its own stone.

        Source: rulebook, "Taking a Land card covered by a claiming stone", third paragraph.
        """
        return () if self.own_claim_free else ends(self.rows)

    def depths(self) -> dict[Card, int]:
        """Return how many cards must go before each is at an end of its row, row by row."""
        return {card: min(place, len(row) - 1 - place) for row in self.rows for place, card in enumerate(row)}

    def lying(self, seat: Seat) -> tuple[Card, ...]:
        """Return the cards under a seat's stones, row by row."""
        mine = [card for card, owner in self.stones.items() if owner == seat]
        return tuple(card for card in self.cards if card in mine) if mine else ()

    def scene(
        self, seat: Seat, taken: tuple[Card, ...] = (), in_force: frozenset[Law] = frozenset(), more: int = 0
    ) -> Scene:
        """Return the table as a seat finds it in its turn.

        Args:
            seat: The seat on turn.
            taken: The cards that it took in this turn.
            in_force: The law cards that it played.
            more: How many stones more it has than lie here, by a law card.
        """
        spare = self.stocks[seat].reserve + list(self.stones.values()).count(seat) + more
        return Scene(seat, self.rows, self.stones, spare, taken, in_force, self.own_claim_free)

    def without_card(self, card: Card) -> Table:
        """Return the table without a land card; what lies on it stays as it is."""
        return self._replace(rows=without(self.rows, card))

    def with_stone(self, card: Card, seat: Seat) -> Table:
        """Return the table with a stone of a seat on a card."""
        return self._replace(stones={**self.stones, card: seat})

    def without_stone(self, card: Card) -> Table:
        """Return the table without the stone on a card."""
        return self._replace(stones={one: owner for one, owner in self.stones.items() if one != card})

    def stocked(self, seat: Seat, *, reserve: int = 0, removed: int = 0) -> Table:
        """Return the table with so many stones more in a seat's reserve, and out of the game."""
        stock = self.stocks[seat]
        changed = Stock(stock.reserve + reserve, stock.removed + removed)
        return self._replace(stocks={**self.stocks, seat: changed})


def may_place(facts: Facts, table: Table, seat: Seat) -> bool:
    """Tell whether a seat may put one more stone on a card: it has one in reserve, and too few lie on cards.

    Source: rulebook, "Place a claiming stone", second and third paragraph.
    """
    most = facts.most_on_cards[len(table.stocks)]
    return table.stocks[seat].reserve > 0 and len(table.lying(seat)) < most


def may_move(facts: Facts, table: Table, seat: Seat) -> bool:
    """Tell whether a seat may move a stone: it has some on cards and can place no more.

    Source: rulebook, "Place a claiming stone", last paragraph.
    """
    return bool(table.lying(seat)) and not may_place(facts, table, seat)


def why_not_free(table: Table, wanted: Sequence[Card]) -> str:
    """Say why no stone can be put on any of some cards."""
    owners = [(card, table.stones.get(card)) for card in wanted[:3]]
    reasons = [
        f"a stone of {owner} lies on {card}" if owner else f"{card} does not lie on the table then"
        for card, owner in owners
    ]
    more = f", and so on for {len(wanted) - 3} more" if len(wanted) > 3 else ""
    return f"{'; '.join(reasons)}{more}"
