"""What a seat may know in Magpies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from magpies.state import State
from pbem.core.events import Seat


@dataclass(frozen=True, slots=True)
class View:
    """The game as a seat sees it, in the words that conditions of orders use.

    Attributes:
        me: The seat; None for the spectator.
        turn: The number of the turn, from 1.
        hand: My cards, lowest first.
        unseen: How often each value is left among the cards that I cannot see, in hands and deck.
        deck: How many cards the draw pile has.
        table: The treasures that lie open.
        to_come: The treasures to come, smallest first.
        played: The cards each seat has played, oldest first.
        points: What each seat has taken.
    """

    me: Seat | None
    turn: int
    hand: tuple[int, ...]
    unseen: Mapping[int, int]
    deck: int
    table: tuple[int, ...]
    to_come: tuple[int, ...]
    played: Mapping[Seat, tuple[int, ...]]
    points: Mapping[Seat, int]


def build_view(cards: Mapping[int, int], state: State, seat: Seat | None) -> View:
    """Return everything a seat may know of a state, field by field.

    Args:
        cards: How many cards of each value there are.
        state: The game.
        seat: The reader; None is the spectator.
    """
    hand = state.hands[seat] if seat is not None else ()
    seen = [*hand, *(card for played in state.played.values() for card in played)]
    return View(
        me=seat,
        turn=state.turn,
        hand=hand,
        unseen={card: count - seen.count(card) for card, count in cards.items()},
        deck=len(state.deck),
        table=state.table,
        to_come=tuple(sorted(state.nest)),
        played={one: state.played[one] for one in state.seats},
        points={one: state.points[one] for one in state.seats},
    )
