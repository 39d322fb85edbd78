"""When the orders for an ask that opens now will be due, by the moderator's file of the game."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.gamefile import Table
from pbem.play.config.schedule import MINUTE, deadline_after, zone_of

Moment = datetime.datetime

DEADLINE: Final = "deadline of "
"""Before a turn, the key of the note of what the deadline of its ask was moved to."""
LAST_DEADLINE: Final = "deadline"
"""As earlier versions noted it: the turn, and the moment."""
SINGLE: Final = "single deadline of "
"""Before a turn: what `deadline` in the game's file was then, and the moment that it was moved to."""


class Absence(NamedTuple):
    """A player is away from a moment up to another."""

    start: Moment
    end: Moment

    def covers(self, moment: Moment) -> bool:
        """Tell whether the player is away then."""
        return self.start <= moment < self.end

    def told(self, table: Table, seat: Seat) -> str:
        """Return it in words in the zone of a seat's player; whole days as days.

        It is "from Thursday 24 December 2026 through Monday 28 December 2026" if it ends at midnight there.
        """
        zone = zone_of(table.zone_of_reader(seat) or "UTC")
        start, end = self.start.astimezone(zone), self.end.astimezone(zone)
        begin = _day(start) if _is_midnight(start) else table.spelled(self.start, seat)
        until = f"to {table.spelled(self.end, seat)}"
        return f"from {begin} {f'through {_day(end - MINUTE)}' if _is_midnight(end) else until}"

    def told_to_host(self, table: Table, seat: Seat) -> str:
        """Return it in words for the host, as its player said it: with their zone, if it is another."""
        own = table.zone_of_reader(seat)
        told = self.told(table, seat)
        return told if own in ("", table.zone_of_all) or own in told else f"{told} ({own})"


def _is_midnight(moment: Moment) -> bool:
    return moment.time() == datetime.time()


def _day(moment: Moment) -> str:
    return f"{moment:%A} {moment.day} {moment:%B %Y}"


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


def promised(record: Mapping[str, Json]) -> Moment | None:
    """Return the deadline that a turn set, by the schedule or as it was moved, or None."""
    text = record.get("deadline")
    return Moment.fromisoformat(text) if isinstance(text, str) and text else None


def deadlines_in_words(table: Table, file: str, game: str, now: Moment) -> str:
    """Return when the turns of a new game are due, as its file says, and how more deadlines are set.

    Args:
        table: The moderator's file of the game.
        file: Where it lies.
        game: The id of the game.
        now: The moment.
    """
    first = next_deadline(table, now)
    more = (
        f'A deadline for every turn: write `schedule: {{days: [tue, fri], at: "20:00"}}` into {file}. '
        f"For one turn: pbem extend {game} --to MOMENT"
    )
    if first is None:
        return f"There is no deadline: each turn waits until all have answered. {more}"
    due = f"Orders are due {table.spelled(first)}"
    if first != table.deadline:
        return f"{due}. Each turn after that has a deadline of its own, as `schedule` says."
    told = f"{due}. That is for each turn that is made before it"
    if (then := deadline_after(table.schedule, first)) is not None:
        return f"{told}; the first one after it is due {table.spelled(then)}, as `schedule` says."
    return f"{told}; after it there is no deadline. {more}"
