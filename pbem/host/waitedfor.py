"""Who owes orders: the seats that the game waits for."""

from __future__ import annotations

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.core.waitedfor import owing
from pbem.host.notes import Notes
from pbem.play.gate import Lodged, lodged
from pbem.play.saved import SavedGame


def owing_seats(saved: SavedGame, notes: Notes, found: Lodged | None = None) -> tuple[Seat, ...]:
    """Return the seats that have nothing to answer the present ask with, in seating order.

    Args:
        saved: The game.
        notes: What is noted of it; held orders are none.
        found: What was lodged, if that is known already.
    """
    ask = saved.ask
    if not isinstance(ask, Ask):
        return ()
    found = found or lodged(saved, held=notes.held)
    orders = {seat: one for seat, one in found.orders.items() if seat not in notes.held}
    waiting = owing(
        saved.opening,
        saved.position.game,
        ask,
        orders,
        bots=saved.players.bots.keys(),
        forced=saved.start.forced,
    )
    return tuple(seat for seat in saved.start.seats if seat in waiting)
