"""Reach: which land cards can lie, and come to an end of their rows, until a later ask of a seat."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.rules.kit.ruled import round_from
from pbem.rules.web_of_power_cards.check import try_out
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import COLOURS, THREE, Card, Law, Move, Take
from pbem.rules.web_of_power_cards.table import Table
from pbem.rules.web_of_power_cards.view import View


class Until(NamedTuple):
    """What is certain of the table at a later ask of a seat, and what may change until then.

    Attributes:
        facts: The cards and the numbers.
        view: What the seat knows now.
        me: The seat.
        own: So many own turns of the seat come before.
        table: The table now, or after the present turn of the seat if all of that is known.
        mine: The cards that the seat surely takes before.
        turns: So many turns are open in which anybody may take cards.
        turns_of: How many turns of each seat come before; one that is known is left out.
        own_open: How many of them are the seat's own.
        helps: So many law cards of each type may be played in them.
    """

    facts: Facts
    view: View
    me: Seat
    own: int
    table: Table
    mine: frozenset[Card]
    turns: int
    turns_of: Mapping[Seat, int]
    own_open: int
    helps: Mapping[Law, int]

    def keeps(self) -> bool:
        """Tell whether no own turn comes before the ask, so that what lies before the seat stays."""
        return not self.own and self.view.to_move != self.me

    def may_be_at_end(self, card: Card, *, cleared: Collection[Card] = (), more: int = 0) -> bool:
        """Tell whether a card can lie at an end of its row.

        Args:
            card: The card; it lies on the table.
            cleared: Cards that are taken before it.
            more: So many further turns, or cards of any kind, may go before it.
        """
        return any(self._clears(side, self.turns + more) for side in self._sides(card, cleared))

    def may_be_taken(self, card: Card) -> bool:
        """Tell whether a card that lies can be taken before the ask."""
        return any(self._clears((*side, card), self.turns) for side in self._sides(card, ()))

    def depths(self, card: Card) -> range:
        """Return how many cards may still have to go before a card, if it lies."""
        sides = self._sides(card, ())
        most = min(map(len, sides))
        least = next(
            left
            for left in range(most + 1)
            if any(self._clears(side[: len(side) - left], self.turns) for side in sides)
        )
        return range(least, most + 1)

    def lies(self, card: Card) -> bool:
        """Tell whether a card may lie on the table then."""
        return card not in self.mine and card in self.table.cards

    def most_left(self) -> int:
        """Return how many cards lie at most: who has a stone in the game always takes one.

        Source: rulebook, "Take a card"; a seat is skipped only if it has no stone to pay with.
        """
        takes = sum(min(turns, self.table.scene(seat).spare) for seat, turns in self.turns_of.items())
        return len(self.table.cards) - takes

    def _sides(self, card: Card, cleared: Collection[Card]) -> tuple[tuple[Card, ...], ...]:
        """Return the cards to the left and to the right of a card, those at the ends of the row first."""
        row = next(row for row in self.table.rows if card in row)
        place, gone = row.index(card), {*self.mine, *cleared}
        left, right = row[:place], row[:place:-1]
        return tuple(tuple(one for one in side if one not in gone) for side in (left, right))

    def _clears(self, cards: Sequence[Card], turns: int) -> bool:
        """Tell whether so many turns can take some cards; each takes one at least."""
        return len(cards) <= turns or turns_to_take(self.facts, cards, self.helps, turns) <= turns


def until(facts: Facts, view: View, me: Seat, before: Sequence[Move | None]) -> Until:
    """Return what is certain of the table at a later ask.

    Args:
        facts: The cards and the numbers.
        view: What the seat knows now.
        me: The seat.
        before: What it does at each of its asks before that one; None where that is open.
    """
    table, mine, known = view.table(), set[Card](), 0
    if before and view.to_move == me and isinstance(before[0], Take):
        done = try_out(facts, view, me, before[0])
        if not done.unknown and done.taken:
            table, known = done.table, 1
    for move in before[known:]:
        mine.update(_surely_taken(facts, move))
    assert view.to_move is not None, "somebody is on turn"
    order = round_from(tuple(view.players), view.to_move)
    first = order[: order.index(me)]
    turns = {seat: len(before) + (seat in first) for seat in (order if before else (*first, me))}
    turns[me] -= known
    others = sum(side.laws for seat, side in view.players.items() if seat != me) + len(view.table().covered)
    helps = {law: min(view.unseen[law], others) + view.laws.count(law) for law in (COLOURS, THREE)}
    return Until(
        facts, view, me, len(before), table, frozenset(mine), sum(turns.values()), turns, turns[me], helps
    )


def turns_to_take(facts: Facts, cards: Sequence[Card], helps: Mapping[Law, int], most: int) -> int:
    """Return the least number of turns in which cards can be taken in this order, each by any seat.

    Args:
        facts: The cards and the numbers.
        cards: The cards.
        helps: So many law cards of each type may be played for it.
        most: More turns than these are not counted: then one more is returned.

    Source: rulebook, "Take a card": one colour and so many circle symbols in a turn.
    """
    furthest = {(0, 0): 0}
    for turns in range(most + 1):
        if max(furthest.values()) >= len(cards):
            return turns
        after: dict[tuple[int, int], int] = {}
        for (colours, threes), start in furthest.items():
            for any_colour in range(min(helps[COLOURS] - colours, 1) + 1):
                for more in range(min(helps[THREE] - threes, 1) + 1):
                    used = (colours + any_colour, threes + more)
                    end = _in_one_turn(facts, cards, start, any_colour=any_colour > 0, more=more > 0)
                    after[used] = max(after.get(used, 0), end)
        furthest = after
    return most + 1


def _in_one_turn(facts: Facts, cards: Sequence[Card], start: int, *, any_colour: bool, more: bool) -> int:
    """Return how far one turn comes that begins with a card."""
    limit, symbols, end = facts.limit_with_law if more else facts.limit, 0, start
    while end < len(cards):
        land = facts.lands[cards[end]]
        symbols += land.symbols
        if not any_colour and land.country != facts.lands[cards[start]].country:
            break
        if land.symbols and symbols > limit:
            break
        end += 1
    return end


def _surely_taken(facts: Facts, move: Move | None) -> Iterator[Card]:
    """Yield the cards that a move takes for certain if it is carried out."""
    if isinstance(move, Take):
        for names in move.take:
            if len(names) == 1 and names[0] in facts.lands:
                yield Card(names[0])
