"""Why no turn of a game is made though its deadline has passed, as far as nothing else tells of it."""

from __future__ import annotations

import datetime

from pbem.core.events import Seat
from pbem.host.office.reasons import reasons, signs_of
from pbem.host.run.notes import Notes
from pbem.host.time.deadlines import is_closed
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.silence import is_left
from pbem.play.turn.running import unanswered


def why_it_stands(
    saved: SavedGame, notes: Notes, now: datetime.datetime, owing: tuple[Seat, ...]
) -> tuple[str, ...]:
    """Return why a turn is not made whose deadline has passed: a seat is waited for, or the gate.

    Args:
        saved: The game.
        notes: What is noted of it.
        now: The moment.
        owing: The seats that have nothing to answer the present ask with.
    """
    if not owing or notes.rest_at(now) is not None or not is_closed(saved, notes, now):
        return ()
    left = [seat for seat in owing if is_left(saved, saved.position, seat)]
    if why := unanswered(saved.table.silent, left):
        return (why,)
    found = reasons(saved, notes, signs_of(saved, now, None), now, due=True, silent=owing)
    return tuple(str(one) for one in found if one.name in ("silent", "down", "clock"))
