"""Which games a night job need not open: nothing changed in them, and no moment has come."""

from __future__ import annotations

import datetime
import hashlib

from pbem.host.run.notes import Notes, read_notes
from pbem.host.run.reported import REPORTED, untold
from pbem.host.time.deadlines import closing, deadline_in_force, last_run, reminding_from
from pbem.play.config.schedule import Span
from pbem.play.homes.home import Home
from pbem.play.homes.privacy import is_open
from pbem.play.homes.saved import SavedGame
from pbem.store.journals.journal import Journal

Moment = datetime.datetime

_LEAST, _SPREAD = Span(hours=18), Span(hours=12)


def rests_until(saved: SavedGame, notes: Notes, now: Moment) -> Moment:
    """Return the earliest moment when a night job may have something to do though nothing changes.

    That may be:

    - the moment of the reminder before the deadline, or, within the time of reminders, the one in which a
      player who is away is back;
    - the earliest run of a turn that all have answered (`early`);
    - the deadline, at which such a turn is run that may not run early;
    - the beginning of a pause and its end;
    - the end of its grace, when silence is answered for and it is noted that the run was tried;
    - in any case, after a day or so. This is for what nobody foresees, such as a file of a turn that somebody
      changed. The games are spread over 12 hours by their names, so that not all are opened in one night.

    Args:
        saved: The game.
        notes: What is noted of it.
        now: The moment at which the night job has done what there was to do.
    """
    schedule, deadline, closes = saved.table.schedule, deadline_in_force(saved, notes), closing(saved, notes)
    found = [now + _LEAST + _spread(saved.name)]
    if notes.cancelled is not None:
        return found[0]
    if deadline is not None and closes is not None:
        found += [deadline, closes]
        reminding = reminding_from(saved, deadline)
        if reminding is not None:
            found.append(reminding)
    if schedule.early is not None:
        found.append(last_run(saved) + schedule.early)
    if notes.paused is not None:
        found += [moment for moment in (notes.paused.start, notes.paused.end) if moment is not None]
    for absences in notes.away.values():
        found += [moment for one in absences for moment in (one.start, one.end)]
    return min(moment for moment in found if moment > now)


def _spread(game: str) -> Span:
    """Return a span from nothing to 12 hours that is a game's own."""
    part = int.from_bytes(hashlib.sha256(game.encode()).digest()[:4], "big") / 2**32
    return Span(seconds=int(part * _SPREAD.total_seconds()))


def let_rest(home: Home, db: Journal, game: str, seen: str, now: Moment) -> None:
    """Let a game rest in which a night job has nothing left to do.

    Args:
        home: The home.
        db: Its journal.
        game: The game, of which the night job has made no turn and in which nothing went wrong.
        seen: What stood in it before it was opened.
        now: The moment of the night job.
    """
    if is_open(home, game):  # which is told every time
        return
    if home.mail_section() and untold(home.turns(game), db.notes(game, REPORTED)):
        return
    until = rests_until(SavedGame(home, game), read_notes(db, home, game), now)
    home.store.let_rest(game, seen, until)
