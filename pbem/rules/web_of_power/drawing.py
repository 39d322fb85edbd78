"""Drawing cards one after the other, by preferences: what lies open can be chosen, the pile is unknown."""

from __future__ import annotations

from typing import Final, TypeAlias

from pbem.rules.kit.ranking import without
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.state import MATCH, PILE, Card

Wanted: TypeAlias = tuple[tuple[str, ...], ...]
"""What is to be drawn: for each missing card in turn, by preference."""

DEFAULT_ENTRY: Final = (MATCH, PILE)
"""What a card is drawn by when an order says nothing of it, or nothing that can be had."""


def fill_hand(
    facts: Facts, hand: tuple[Card, ...], pile: tuple[Card, ...], face_up: tuple[Card, ...], wanted: Wanted
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return what a hand is filled up with: each missing card by the entry that is next.

    The entry is looked at when its card is drawn, so what came before is known by then.

    Args:
        facts: The facts of the game.
        hand: The cards that the hand has.
        pile: The draw pile, next card first.
        face_up: The open cards, oldest first.
        wanted: What is to be drawn.

    Returns:
        The open cards that are taken, and the cards that are drawn from the pile, each in order.

    Source: rulebook, "Drawing cards": from the pile and the open cards in any mix and order.
    """
    taken: tuple[Card, ...] = ()
    drawn: tuple[Card, ...] = ()
    for place in range(facts.limits.hand - len(hand)):
        left, has_pile = without(face_up, taken), len(drawn) < len(pile)
        source = next_source((*hand, *taken, *drawn), left, entry_at(wanted, place), has_pile=has_pile)
        if source == PILE:
            drawn = pile[: len(drawn) + 1]
        elif source is not None:
            taken = (*taken, Card(source))
    return taken, drawn


def entry_at(wanted: Wanted, place: int) -> tuple[str, ...]:
    """Return the preferences for a missing card, the first being 0; the last entry serves for all further."""
    return wanted[min(place, len(wanted) - 1)] if wanted else ()


def next_source(
    hand: tuple[Card, ...], face_up: tuple[Card, ...], entry: tuple[str, ...], *, has_pile: bool
) -> Card | str | None:
    """Return the open card to take, `pile`, or None if there is nothing.

    If nothing of the entry can be had, it is an open card of a type that the hand holds, else the pile's,
    else the open card that has lain there longest.
    """
    for name in (*entry, *DEFAULT_ENTRY):
        if name == PILE and has_pile:
            return PILE
        if name == MATCH and (fits := [card for card in face_up if card in hand]):
            return fits[0]
        if name in face_up:
            return name
    return next(iter(face_up), None)
