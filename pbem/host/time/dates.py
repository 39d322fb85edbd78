"""Moments and days as people write them, read strictly; in a file of players they become what they mean."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from pbem.host.people.gamewriting import write_deadline
from pbem.play.config.registry import FieldsFile, read_fields_file
from pbem.play.config.schedule import (
    DAY,
    Span,
    add_span,
    is_zone,
    round_up_to_minute,
    wall_clock_moment,
    zone_of,
)
from pbem.play.homes.home import Home
from pbem.store.errors import RequestRefused, WrongInput
from pbem.store.interface import Readable
from pbem.text.codec import fields_of

Moment = datetime.datetime

EXAMPLES: Final = "Write 2026-12-01 18:00, 1 Dec 18:00, Friday, tomorrow 9:00, in 3 days or +36h."
"""What a moment looks like, for errors and for the help of verbs."""

_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

_LONGEST: Final = 100
"""Letters of a moment: no pattern is run over what is longer."""
_SHOWN: Final = 40

_SPAN: Final = re.compile(
    r"(?:in |\+ ?)(?P<count>[1-9][0-9]{0,3}|an?(?= )) ?"
    r"(?P<unit>m|min|minutes?|h|hours?|d|days?|w|weeks?)"
)
_ZONE: Final = re.compile(
    r"(?:(?:[A-Z]{1,5}|[+-][0-9]{2}) )?\((?P<named>[A-Za-z][\w/+-]*)\)$"
    r"|(?<= )(?P<bare>UTC|[A-Z]\w+/[\w/+-]+)$"
    r"|(?P<offset>(?<=[0-9])Z|(?:(?<=[0-9])| UTC| )[+-][0-9]{2}:?[0-9]{2})$"
)
"""A zone at the end: a name, a name in brackets behind its letters as we print it, or an offset."""

_CLOCK: Final = re.compile(
    r"(?:^|[ t])(?:at )?(?:(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::00)?(?: ?(?P<half>[ap])m)?"
    r"|(?P<bare>[0-9]{1,2}) ?(?P<bare_half>[ap])m|(?P<noon>noon))(?= |$)"
)
_ISO: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_NUMBERS: Final = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})(?:[/.-]([0-9]{4}|[0-9]{2}))?")
_DATE: Final = re.compile(
    r"(?:(?P<weekday>[a-z]+) )?(?:"
    r"(?P<day>[0-9]{1,2})(?:\.|st|nd|rd|th)? (?P<month>[a-z]+)"
    r"|(?P<month_first>[a-z]+) (?P<day_last>[0-9]{1,2})(?:st|nd|rd|th)?"
    r")(?: (?P<year>[0-9]{4}))?"
)


@dataclass(frozen=True, slots=True)
class WrittenTime:
    """A moment or a day that somebody wrote.

    Attributes:
        day: The day, in the zone that it was meant in.
        at: The moment; None if a day alone was written.
        zone: That zone.
    """

    day: datetime.date
    at: Moment | None
    zone: datetime.tzinfo

    @property
    def start_moment(self) -> Moment:
        """The moment; of a day, its beginning."""
        return self.at or wall_clock_moment(self.day, datetime.time(), self.zone)

    @property
    def due(self) -> Moment:
        """The moment; of a day, its last minute: who is asked for something by Friday has all of Friday."""
        return self.at or wall_clock_moment(self.day, datetime.time(23, 59), self.zone)

    @property
    def end(self) -> Moment:
        """The moment; of a day, the midnight after it."""
        return self.at or wall_clock_moment(self.day + DAY, datetime.time(), self.zone)


def read_when(text: str, now: Moment, zone: str) -> WrittenTime:
    """Return the moment or day that somebody wrote.

    Args:
        text: What they wrote.
        now: The moment at which they did.
        zone: The name of the zone that is meant where none is written.

    Raises:
        RequestRefused: It is no moment, there is no such day, or it could mean two things.
    """
    if len(text) > _LONGEST:
        raise _date_error(f"{text[:_SHOWN]}...")
    if (exact := _exact(text.strip())) is not None:
        return WrittenTime(exact.date(), exact, exact.tzinfo or datetime.UTC)
    told = " ".join(text.replace(",", " ").split())
    found = zone_of(zone)
    if (named := _ZONE.search(told)) is not None:
        found, told = _zone_of(named, text), told[: named.start()].strip()
    told = told.lower()
    here = now.astimezone(found)
    if told == "now":
        return WrittenTime(here.date(), here, found)
    if (span := _SPAN.fullmatch(told)) is not None:
        at = _add_span(here, span)
        return WrittenTime(at.date(), at, found)
    clock = _CLOCK.search(told)
    if clock is not None:
        told = f"{told[: clock.start()]} {told[clock.end() :]}".strip()
    day = (
        here.date()
        if clock is not None and not told
        else _read_day(told.removeprefix("on "), here.date(), text)
    )
    return WrittenTime(
        day, wall_clock_moment(day, _hour(clock, text), found) if clock is not None else None, found
    )


def read_span(text: str) -> Span | None:
    """Return the span of time that somebody wrote, such as 36h, 2 days or a week; None if it is none."""
    if len(text) > _LONGEST:
        return None
    found = _SPAN.fullmatch(f"in {' '.join(text.lower().split()).removeprefix('in ').removeprefix('+')}")
    return _span(found) if found is not None else None


def weekday(word: str) -> int | None:
    """Return which day of the week a word is, 0 is Monday; in full, or its first three letters or more."""
    return _find_name(word.lower(), _WEEKDAYS)


def hour_of(text: str) -> datetime.time | None:
    """Return the hour of the day that somebody wrote, such as 20:00 or 8pm; None if it is none."""
    found = _CLOCK.fullmatch(" ".join(text.lower().split())) if len(text) <= _LONGEST else None
    try:
        return _hour(found, text) if found is not None else None
    except RequestRefused:
        return None


def _exact(text: str) -> Moment | None:
    """Return a moment that is written as programs write it, with a zone, to the full minute; or None."""
    try:
        found = round_up_to_minute(Moment.fromisoformat(text))
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo is not None else None


def _date_error(
    text: str, why: str = "is no moment or day that can be read", hint: str = EXAMPLES
) -> RequestRefused:
    return RequestRefused(f"{text!r} {why}.", hint, to_player=hint)


def _zone_of(found: re.Match[str], text: str) -> datetime.tzinfo:
    name = found["named"] or found["bare"]
    if name is None:
        offset = found["offset"].strip().removeprefix("UTC")
        return Moment.fromisoformat(f"2000-01-01T00:00{offset}").tzinfo or datetime.UTC
    if not is_zone(name):
        raise _date_error(
            text, f"names no time zone: there is no {name!r}", "Write a name such as Europe/Helsinki."
        )
    return zone_of(name)


def _add_span(here: Moment, found: re.Match[str]) -> Moment:
    """Return the full minute so much later or just after: whole days by the calendar, the rest by clock."""
    return round_up_to_minute(add_span(here, _span(found), ""))


def _span(found: re.Match[str]) -> Span:
    return Span(**{_UNITS[found["unit"][0]]: int(found["count"]) if found["count"][0] != "a" else 1})


def _hour(found: re.Match[str], text: str) -> datetime.time:
    if found["noon"]:
        return datetime.time(12)
    hour, minute = int(found["hour"] or found["bare"]), int(found["minute"] or 0)
    half = found["half"] or found["bare_half"]
    if half is not None and not 1 <= hour <= 12:
        raise _date_error(text)
    if half is not None:
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return datetime.time(hour, minute)
    except ValueError:
        raise _date_error(text, "has an hour that there is not", "A day goes from 0:00 to 23:59.") from None


def _read_day(told: str, today: datetime.date, text: str) -> datetime.date:
    """Return the day that words without an hour and a zone name."""
    if told in ("today", "tomorrow"):
        return today + (DAY if told == "tomorrow" else Span())
    if (weekday := _find_name(told, _WEEKDAYS)) is not None:
        if weekday == today.weekday():
            hour = text.lower().partition(told)[2].rstrip()
            days = f"today{hour}, or {(today + 7 * DAY).isoformat()}{hour} for the one after"
            raise _date_error(
                text, f"could be today or in a week, for today is {told.title()}", f"Write {days}."
            )
        return today + ((weekday - today.weekday()) % 7) * DAY
    head, _, name = told.partition(" ")
    if head == "next" and (weekday := _find_name(name, _WEEKDAYS)) is not None:
        first = today + (((weekday - today.weekday()) % 7) or 7) * DAY
        ways = " or ".join(f"{day.day} {day:%b}" for day in (first, first + 7 * DAY))
        raise _date_error(
            text, "is the nearest one for some and the one after it for others", f"Write {ways}."
        )
    if found := _ISO.fullmatch(told):
        return _date(int(found[1]), int(found[2]), int(found[3]), text)
    if found := _NUMBERS.fullmatch(told):
        raise _ambiguous_date_error(found, today, text)
    if (found := _DATE.fullmatch(told)) is not None:
        return _day_of_month(found, today, text)
    raise _date_error(text)


def _find_name(word: str, names: tuple[str, ...]) -> int | None:
    """Return which of these a word is, in full or its first three letters or more."""
    fits = [place for place, name in enumerate(names) if len(word) >= 3 and name.startswith(word)]
    return fits[0] if len(fits) == 1 else None


def _day_of_month(found: re.Match[str], today: datetime.date, text: str) -> datetime.date:
    """Return the day that a date names; without a year the next that is not over."""
    month = _find_name(found["month"] or found["month_first"], _MONTHS)
    weekday = _find_name(found["weekday"], _WEEKDAYS) if found["weekday"] else None
    if month is None or (found["weekday"] and weekday is None):
        raise _date_error(text)
    number = int(found["day"] or found["day_last"])
    year = int(found["year"] or 0) or next(_years_with_day(today, month + 1, number), today.year)
    day = _date(year, month + 1, number, text)
    if weekday is not None and weekday != day.weekday():
        why = f"cannot be: {day.day} {day:%B %Y} is a {day:%A}"
        raise _date_error(text, why, "Leave the day of the week out, or mend it.")
    return day


def _years_with_day(today: datetime.date, month: int, number: int) -> Iterator[int]:
    """Yield the years, of the next few, in which there is such a day that is not over."""
    for year in range(today.year, today.year + 9):
        try:
            if datetime.date(year, month, number) >= today:
                yield year
        except ValueError:
            continue


def _date(year: int, month: int, number: int, text: str) -> datetime.date:
    try:
        return datetime.date(year, month, number)
    except ValueError:
        raise _date_error(text, "is no day of the calendar", "Look into one.") from None


def _ambiguous_date_error(found: re.Match[str], today: datetime.date, text: str) -> RequestRefused:
    """Return why numbers alone are refused, with the days that they could mean; none that is over."""
    ways = []
    for month, number in ((int(found[2]), int(found[1])), (int(found[1]), int(found[2]))):
        year = int(found[3] or next(_years_with_day(today, month, number), today.year))
        try:
            day = datetime.date(year + 2000 if year < 100 else year, month, number)
            ways.append(f"{day.day} {day:%b %Y}")
        except ValueError:
            continue
    meant = " or ".join(dict.fromkeys(ways))
    if not meant:
        return _date_error(text)
    return _date_error(
        text, "is read as day and month by some and as month and day by others", f"Write {meant}."
    )


class ExactPlayersFile(NamedTuple):
    """A file of players whose deadline is written out; mistakes in it are told where its host wrote them.

    Attributes:
        path: Where it lies.
        data: What it says.
    """

    path: Readable
    data: bytes

    def __str__(self) -> str:
        """Return where it lies."""
        return str(self.path)

    def read_bytes(self) -> bytes:
        """Return its content."""
        return self.data


def with_exact_deadline(home: Home, path: Readable, now: Moment) -> Readable:
    """Return a file of players with its deadline written out, which may be words: `Friday 20:00`.

    They are read in the zone of the home, else in that of the file's schedule.

    Args:
        home: The home.
        path: The file.
        now: The moment, from which days are counted.

    Raises:
        WrongInput: The file cannot be read, or its deadline; with FILE:LINE:COLUMN.
    """
    file = read_fields_file(path)
    written = file.value.get("deadline")
    if not isinstance(written, str):
        return path  # there is none, or the schema says what is wrong with it
    try:
        due = read_when(written, now, _zone(home, file)).due
    except RequestRefused as wrong:
        raise WrongInput(f"{file.at('deadline')}: {wrong}") from None
    if due.isoformat() == written:
        return path
    return ExactPlayersFile(path, write_deadline(path, path.read_bytes().decode(), due).encode())


def _zone(home: Home, file: FieldsFile) -> str:
    """Return the zone that is meant where none is written."""
    named = str(fields_of(file.value.get("schedule")).get("zone", ""))
    return home.zone() or (named if is_zone(named) else "UTC")
