"""The greedy bot: the move after which its lead is greatest, the opponent's best reply counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pbem.core.events import Seat
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.moves import legal_moves
from pbem.rules.rose_king.scoring import Lands, change, lands_after
from pbem.rules.rose_king.state import SEATS, Card, Draw, Move, Play, Square, opponent
from pbem.rules.rose_king.view import View

WON: Final = 10_000.0
"""Worth of a won game, in points; more than any difference on the board."""
HERO: Final = 22.0
"""Points that a hero must gain to be spent."""
LATE: Final = 0.3
"""The share of the tokens that is left when this price begins to fall to 0."""
REPLY: Final = 0.9
"""How much of the opponent's best reply counts."""
CARD: Final = 5.0
"""Points for a card drawn."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """The board after a move of the bot.

    Attributes:
        tokens: The holder of squares; whatever is held by no seat is empty.
        lands: The territories.
        crown: The square of the crown.
        lead: The bot's points less the opponent's.
        left: Tokens that the opponent can still place.
        replies: What the opponent's replies gain that were weighed already, by their card.
    """

    tokens: Mapping[Square, str]
    lands: Lands
    crown: Square
    lead: int
    left: int
    replies: dict[Card, float] = field(default_factory=dict)


class Thought:
    """A seat on turn weighs its moves."""

    def __init__(self, facts: Facts, view: View, me: Seat, lands: Lands) -> None:
        """Look at a position.

        Args:
            facts: The board and the cards.
            view: What is seen of it.
            me: The seat.
            lands: The territories on its board.
        """
        self.facts = facts
        self.view = view
        self.me = me
        self.foe = opponent(me)
        lead = view.side(me).points - view.side(self.foe).points
        self.now = _Scene(view.board, lands, view.crown, lead, view.left_for(self.foe))
        self.scenes: dict[Card, _Scene] = {}

    def worth(self, move: Move, drawn: tuple[Card, ...] = ()) -> float:
        """Return what a legal move is worth: the lead after it and after the opponent's best reply.

        Args:
            move: The move.
            drawn: Cards that the opponent holds besides those that the view shows.
        """
        if isinstance(move, Draw):
            return self.now.lead + CARD - REPLY * self._best_reply(self.now, drawn)
        scene = self.scenes.get(move.card)
        if scene is None:
            scene = self.scenes[move.card] = self._after(move)
        if not move.hero and self.view.left_for(self.me) == 1:
            return _final(scene.lead)
        return scene.lead - self._hero * move.hero - REPLY * self._best_reply(scene, drawn)

    def _after(self, move: Play) -> _Scene:
        """Return the board after a move of the bot."""
        now = self.now
        square = self.facts.leaps[now.crown][move.card]
        lands = lands_after(self.facts, now.tokens, now.lands, self.me, square)
        uses_pool = self.view.supply is not None and not move.hero
        lead = now.lead + self._swing(now, self.me, square)
        return _Scene({**now.tokens, square: self.me}, lands, square, lead, now.left - uses_pool)

    def _best_reply(self, scene: _Scene, drawn: tuple[Card, ...]) -> float:
        """Return what the opponent gains by its best reply."""
        side = self.view.side(self.foe)
        hand = (*side.hand, *drawn)
        moves = legal_moves(self.facts, scene.crown, scene.tokens, self.foe, hand, side.heroes)
        plays = [self._reply(scene, move) for move in moves if isinstance(move, Play)]
        can_wait = len(plays) < len(moves) or not plays
        return max([*plays, 0.0] if can_wait else plays)

    def _reply(self, scene: _Scene, move: Play) -> float:
        if move.card not in scene.replies:
            swing = self._swing(scene, self.foe, self.facts.leaps[scene.crown][move.card])
            is_last = not move.hero and scene.left == 1
            gain = _final(swing - scene.lead) if is_last else swing - self._hero * move.hero
            scene.replies[move.card] = gain
        return scene.replies[move.card]

    def _swing(self, scene: _Scene, seat: Seat, square: Square) -> int:
        """Return what the lead changes by when a seat's token comes to lie on a square."""
        changed = change(self.facts, scene.tokens, scene.lands, seat, square)
        return changed.gain + changed.loss

    @cached_property
    def _hero(self) -> float:
        """What a hero must gain to be worth it; less and less as the tokens run out."""
        left = min(self.view.left_for(self.me), self.view.left_for(self.foe))
        placed = sum(self.view.side(seat).roses for seat in SEATS)
        return HERO * min(1.0, left / (LATE * (left + placed)))


def _final(lead: int) -> float:
    """Return the worth of a game that ends with this lead."""
    return lead + (WON if lead > 0 else -WON if lead < 0 else 0.0)
