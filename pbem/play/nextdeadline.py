"""When the orders for an ask that opens now will be due, by the moderator's file of the game."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import NamedTuple

from pbem.play.gamefile import Table
from pbem.play.schedule import deadline_after

Moment = datetime.datetime


class Absence(NamedTuple):
    """A player is away from a moment up to another."""

    start: Moment
    end: Moment

    def covers(self, moment: Moment) -> bool:
        """Tell whether the player is away then."""
        return self.start <= moment < self.end


def next_deadline(
    table: Table, now: Moment, *, away: Iterable[Absence] = (), kept: Moment | None = None
) -> Moment | None:
    """Return when the orders for an ask that opens now will be due.

    Args:
        table: The moderator's file of the game.
        now: The moment of the run that opens it.
        away: Absences that the deadline must wait for.
        kept: What the players were told before the turn was taken back; it stays if it leaves enough time.
    """
    if table.deadline is not None and table.deadline > now:
        return table.deadline
    schedule = table.schedule
    if kept is not None and schedule.days and kept >= now + schedule.least:
        return kept
    found, absences = deadline_after(schedule, now), sorted(away, key=lambda one: one.end)
    for absence in absences:
        if found is not None and absence.covers(found):
            found = deadline_after(schedule, absence.end)
    return found
