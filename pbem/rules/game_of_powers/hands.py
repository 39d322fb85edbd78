"""Hands of cards, and who has seen which cards of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pbem.core.events import Seat
from pbem.rules.game_of_powers.state import Card, Player


def by_number(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards by number, each once."""
    return tuple(sorted(set(cards), key=int))


def known_to(player: Player, seat: Seat | None) -> tuple[Card, ...]:
    """Return the cards of another's hand that a seat knows, by number."""
    return by_number(seen_by(player, seat))


def seen_by(player: Player, seat: Seat | None) -> tuple[Card, ...]:
    """Return the cards of another's hand that a seat has seen; the spectator (None) knows what all have."""
    return (*player.open, *(player.shown.get(seat, ()) if seat is not None else ()))


def lose(player: Player, cards: Iterable[Card]) -> Player:
    """Return a player without some cards of the hand."""
    gone = set(cards)
    return replace(
        player,
        hand=tuple(card for card in player.hand if card not in gone),
        open=tuple(card for card in player.open if card not in gone),
        shown={seat: tuple(card for card in seen if card not in gone) for seat, seen in player.shown.items()},
    )


def gain(player: Player, cards: tuple[Card, ...]) -> Player:
    """Return a player with more cards in hand, which all have seen."""
    return replace(player, hand=by_number((*player.hand, *cards)), open=by_number((*player.open, *cards)))


def show(player: Player, seat: Seat, cards: Iterable[Card]) -> Player:
    """Return a player of whose hand another seat has seen some cards."""
    seen = by_number((*player.shown.get(seat, ()), *(card for card in cards if card not in player.open)))
    return replace(player, shown={**player.shown, seat: seen})
