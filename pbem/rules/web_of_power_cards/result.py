"""What a turn comes to, and what of its order could not be carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from pbem.core.events import Event, Seat
from pbem.rules.kit.ruled import next_to
from pbem.rules.web_of_power_cards.events import ClaimBroken
from pbem.rules.web_of_power_cards.state import Card, Law, Player, State, seated
from pbem.rules.web_of_power_cards.table import Stock, Table


class Missed(NamedTuple):
    """A part of an order that cannot be carried out.

    Attributes:
        path: Where in `do`; its first word is the field.
        why: The reason.
        card: The card that cannot be taken; None if it is about a stone.
        by_law: The law card that would help, may be used and may still turn up.
    """

    path: tuple[str | int, ...]
    why: str
    card: Card | None = None
    by_law: Law | None = None


class Done(NamedTuple):
    """What a turn comes to.

    Attributes:
        table: The table after it.
        taken: The cards taken, in order.
        laws: The law cards that the seat holds after it, as far as known.
        played: The law cards that it played.
        unknown: Law cards that it took without knowing them, on a view.
        broken: The owner of the stone on each card that was taken from under another's.
        told: What happened, in order.
        missed: What could not be carried out.
    """

    table: Table
    taken: tuple[Card, ...]
    laws: tuple[Law, ...]
    played: tuple[Law, ...]
    unknown: int
    broken: Mapping[Card, Seat]
    told: tuple[Event, ...]
    missed: tuple[Missed, ...]

    @property
    def paid_from_card(self) -> bool:
        """Whether a stone on a card was given up."""
        return any(isinstance(event, ClaimBroken) and event.paid_from for event in self.told)

    @property
    def why_unpaid(self) -> str:
        """Why no stone on a card was given up, where none was."""
        return "a stone of your reserve pays first" if self.broken else "you pay nothing for these cards"


def next_seat(state: State) -> Seat:
    """Return the seat whose turn is next, clockwise.

    Source: rulebook, "Course of the game" and "Next player".
    """
    return next_to(seated(state.players), state.to_move)


def after_turn(state: State, done: Done) -> State:
    """Return the state after a turn, with the next seat to move."""
    seat, players = state.to_move, dict(state.players)
    for one, stock in done.table.stocks.items():
        player = players[one]
        lost = tuple(card for card, owner in done.broken.items() if owner == one)
        if one == seat:
            cards = (*player.cards, *done.taken)
            players[one] = Player(cards, done.laws, stock.reserve, stock.removed, player.asks + 1, lost=())
        elif lost or stock != Stock(player.reserve, player.removed):
            lost = (*player.lost, *lost)
            players[one] = replace(player, reserve=stock.reserve, removed=stock.removed, lost=lost)
    return replace(
        state,
        to_move=next_seat(state),
        laws={card: law for card, law in state.laws.items() if card in done.table.covered},
        stones=done.table.stones,
        players=players,
        played=(*state.played, *done.played),
        skips=0,
    )
