"""What a game of Magpies is made of: its state, its moves and what can happen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.events import Event, Seat


@dataclass(frozen=True, slots=True)
class State:
    """A whole game.

    Attributes:
        turn: The number of the turn, from 1.
        seats: The seats in seating order.
        hands: The cards of each seat, lowest first; hidden from the others.
        deck: The draw pile, next card first; hidden from all.
        table: The treasures that lie open.
        nest: The treasures to come, next one first; which ones is known, their order is hidden.
        played: The cards each seat has played, oldest first.
        points: What each seat has taken.
    """

    turn: int
    seats: tuple[Seat, ...]
    hands: Mapping[Seat, tuple[int, ...]]
    deck: tuple[int, ...]
    table: tuple[int, ...]
    nest: tuple[int, ...]
    played: Mapping[Seat, tuple[int, ...]]
    points: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class Play:
    """A move: play a card of the hand."""

    card: int


@dataclass(frozen=True)
class CardsShown(Event):
    """All seats turned over what they had played."""

    cards: Mapping[Seat, int]


@dataclass(frozen=True)
class TreasureTaken(Event):
    """The highest card that was alone took all treasures on the table."""

    seat: Seat
    worth: int


@dataclass(frozen=True)
class MagpiesQuarrelled(Event):
    """No card was alone: the treasures stay, or go down the chimney on the last turn."""

    worth: int
    is_lost: bool


@dataclass(frozen=True)
class TreasureFound(Event):
    """The next treasure came out of the nest."""

    releases = ("treasure",)

    treasure: int


@dataclass(frozen=True)
class CardDrawn(Event):
    """A seat drew a card; only that seat is told which."""

    releases = ("card",)

    seat: Seat
    card: int
