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
    add_span,
    deadline_after,
    is_zone,
    moment_in_zone,
    scheduled_moment,
    span_in_words,
    span_of,
)
from tests.written import yaml_beside

HELSINKI, NEW_YORK, LORD_HOWE = "Europe/Helsinki", "America/New_York", "Australia/Lord_Howe"
ZONES = [HELSINKI, NEW_YORK, LORD_HOWE, "UTC", "Asia/Kolkata", "Pacific/Apia", "America/St_Johns"]


def at(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)


def weekly(days: str, hour: str, zone: str = HELSINKI, least: Span = Span(hours=12)) -> Schedule:  # noqa: B008
    clock, _, minute = hour.partition(":")
    numbers = frozenset(DAYS.index(day) for day in days.split())
    return Schedule(days=numbers, hour=int(clock), minute=int(minute), zone=zone, least=least)


TABLES = yaml_beside(__file__, "schedule.yaml")


@pytest.mark.parametrize(("days", "hour", "since", "due"), TABLES["next"].values(), ids=TABLES["next"])
def test_the_next_deadline_is_the_first_that_leaves_enough_time(
    days: str, hour: str, since: str, due: str
) -> None:
    found = deadline_after(weekly(days, hour), at(since))

    assert found is not None
    assert found.isoformat() == due


@pytest.mark.parametrize(("zone", "hour", "day", "expected"), TABLES["slots"])
def test_nobody_has_less_time_than_the_clock_on_the_wall_says(
    zone: str, hour: str, day: str, expected: str
) -> None:
    found = scheduled_moment(weekly("mon", hour, zone), datetime.date.fromisoformat(day))

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
        scheduled_moment(schedule, first + Span(days=n))
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


@pytest.mark.parametrize(("moment", "by", "expected"), TABLES["later"])
def test_a_day_longer_is_a_day_of_the_calendar_and_an_hour_is_an_hour(
    moment: str, by: str, expected: str
) -> None:
    assert add_span(at(moment), span_of(by), HELSINKI).isoformat() == expected


@pytest.mark.parametrize(("text", "words"), TABLES["spans"].items())
def test_a_span_is_said_in_the_largest_units(text: str, words: str) -> None:
    assert span_in_words(span_of(text)) == words


@pytest.mark.parametrize(("zone", "words"), TABLES["spelled"].items())
def test_a_moment_is_said_in_the_readers_zone(zone: str, words: str) -> None:
    assert moment_in_zone(at("2026-12-01T20:00:00+01:00"), zone) == words


@pytest.mark.parametrize(("name", "known"), TABLES["zones"].items())
def test_a_zone_is_one_that_there_is(name: str, known: bool) -> None:
    assert is_zone(name) is known
