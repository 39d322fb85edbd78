"""Which moves are legal: the same on the saved game as on a view, for nothing that matters is hidden."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.wording import order_as_yaml
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.state import SEATS, Card, Draw, Move, Play, Square, State


def target(facts: Facts, crown: Square, card: Card) -> Square | None:
    """Return where a card leads the crown, always its full distance; None is off the board.

    Source: manual page 2; all cards point as the board does, so the directions are the same for both seats.
    """
    return facts.leaps[crown].get(card)


def legal_moves(
    facts: Facts, crown: Square, tokens: Mapping[Square, str], seat: Seat, hand: tuple[Card, ...], heroes: int
) -> tuple[Move, ...]:
    """Return the legal moves of a seat in card order, the draw last; none means that it must skip.

    Args:
        facts: The board and the cards.
        crown: The square of the crown.
        tokens: The holder of squares; whatever is held by no seat is empty.
        seat: The seat to move.
        hand: Its power cards.
        heroes: Its heroes left.

    Source: manual page 2 (exactly one of three); brettspielnetz (a hero that is the only move is forced).
    """
    moves: list[Move] = []
    for card in dict.fromkeys(hand):
        square = target(facts, crown, card)
        if square is None:
            continue
        holder = tokens.get(square)
        if holder not in SEATS:
            moves.append(Play(card, hero=False))
        elif holder != seat and heroes > 0:
            moves.append(Play(card, hero=True))
    if len(hand) < facts.hand_limit:
        moves.append(Draw())
    return tuple(moves)


def moves_of(facts: Facts, state: State, seat: Seat) -> tuple[Move, ...]:
    """Return the legal moves of a seat, were it on turn."""
    player = state.players[seat]
    return legal_moves(facts, state.crown, state.tokens, seat, player.hand, player.heroes)


def why_over(facts: Facts, state: State) -> str | None:
    """Return the reason if the game is over.

    Source: rulebook, "Ending the Game": either way, it ends immediately.
    """
    if state.supply == 0:
        return "the last token was placed"
    for seat, player in state.players.items():
        if player.tokens == 0:
            return f"{seat} placed its last token"
    if not any(moves_of(facts, state, seat) for seat in SEATS):
        return "neither red nor white can move"
    return None


def read_move(order: Json) -> Move:
    """Return an order as a move; the order fits the orders schema."""
    if isinstance(order, dict) and "play" in order:
        return Play(Card(str(order["play"])), hero=order.get("hero") is True)
    return Draw()


def write_move(move: Move) -> dict[str, Json]:
    """Return a move as an order."""
    match move:
        case Play(card, hero):
            return {"play": card, "hero": True} if hero else {"play": card}
        case Draw():
            return {"draw": True}


def spell(move: Move) -> str:
    """Return a move as a player would write it in an orders file."""
    return order_as_yaml(write_move(move))
