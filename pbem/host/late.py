"""Orders that come after the deadline wait until the run of that deadline was made, or tried."""

from __future__ import annotations

import datetime

from pbem.host.deadlines import closing, deadline_in_force
from pbem.host.notes import TRIED, Notes, note, turn_and_moment
from pbem.host.policy import is_closed
from pbem.play.saved import SavedGame
from pbem.play.schedule import DAY
from pbem.store.records import Note

Moment = datetime.datetime


def is_late(saved: SavedGame, notes: Notes, received: Moment, now: Moment) -> bool:
    """Tell whether orders came too late for the present ask, so that they must wait for its run.

    What counts is when the host received them, not what the mail says. Until the run they are not looked
    at, so that they cannot take the place of orders that came in time; afterwards they count for what is
    asked then, which is the same ask if the run could not be made.

    Args:
        saved: The game.
        notes: What is noted of it.
        received: When the host received the mail.
        now: The moment; a day after a deadline nobody waits for its run any more.
    """
    until = closing(saved, notes)
    if until is None or received <= until or now > until + DAY:
        return False
    return notes.tried != (saved.turn, deadline_in_force(saved, notes))


def tried(saved: SavedGame, notes: Notes, now: Moment) -> tuple[Note, ...]:
    """Return the note that the run of a deadline was tried, so that what came late is looked at."""
    deadline = deadline_in_force(saved, notes)
    if deadline is not None and is_closed(saved, notes, now):
        return (note(saved.name, TRIED, turn_and_moment(saved.turn, deadline)),)
    return ()
