"""Deadlines of a schedule: days of the week and an hour, in a zone whose clocks are set twice a year."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.play.config.schedule import (
    DAYS,
    Schedule,
    Span,
    deadline_after,
    is_zone,
    later,
    slot,
    span_in_words,
    span_of,
    spelled,
)

HELSINKI, NEW_YORK, LORD_HOWE = "Europe/Helsinki", "America/New_York", "Australia/Lord_Howe"
ZONES = [HELSINKI, NEW_YORK, LORD_HOWE, "UTC", "Asia/Kolkata", "Pacific/Apia", "America/St_Johns"]


def at(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)


def weekly(days: str, hour: str, zone: str = HELSINKI, least: Span = Span(hours=12)) -> Schedule:  # noqa: B008
    clock, _, minute = hour.partition(":")
    numbers = frozenset(DAYS.index(day) for day in days.split())
    return Schedule(days=numbers, hour=int(clock), minute=int(minute), zone=zone, least=least)


NEXT = [
    ("the same evening", "tue fri", "20:00", "2026-11-24T07:59:00+02:00", "2026-11-24T20:00:00+02:00"),
    ("exactly enough time", "tue fri", "20:00", "2026-11-24T08:00:00+02:00", "2026-11-24T20:00:00+02:00"),
    ("a second too little", "tue fri", "20:00", "2026-11-24T08:00:01+02:00", "2026-11-27T20:00:00+02:00"),
    ("after its own deadline", "tue", "20:00", "2026-11-24T20:00:00+02:00", "2026-12-01T20:00:00+02:00"),
    ("every day", " ".join(DAYS), "20:00", "2026-11-24T22:05:00+02:00", "2026-11-25T20:00:00+02:00"),
    ("into the new year", "thu", "20:00", "2026-12-31T21:00:00+02:00", "2027-01-07T20:00:00+02:00"),
    ("on new year's day", "fri", "00:00", "2026-12-30T12:00:00+02:00", "2027-01-01T00:00:00+02:00"),
    ("on a leap day", "tue", "20:00", "2028-02-28T12:00:00+02:00", "2028-02-29T20:00:00+02:00"),
    ("asked in another zone", "tue", "20:00", "2026-11-23T23:30:00-05:00", "2026-11-24T20:00:00+02:00"),
    ("into summer time", "sun", "20:00", "2026-03-28T20:00:00+02:00", "2026-03-29T20:00:00+03:00"),
    ("into winter time", "sun", "20:00", "2026-10-24T20:00:00+03:00", "2026-10-25T20:00:00+02:00"),
    ("an hour that is skipped", "sun", "03:30", "2026-03-28T12:00:00+02:00", "2026-03-29T04:30:00+03:00"),
    ("an hour that comes twice", "sun", "03:30", "2026-10-24T12:00:00+03:00", "2026-10-25T03:30:00+02:00"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("days", "hour", "since", "due"), [row[1:] for row in NEXT], ids=[r[0] for r in NEXT]
)
def test_the_next_deadline_is_the_first_that_leaves_enough_time(
    days: str, hour: str, since: str, due: str
) -> None:
    found = deadline_after(weekly(days, hour), at(since))

    assert found is not None
    assert found.isoformat() == due


@pytest.mark.parametrize(
    ("zone", "hour", "day", "expected"),
    [
        (NEW_YORK, "02:30", "2026-03-08", "2026-03-08T03:30:00-04:00"),
        (NEW_YORK, "01:30", "2026-11-01", "2026-11-01T01:30:00-05:00"),
        (LORD_HOWE, "02:15", "2026-10-04", "2026-10-04T02:45:00+11:00"),
        (LORD_HOWE, "01:45", "2026-04-05", "2026-04-05T01:45:00+10:30"),
        ("Asia/Kolkata", "20:00", "2026-03-29", "2026-03-29T20:00:00+05:30"),
    ],
)
def test_nobody_has_less_time_than_the_clock_on_the_wall_says(
    zone: str, hour: str, day: str, expected: str
) -> None:
    found = slot(weekly("mon", hour, zone), datetime.date.fromisoformat(day))

    assert found.isoformat() == expected


@pytest.mark.parametrize(
    ("since", "due"),
    [("2011-12-29T06:00:00-10:00", "2011-12-31T20:00:00+14:00"),
     ("2011-12-29T13:00:00-10:00", "2011-12-31T20:00:00+14:00")],
    ids=["before it", "enough is on Saturday already"],
)  # fmt: skip
def test_on_a_day_that_a_zone_left_out_nothing_is_due(since: str, due: str) -> None:
    """There was no Friday, 30 December 2011, in Samoa."""
    found = deadline_after(weekly("fri", "20:00", "Pacific/Apia"), at(since))

    assert found is not None
    assert found.isoformat() == due
    assert deadline_after(Schedule(), at(since)) is None, "without days there is no deadline"


moments = st.datetimes(
    datetime.datetime(2020, 1, 1), datetime.datetime(2035, 1, 1), timezones=st.just(datetime.UTC)
)
schedules = st.builds(
    Schedule,
    days=st.frozensets(st.integers(0, 6), min_size=1),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    zone=st.sampled_from(ZONES),
    least=st.integers(1, 48).map(lambda hours: Span(hours=hours)),
)


@given(schedules, moments)
def test_a_deadline_leaves_enough_time_and_no_earlier_one_does(
    schedule: Schedule, since: datetime.datetime
) -> None:
    found = deadline_after(schedule, since)

    assert found is not None
    assert schedule.least <= found - since <= schedule.least + Span(days=7, hours=3)
    enough = since + schedule.least
    first = enough.astimezone(ZoneInfo(schedule.zone)).date() - Span(days=2)
    slots = [
        slot(schedule, first + Span(days=n))
        for n in range(12)
        if (first + Span(days=n)).weekday() in schedule.days
    ]
    assert found == min(one for one in slots if one >= enough)


@given(schedules, moments, moments)
def test_who_is_asked_later_is_never_due_earlier(
    schedule: Schedule, one: datetime.datetime, other: datetime.datetime
) -> None:
    first, second = deadline_after(schedule, min(one, other)), deadline_after(schedule, max(one, other))

    assert first is not None
    assert second is not None
    assert first <= second


@pytest.mark.parametrize(
    ("moment", "by", "zone", "expected"),
    [
        ("2026-11-24T20:00:00+02:00", "1d", HELSINKI, "2026-11-25T20:00:00+02:00"),
        ("2026-10-24T20:00:00+03:00", "1d", HELSINKI, "2026-10-25T20:00:00+02:00"),
        ("2026-10-24T20:00:00+03:00", "24h", HELSINKI, "2026-10-25T20:00:00+02:00"),
        ("2026-10-24T20:00:00+03:00", "12h", HELSINKI, "2026-10-25T07:00:00+02:00"),
        ("2026-03-28T20:00:00+02:00", "36h", HELSINKI, "2026-03-30T08:00:00+03:00"),
        ("2026-12-31T20:00:00+02:00", "90m", HELSINKI, "2026-12-31T21:30:00+02:00"),
    ],
)
def test_a_day_longer_is_a_day_of_the_calendar_and_an_hour_is_an_hour(
    moment: str, by: str, zone: str, expected: str
) -> None:
    assert later(at(moment), span_of(by), zone).isoformat() == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("90m", "1 hour and 30 minutes"),
        ("36h", "1 day and 12 hours"),
        ("2d", "2 days"),
        ("1 m", "1 minute"),
    ],
)
def test_a_span_is_said_in_the_largest_units(text: str, words: str) -> None:
    assert span_in_words(span_of(text)) == words


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("", "Tuesday 01 December 2026, 20:00 UTC+01:00"),
        ("UTC", "Tuesday 01 December 2026, 19:00 UTC"),
        (HELSINKI, "Tuesday 01 December 2026, 21:00 EET (Europe/Helsinki)"),
        ("Asia/Kolkata", "Wednesday 02 December 2026, 00:30 IST (Asia/Kolkata)"),
    ],
)
def test_a_moment_is_said_in_the_readers_zone(zone: str, words: str) -> None:
    assert spelled(at("2026-12-01T20:00:00+01:00"), zone) == words


@pytest.mark.parametrize(
    ("name", "known"),
    [
        (HELSINKI, True),
        ("UTC", True),
        ("Etc/GMT+3", True),
        ("Mars/Olympus", False),
        ("../../etc/passwd", False),
        ("/etc/passwd", False),
        ("Europe", False),
        ("", False),
        ("europe/helsinki\x00", False),
    ],
)
def test_a_zone_is_one_that_there_is(name: str, known: bool) -> None:
    assert is_zone(name) is known
