"""What a new player of a seat is told of the orders that its player before had sent."""

from __future__ import annotations

from pbem.core.engine.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.core.labels import START
from pbem.host.run.notes import Notes
from pbem.host.time.deadlines import owing_seats
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import Lodged, lodged


def told_of_orders(after: SavedGame, notes: Notes, seat: Seat, before: str, *, is_dropped: bool) -> str:
    """Return whether orders stand for a seat, what they count for, and what takes their place.

    Args:
        after: The game with the new player.
        notes: What is noted of it; orders of the seat are held back no longer.
        seat: The seat.
        before: The player who had sent them.
        is_dropped: What it had lodged counts no more, nor what turns left over of it.
    """
    found = Lodged({}, {}, {}, {}) if is_dropped else lodged(after, only=(seat,))
    free = notes._replace(held={one: why for one, why in notes.held.items() if one != seat})
    ask, stand = after.ask, bool(found.orders.get(seat, Orders()).lines)
    is_asked = isinstance(ask, Ask) and seat in ask.seats
    owes = is_asked and seat in owing_seats(after, free, found)
    label = ask.label if isinstance(ask, Ask) else ""
    if label == START:
        form = f"The start form that {before} had sent counts, unless you send another."
        return "No start form has come for your seat: please send one." if owes else form * is_asked
    if not stand:
        return f"No orders stand for your seat{f': please send some for {label}' if owes else ' yet'}."
    instead = "What you send takes their place, and `orders: none` withdraws them."
    if owes:
        none = f"none of them answers {label}, which is asked now: please send some for it"
        return f"Orders that {before} had sent still stand, but {none}. {instead}"
    now = f"count for {label}, which is asked now" if is_asked else "wait for what the seat is asked later"
    return f"Orders that {before} had sent still stand: they {now}. {instead}"
