"""Schedules: the days and the hour at which orders are due, in a time zone. No clock is read here."""

from __future__ import annotations

import datetime
import re
from functools import lru_cache
from typing import Final, NamedTuple

Moment = datetime.datetime
Span = datetime.timedelta

NONE: Final = Span(0)
HALF_DAY: Final = Span(hours=12)
DAY: Final = Span(days=1)
MINUTE: Final = Span(minutes=1)

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
NEVER: Final = "never"
ALWAYS: Final = "always"

SPAN: Final = r"^[1-9][0-9]{0,3} ?[mhd](?!\n)$"
"""A span of time as people write it: 90m, 36h, 2d."""

SPAN_OR_NONE: Final = r"^(?:0|[1-9][0-9]{0,3}) ?[mhd](?!\n)$"
"""The same, or none: 0m."""

CLOCK: Final = r"^([01]?[0-9]|2[0-3]):[0-5][0-9](?!\n)$"

_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}


class Schedule(NamedTuple):
    """When the turns of a game are due.

    Attributes:
        days: Days of the week, 0 is Monday; none: the game has single deadlines only.
        hour: The hour of the deadline on these days.
        minute: Its minute.
        zone: The time zone that the hour is meant in.
        grace: So long after the deadline orders still count.
        early: A turn that everybody has answered may run so long after the last one; None: never early.
        least: The players have at least so long for a turn.
        remind: So long before the deadline those who owe orders are reminded; None: never.
        extension: What a vote for an extension adds.
    """

    days: frozenset[int] = frozenset()
    hour: int = 0
    minute: int = 0
    zone: str = "UTC"
    grace: Span = NONE
    early: Span | None = NONE
    least: Span = HALF_DAY
    remind: Span | None = DAY
    extension: Span = DAY


def deadline_after(schedule: Schedule, since: Moment) -> Moment | None:
    """Return the first deadline of a schedule that leaves the players enough time.

    Args:
        schedule: The schedule.
        since: When the players were asked: the moment of the last turn.

    Returns:
        A moment in the schedule's zone at least `least` after `since`, or None if no day is named.
    """
    if not schedule.days:
        return None
    enough = since + schedule.least
    day = enough.astimezone(zone_of(schedule.zone)).date() - DAY  # a zone may leave a day out
    for _ in range(10):
        if day.weekday() in schedule.days and (found := scheduled_moment(schedule, day)) >= enough:
            return found
        day += DAY
    return None


def scheduled_moment(schedule: Schedule, day: datetime.date) -> Moment:
    """Return the moment of a schedule's hour on a day."""
    return wall_clock_moment(day, datetime.time(schedule.hour, schedule.minute), zone_of(schedule.zone))


def wall_clock_moment(day: datetime.date, clock: datetime.time, zone: datetime.tzinfo) -> Moment:
    """Return the moment at which the clocks of a zone show an hour on a day.

    An hour that the clocks skip is taken as much later as they skip; of one that they show twice, the second
    one counts. So nobody has less time than the clock on the wall said.
    """
    wall = Moment.combine(day, clock, tzinfo=zone)
    return max(wall.replace(fold=fold).astimezone(datetime.UTC) for fold in (0, 1)).astimezone(zone)


def add_span(moment: Moment, by: Span, zone: str) -> Moment:
    """Return a moment so much later: whole days by the calendar of the zone, the rest by the clock.

    Where no zone is named, that of the moment counts.
    """
    start = moment.astimezone(zone_of(zone)) if zone else moment
    local = start + Span(days=by.days)
    return (local.astimezone(datetime.UTC) + Span(seconds=by.seconds)).astimezone(start.tzinfo)


def round_up_to_minute(moment: Moment) -> Moment:
    """Return a moment, or the next full minute after it: deadlines are told without seconds, and count so."""
    rest = Span(seconds=moment.second, microseconds=moment.microsecond)
    return moment + (MINUTE - rest) if rest else moment


def span_of(text: str) -> Span:
    """Return a span that fits `SPAN`."""
    return Span(**{_UNITS[text[-1]]: int(text[:-1])})


def span_in_words(span: Span) -> str:
    """Return a span in words: the largest units that say it, as in "1 day and 12 hours"."""
    minutes = int(span.total_seconds()) // 60
    counted = ((minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute"))
    words = [f"{count} {name}{'s' if count > 1 else ''}" for count, name in counted if count]
    return " and ".join(words) or "no time"


def moment_in_zone(moment: Moment, zone: str = "") -> str:
    """Return a moment in words for people of a time zone; without one, with its own offset."""
    if not zone:
        return moment.strftime("%A %d %B %Y, %H:%M %Z").strip()
    local = moment.astimezone(zone_of(zone))
    named = local.strftime("%A %d %B %Y, %H:%M %Z")
    return named if local.strftime("%Z") == zone else f"{named} ({zone})"


def zone_of(name: str) -> datetime.tzinfo:
    """Return a time zone by its name; games without a schedule need none, and to look for them takes long.

    Raises:
        KeyError, OSError, ValueError: There is none of this name.
    """
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


@lru_cache(maxsize=256)
def is_zone(name: str) -> bool:
    """Tell whether there is a time zone of this name, such as Europe/Helsinki."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*", name):
        return False
    try:
        zone_of(name)
    except (OSError, ValueError):  # ZoneInfoNotFoundError is no ValueError but a KeyError
        return False
    except KeyError:
        return False
    return True
