"""What lies open on the table: land cards in rows, where law cards lie, and the use of claiming stones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from pbem.core.events import ALL, Event, Seat
from pbem.rules.web_of_power_cards import events
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


def may_place(reserve: int, lying: int, most: int) -> bool:
    """Tell whether a seat may put one more stone on a card.

    Args:
        reserve: Its stones that lie before it.
        lying: Its stones on cards.
        most: The most that may lie on cards.

    Source: rulebook, "Place a claiming stone", second and third paragraph.
    """
    return reserve > 0 and lying < most


def may_move(reserve: int, lying: int, most: int) -> bool:
    """Tell whether a seat may move a stone: it has some on cards and can place no more.

    Source: rulebook, "Place a claiming stone", last paragraph.
    """
    return lying > 0 and not may_place(reserve, lying, most)


def paying_card(lying: Sequence[Card], wanted: Sequence[Card]) -> Card | None:
    """Return the card from which a seat gives up a stone when its reserve is empty; None if it must choose.

    Args:
        lying: The cards under its stones.
        wanted: The cards that it named for this, first one first.

    Source: rulebook, "Taking a Land card covered by a claiming stone", second paragraph and example.
    """
    named = next((card for card in wanted if card in lying), None)
    return named or (lying[0] if len(lying) == 1 else None)


def place_stone(
    facts: Facts, table: Table, seat: Seat, wanted: Sequence[Card], lift: Sequence[Card]
) -> tuple[Table, Event] | str:
    """Put a stone on the first card that is free for one, from the reserve or else from another card.

    Returns:
        The table with what happened, or why no stone can be put there.

    Source: rulebook, "Place a claiming stone".
    """
    mine, reserve = table.lying(seat), table.stocks[seat].reserve
    most, free = facts.most_on_cards[len(table.stocks)], table.free()
    card = next((one for one in wanted if one in free), None)
    if card is None:
        return _not_free(table, wanted)
    if may_place(reserve, len(mine), most):
        placed = events.StonePlaced(seat=seat, card=card, reserve=reserve - 1, to=ALL)
        return table.with_stone(card, seat).stocked(seat, reserve=-1), placed
    if not may_move(reserve, len(mine), most):
        return "you have no claiming stone left"
    source = next((one for one in lift if one in mine), None)
    if source is None:
        why = "you can place no further stone, only move one"
        return f"{why}: from: [X] must say which, on {' or '.join(mine)}"
    moved = events.StoneMoved(seat=seat, card_from=source, card_to=card, to=ALL)
    return table.without_stone(source).with_stone(card, seat), moved


def take_back_own(table: Table, card: Card, seat: Seat) -> tuple[Table, Event]:
    """Take the own stone on a card that was taken back into the reserve.

    Source: rulebook, "Taking a Land card covered by a claiming stone", first paragraph.
    """
    back = events.StoneTakenBack(seat=seat, card=card, to=ALL)
    return table.without_stone(card).stocked(seat, reserve=1), back


def pay(table: Table, seat: Seat, card: Card, source: Card | None) -> tuple[Table, Event]:
    """Remove a stone from the game for a card under the stone of another seat, which has it back.

    Args:
        table: The table.
        seat: Who took the card.
        card: The card.
        source: The card from which the stone is given up if the reserve is empty.

    Raises:
        ValueError: There is no stone to pay.

    Source: rulebook, "Taking a Land card covered by a claiming stone", second paragraph.
    """
    owner = table.stones[card]
    if table.stocks[seat].reserve:
        source = None
        paid = table.stocked(seat, reserve=-1, removed=1)
    elif source is not None:
        paid = table.without_stone(source).stocked(seat, removed=1)
    else:
        raise ValueError(f"expected a stone of {seat} to pay for {card} with, got none")
    after = paid.without_stone(card).stocked(owner, reserve=1)
    left = after.scene(seat).spare
    broken = events.ClaimBroken(seat=seat, owner=owner, card=card, paid_from=source, left=left, to=ALL)
    return after, broken


def _not_free(table: Table, wanted: Sequence[Card]) -> str:
    """Say why no stone can be put on any of some cards."""
    owners = [(card, table.stones.get(card)) for card in wanted[:3]]
    reasons = [
        f"a stone of {owner} lies on {card}" if owner else f"{card} does not lie on the table then"
        for card, owner in owners
    ]
    more = f", and so on for {len(wanted) - 3} more" if len(wanted) > 3 else ""
    return f"{'; '.join(reasons)}{more}"
