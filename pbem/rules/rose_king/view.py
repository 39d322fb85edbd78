"""What a seat may know: everything but the order of the draw pile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbem.core.events import Seat
from pbem.rules.kit.ranking import without
from pbem.rules.kit.tables import same_fields
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.moves import legal_moves, why_over
from pbem.rules.rose_king.scoring import Lands, find_lands, measured
from pbem.rules.rose_king.state import EMPTY, RED, WHITE, Card, Move, Play, Square, State, opponent


@dataclass(frozen=True, slots=True)
class Side:
    """One seat as everybody sees it.

    Attributes:
        hand: Its power cards, in card order.
        heroes: Its hero cards left.
        roses: Its tokens on the board.
        points: Its points if the game ended now.
        largest: Its largest territory, in squares.
        asks: How often it was asked so far, skipped turns and the present ask included.
        tokens_left: Its own tokens left; None if there is a common pool.
        turned: Whether its last turn turned over a token of the opponent.
    """

    hand: tuple[Card, ...]
    heroes: int
    roses: int
    points: int
    largest: int
    asks: int
    tokens_left: int | None
    turned: bool


@dataclass(frozen=True, slots=True)
class View:
    """The game as a seat sees it, in the words that conditions of orders use.

    Attributes:
        me: The seat; None for the spectator.
        to_move: The seat on turn; None when the game is over.
        crown: The square of the crown.
        board: The seat that holds each square or `EMPTY`, row by row from A1.
        red: What everybody sees of red.
        white: What everybody sees of white.
        pile: Cards in the draw pile.
        discards: The discarded power cards, oldest first.
        supply: Tokens left in the common pool; None if each seat has its own.
        lost_token: Whether the opponent's last turn turned over a token of mine.
    """

    me: Seat | None
    to_move: Seat | None
    crown: Square
    board: Mapping[Square, str]
    red: Side
    white: Side
    pile: int
    discards: tuple[Card, ...]
    supply: int | None
    lost_token: bool

    @property
    def mover(self) -> Seat:
        """The seat on turn, of a game that is not over."""
        assert self.to_move is not None, "somebody is on turn"
        return self.to_move

    @property
    def players(self) -> Mapping[Seat, Side]:
        """What everybody sees of each seat."""
        return {RED: self.red, WHITE: self.white}

    def side(self, seat: Seat) -> Side:
        """Return what everybody sees of a seat."""
        return self.red if seat == RED else self.white

    def left_for(self, seat: Seat) -> int:
        """Return how many tokens a seat can still place, from the common pool or its own."""
        own = self.side(seat).tokens_left
        return own if own is not None else self.supply or 0

    def with_token(self, square: Square, seat: Seat) -> View:
        """Return the view with the crown on a square, and a token of a seat there; all else is as before."""
        return replace(self, crown=square, board={**self.board, square: seat})


def build_view(facts: Facts, state: State, seat: Seat | None) -> View:
    """Return everything a seat may know of a state, field by field.

    Source: manual page 2, "Preparing the Game": hands lie open; only the order of the pile is hidden.
    """
    lands = find_lands(facts, state.tokens)
    to_move = state.to_move if why_over(facts, state) is None else None
    return View(
        me=seat,
        to_move=to_move,
        board={square: state.tokens.get(square, EMPTY) for square in facts.squares},
        red=_side(state, lands, RED, to_move),
        white=_side(state, lands, WHITE, to_move),
        pile=len(state.pile),
        **same_fields(state, "crown", "discards", "supply"),
        lost_token=seat is not None and state.players[opponent(seat)].turned,
    )


def legal_orders(facts: Facts, view: View) -> tuple[Move, ...]:
    """Return the legal moves of the owner of a view; none when it is not on turn."""
    if view.me is None or view.me != view.to_move:
        return ()
    return moves_seen(facts, view, view.me)


def moves_seen(facts: Facts, view: View, seat: Seat) -> tuple[Move, ...]:
    """Return the legal moves of a seat, were it on turn."""
    side = view.side(seat)
    return legal_moves(facts, view.crown, view.board, seat, side.hand, side.heroes)


def may_come(facts: Facts, view: View) -> tuple[Card, ...]:
    """Return the cards that a draw may give, in card order, which tells nothing of the pile's order."""
    if not view.pile:
        return facts.in_order(view.discards)
    return without(facts.deck, (*view.red.hand, *view.white.hand, *view.discards))


def may_end(facts: Facts, view: View, me: Seat) -> tuple[Card, ...]:
    """Return which of the cards that may come would end the game: full hands, and nobody could move."""
    mine = view.side(me)
    if len(mine.hand) + 1 < facts.hand_limit:
        return ()
    if moves_seen(facts, view, opponent(me)):
        return ()

    def is_stuck(card: Card) -> bool:
        moves = legal_moves(facts, view.crown, view.board, me, (*mine.hand, card), mine.heroes)
        return not any(isinstance(move, Play) for move in moves)

    return tuple(filter(is_stuck, may_come(facts, view)))


def _side(state: State, lands: Lands, seat: Seat, to_move: Seat | None) -> Side:
    player = state.players[seat]
    return Side(
        **same_fields(player, "hand", "heroes", "turned"),
        **measured(lands, state.tokens, seat),
        asks=player.asks + (seat == to_move),
        tokens_left=player.tokens,
    )
