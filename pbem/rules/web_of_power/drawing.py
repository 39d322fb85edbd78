"""Drawing cards one after the other, by preferences: what lies open can be chosen, the pile is unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from pbem.rules.kit.ranking import without
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.state import MATCH, PILE, Card

Wanted: TypeAlias = tuple[tuple[str, ...], ...]
"""What is to be drawn: for each missing card in turn, by preference."""

DEFAULT_ENTRY: Final = (MATCH, PILE)
"""What a card is drawn by when an order says nothing of it, or nothing that can be had."""


@dataclass(frozen=True, slots=True)
class Table:
    """The cards beside the map, and one hand, while it is filled.

    Attributes:
        hand: The hand, in the order in which cards came.
        pile: The draw pile, next card first.
        face_up: The open cards, oldest first.
        taken: The open cards that were taken, in order.
        drawn: The cards that were drawn from the pile, in order.
    """

    hand: tuple[Card, ...]
    pile: tuple[Card, ...]
    face_up: tuple[Card, ...]
    taken: tuple[Card, ...] = ()
    drawn: tuple[Card, ...] = ()

    @property
    def count(self) -> int:
        """How many cards were drawn, from either."""
        return len(self.taken) + len(self.drawn)


def fill_hand(facts: Facts, table: Table, wanted: Wanted) -> Table:
    """Return the table after a hand was filled up: each card by the entry that is next.

    The entry is looked at when its card is drawn, so what came before is known by then.

    Source: rulebook, "Drawing cards": from the pile and the open cards in any mix and order.
    """
    while len(table.hand) < facts.limits.hand:
        source = next_source(table, entry_at(wanted, table.count))
        if source is None:
            break
        table = _take(table, source)
    return table


def entry_at(wanted: Wanted, place: int) -> tuple[str, ...]:
    """Return the preferences for a missing card, the first being 0; the last entry serves for all further."""
    return wanted[min(place, len(wanted) - 1)] if wanted else ()


def next_source(table: Table, entry: tuple[str, ...]) -> Card | str | None:
    """Return the open card to take, `pile`, or None if there is nothing.

    If nothing of the entry can be had, it is an open card of a type that the hand holds, else the pile's,
    else the open card that has lain there longest.
    """
    for name in (*entry, *DEFAULT_ENTRY):
        if name == PILE and table.pile:
            return PILE
        if name == MATCH and (fits := [card for card in table.face_up if card in table.hand]):
            return fits[0]
        if name in table.face_up:
            return name
    return next(iter(table.face_up), None)


def _take(table: Table, source: str) -> Table:
    if source == PILE:
        top, *rest = table.pile
        return Table((*table.hand, top), tuple(rest), table.face_up, table.taken, (*table.drawn, top))
    card = Card(source)
    left = without(table.face_up, (card,))
    return Table((*table.hand, card), table.pile, left, (*table.taken, card), table.drawn)


def turn_up(facts: Facts, table: Table) -> tuple[Table, tuple[Card, ...]]:
    """Return the table with as many open cards as there should be, and the new ones.

    Source: rulebook, "Drawing cards": open cards are replaced when the hand is full, not before.
    """
    missing = facts.limits.face_up - len(table.face_up)
    cards = table.pile[:missing]
    return Table(table.hand, table.pile[missing:], (*table.face_up, *cards), table.taken, table.drawn), cards
