"""How a game stands for a seat, in a sentence or two: when orders are due, and whether it owes any."""

from __future__ import annotations

import datetime

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.host.deadlines import closing, deadline_in_force
from pbem.host.notes import read_notes
from pbem.play.saved import SavedGame
from pbem.store.journal import Journal


def due_in_words(saved: SavedGame, seat: Seat, db: Journal, now: datetime.datetime) -> str:
    """Return when orders are due, in the time zone of the seat's player; "" if they may take their time.

    After the deadline it says how long its grace lasts.
    """
    notes = read_notes(db, saved.name)
    if isinstance(saved.ask, Outcome) or notes.paused is not None:
        return ""
    deadline, until = deadline_in_force(saved, notes), closing(saved, notes)
    if deadline is None or until is None or until <= now:
        return ""
    if now < deadline:
        return saved.table.spelled(deadline, seat)
    was, end = saved.table.spelled(deadline, seat), saved.table.spelled(until, seat)
    return f"now: the deadline was {was}, and they still count until {end}"


def state_in_words(saved: SavedGame, seat: Seat, db: Journal) -> str:
    """Return whom the game waits for, as far as the seat may know."""
    ask = saved.ask
    if isinstance(ask, Outcome):
        return "The game is over."
    if paused := read_notes(db, saved.name).paused:
        return f"The game is paused ({paused[1]}); orders are kept."
    if seat in ask.seats:
        return f"You are asked now, for {ask.label}."
    return f"The game is at {ask.label}; others are asked."
