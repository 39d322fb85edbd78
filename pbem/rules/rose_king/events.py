"""What can happen in The Rose King. All of it happens in the open."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.events import ALL, Event, Seat
from pbem.rules.kit.ruled import Happened
from pbem.rules.rose_king.scoring import Change
from pbem.rules.rose_king.state import Card, Square, opponent


class CardPlayed(Happened):
    """A seat played a power card, and the crown went from one square to another."""

    seat: Seat
    card: Card
    crown_from: Square
    crown_to: Square


class TokenPlaced(Happened):
    """A seat placed a token; `tokens_left` of the pool it came from, `points` of both after it."""

    seat: Seat
    square: Square
    tokens_left: int
    points: Mapping[Seat, int]


class TokenTurned(Happened):
    """A seat's hero turned over the token of the loser; `points` of both after it."""

    seat: Seat
    loser: Seat
    square: Square
    heroes_left: int
    points: Mapping[Seat, int]


class TerritoriesJoined(Happened):
    """A token made two or more territories of a seat one; sizes before it and after, in squares."""

    seat: Seat
    sizes: tuple[int, ...]
    size: int


class TerritoryBroken(Happened):
    """A turned token left a territory of a seat in pieces; sizes before it and after, in squares."""

    seat: Seat
    size: int
    sizes: tuple[int, ...]


class PileReshuffled(Happened):
    """A card was needed and the pile was empty: the discards became the new pile of so many cards."""

    cards: int


class CardDrawn(Happened, releases=("card",)):
    """A seat drew a card, face up; `pile` cards are left to draw."""

    seat: Seat
    card: Card
    pile: int


class TurnSkipped(Happened):
    """A seat could neither play nor draw, and its turn passed to the other."""

    seat: Seat


def reshaped(seat: Seat, changed: Change) -> tuple[Event, ...]:
    """Return what a new token of a seat did to the shape of territories, where readers should look."""
    told: list[Event] = []
    if len(changed.joined) > 1:
        size = 1 + sum(changed.joined)
        told.append(TerritoriesJoined(seat=seat, sizes=changed.joined, size=size, to=ALL))
    if len(changed.pieces) > 1:
        told.append(TerritoryBroken(seat=opponent(seat), size=changed.broken, sizes=changed.pieces, to=ALL))
    return tuple(told)
