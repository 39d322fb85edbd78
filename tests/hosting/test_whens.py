"""Moments and days as people write them: what is understood, and what is refused with the way out."""

from __future__ import annotations

import datetime

import pytest

from pbem.host.time.dates import read_span, read_when
from pbem.store.errors import RequestRefused

NOW = datetime.datetime(2026, 11, 25, 12, 30, 40, tzinfo=datetime.UTC)
"""A Wednesday, 40 seconds after half past two in Helsinki."""

MOMENTS = [
    ("in a week", "2026-12-02T14:31:00+02:00"),
    ("in an hour", "2026-11-25T15:31:00+02:00"),
    ("2026-12-01T20:00:00+01:00", "2026-12-01T20:00:00+01:00"),
    ("2026-12-01T20:00:37.5+00:00", "2026-12-01T20:01:00+00:00"),
    ("2026-12-01T20:00Z", "2026-12-01T20:00:00+00:00"),
    ("2026-12-01T20:00", "2026-12-01T20:00:00+02:00"),
    ("2026-12-01 20:00", "2026-12-01T20:00:00+02:00"),
    ("2026-12-01 20:00 UTC", "2026-12-01T20:00:00+00:00"),
    ("1 Dec 18:00", "2026-12-01T18:00:00+02:00"),
    ("Dec 1, 18:00", "2026-12-01T18:00:00+02:00"),
    ("1 Dec 20:00 Asia/Tokyo", "2026-12-01T20:00:00+09:00"),
    ("Tuesday 01 December 2026, 20:00 EET (Europe/Helsinki)", "2026-12-01T20:00:00+02:00"),
    ("Tuesday 01 December 2026, 13:00 EST (America/New_York)", "2026-12-01T13:00:00-05:00"),
    ("Tuesday 01 December 2026, 20:00 UTC+01:00", "2026-12-01T20:00:00+01:00"),
    ("Tuesday 01 December 2026, 20:00 UTC", "2026-12-01T20:00:00+00:00"),
    ("fri 20:00", "2026-11-27T20:00:00+02:00"),
    ("6pm Friday", "2026-11-27T18:00:00+02:00"),
    ("on Friday at 6:30 pm", "2026-11-27T18:30:00+02:00"),
    ("12 am tomorrow", "2026-11-26T00:00:00+02:00"),
    ("tomorrow noon", "2026-11-26T12:00:00+02:00"),
    ("tomorrow 9:00", "2026-11-26T09:00:00+02:00"),
    ("18:00", "2026-11-25T18:00:00+02:00"),
    ("now", "2026-11-25T14:30:40+02:00"),
    ("in 3 days", "2026-11-28T14:31:00+02:00"),
    ("+2d", "2026-11-27T14:31:00+02:00"),
    ("+ 36h", "2026-11-27T02:31:00+02:00"),
    ("in 90 minutes", "2026-11-25T16:01:00+02:00"),
    ("in 1 week", "2026-12-02T14:31:00+02:00"),
    ("2027-03-28 03:30", "2027-03-28T04:30:00+03:00"),  # an hour that the clocks skip
    ("2026-10-25 03:30", "2026-10-25T03:30:00+02:00"),  # one that they show twice
]

SPANS = [
    ("36h", 36),
    ("2d", 48),
    ("2 days", 48),
    ("in a week", 168),
    ("+1 hour", 1),
    ("Friday", 0),
    ("0h", 0),
]

DAYS = [
    ("2026-12-01", "2026-12-01"),
    ("1 Dec", "2026-12-01"),
    ("1. december", "2026-12-01"),
    ("Dec 1st", "2026-12-01"),
    ("December 1 2027", "2027-12-01"),
    ("Tue 1 Dec", "2026-12-01"),
    ("Friday", "2026-11-27"),
    ("tues", "2026-12-01"),
    ("today", "2026-11-25"),
    ("Tomorrow", "2026-11-26"),
    ("25 Nov", "2026-11-25"),
    ("24 Nov", "2027-11-24"),
    ("29 Feb", "2028-02-29"),
]

REFUSED = [
    ("01/02/2026", "Write 1 Feb 2026 or 2 Jan 2026."),
    ("1.2.2026", "Write 1 Feb 2026 or 2 Jan 2026."),
    ("1/2", "Write 1 Feb 2027 or 2 Jan 2027."),
    ("1/12", "Write 1 Dec 2026 or 12 Jan 2027."),
    ("13/02/26 18:00", "Write 13 Feb 2026."),
    ("Wednesday", "Write today, or 2026-12-02 for the one after."),
    ("Wednesday at 18:00", "Write today at 18:00, or 2026-12-02 at 18:00 for the one after."),
    ("Mon 1 Dec", "1 December 2026 is a Tuesday."),
    ("30 Feb", "is no day of the calendar"),
    ("2026-13-01", "is no day of the calendar"),
    ("1 Dec 25:00", "has an hour that there is not"),
    ("1 Dec 13pm", "is no moment or day"),
    ("1 Dec 20:00 Mars/Base", "there is no 'Mars/Base'"),
    ("next Friday", "Write 27 Nov or 4 Dec."),
    ("next Wed", "Write 2 Dec or 9 Dec."),
    ("midnight", "Write 2026-12-01 18:00"),
    ("ma 1", "Write 2026-12-01 18:00"),
    ("1 Dec 9", "Write 2026-12-01 18:00"),
    ("in 0 days", "Write 2026-12-01 18:00"),
    ("9:00 10:00", "Write 2026-12-01 18:00"),
    ("soon", "Write 2026-12-01 18:00"),
    ("", "Write 2026-12-01 18:00"),
    ("99/99/2026", "Write 2026-12-01 18:00"),
    ("١ Dec", "Write 2026-12-01 18:00"),
]


@pytest.mark.parametrize(("text", "expected"), MOMENTS)
def test_a_moment_is_understood_in_the_zone_that_is_meant(text: str, expected: str) -> None:
    found = read_when(text, NOW, "Europe/Helsinki")

    assert found.at is not None
    assert found.at.isoformat() == expected
    assert found.begin == found.due == found.end == found.at


@pytest.mark.parametrize(("text", "expected"), DAYS)
def test_a_day_goes_from_its_midnight_to_the_next_and_orders_are_due_in_its_last_minute(
    text: str, expected: str
) -> None:
    found, day = read_when(text, NOW, "Europe/Helsinki"), datetime.date.fromisoformat(expected)

    assert (found.day, found.at) == (day, None)
    assert f"{found.begin:%Y-%m-%d %H:%M}" == f"{day} 00:00"
    assert f"{found.due:%Y-%m-%d %H:%M}" == f"{day} 23:59"
    assert f"{found.end:%Y-%m-%d %H:%M}" == f"{day + datetime.timedelta(days=1)} 00:00"


@pytest.mark.parametrize(("text", "told"), REFUSED)
def test_what_could_mean_two_things_or_nothing_is_refused_with_the_way_out(text: str, told: str) -> None:
    with pytest.raises(RequestRefused) as wrong:
        read_when(text, NOW, "Europe/Helsinki")

    assert repr(text) in wrong.value.for_player


def test_today_is_the_day_in_the_zone_that_is_meant() -> None:
    late = datetime.datetime(2026, 11, 25, 23, 0, tzinfo=datetime.UTC)

    assert read_when("today", late, "UTC").day == datetime.date(2026, 11, 25)
    assert read_when("today", late, "Europe/Helsinki").day == datetime.date(2026, 11, 26)
    assert read_when("today 9:00 America/New_York", late, "UTC").day == datetime.date(2026, 11, 25)


@pytest.mark.parametrize(("text", "hours"), SPANS)
def test_a_span_of_time_is_read_as_people_write_it(text: str, hours: int) -> None:
    assert read_span(text) == (datetime.timedelta(hours=hours) if hours else None)
