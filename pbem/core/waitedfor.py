"""Who has nothing to answer an ask with, and must be waited for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from pbem.core.book import Orders, consult
from pbem.core.events import Seat
from pbem.core.interface import Ask, Playable

S = TypeVar("S")
V = TypeVar("V")
M = TypeVar("M")


def owing(
    rules: Playable[S, V, M],
    game: S,
    ask: Ask,
    orders: Mapping[Seat, Orders],
    *,
    bots: Collection[Seat],
    forced: bool,
) -> frozenset[Seat]:
    """Return the seats that have no line, no bot and no only move for an ask, as things stand.

    Args:
        rules: The rules of the game.
        game: The position.
        ask: The ask.
        orders: What each seat has lodged.
        bots: The seats that bots play.
        forced: Moves without a choice are made.
    """
    found = set[Seat]()
    for seat in ask.seats - set(bots):
        view, lodged = rules.view(game, seat), orders.get(seat, Orders())
        answer = consult(rules, view, seat, ask.label, lodged, may_stop=not lodged.fresh)
        if answer.line is None and not (forced and rules.choices(view).only is not None):
            found.add(seat)
    return frozenset(found)
