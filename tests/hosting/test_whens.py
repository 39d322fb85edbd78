"""Moments and days as people write them: what is understood, and what is refused with the way out."""

from __future__ import annotations

import datetime

import pytest

from pbem.host.time.dates import read_span, read_when
from pbem.store.errors import RequestRefused
from tests.written import yaml_beside

NOW = datetime.datetime(2026, 11, 25, 12, 30, 40, tzinfo=datetime.UTC)
"""A Wednesday, 40 seconds after half past two in Helsinki."""

TABLES = yaml_beside(__file__, "whens.yaml")


@pytest.mark.parametrize(("text", "expected"), TABLES["moments"].items())
def test_a_moment_is_understood_in_the_zone_that_is_meant(text: str, expected: str) -> None:
    found = read_when(text, NOW, "Europe/Helsinki")

    assert found.at is not None
    assert found.at.isoformat() == expected
    assert found.start_moment == found.due == found.end == found.at


@pytest.mark.parametrize(("text", "expected"), TABLES["days"].items())
def test_a_day_goes_from_its_midnight_to_the_next_and_orders_are_due_in_its_last_minute(
    text: str, expected: str
) -> None:
    found, day = read_when(text, NOW, "Europe/Helsinki"), datetime.date.fromisoformat(expected)

    assert (found.day, found.at) == (day, None)
    assert f"{found.start_moment:%Y-%m-%d %H:%M}" == f"{day} 00:00"
    assert f"{found.due:%Y-%m-%d %H:%M}" == f"{day} 23:59"
    assert f"{found.end:%Y-%m-%d %H:%M}" == f"{day + datetime.timedelta(days=1)} 00:00"


@pytest.mark.parametrize("text", TABLES["refused"])
def test_what_could_mean_two_things_or_nothing_is_refused_with_the_way_out(text: str) -> None:
    with pytest.raises(RequestRefused) as wrong:
        read_when(text, NOW, "Europe/Helsinki")

    assert repr(text) in wrong.value.for_player


def test_today_is_the_day_in_the_zone_that_is_meant() -> None:
    late = datetime.datetime(2026, 11, 25, 23, 0, tzinfo=datetime.UTC)

    assert read_when("today", late, "UTC").day == datetime.date(2026, 11, 25)
    assert read_when("today", late, "Europe/Helsinki").day == datetime.date(2026, 11, 26)
    assert read_when("today 9:00 America/New_York", late, "UTC").day == datetime.date(2026, 11, 25)


@pytest.mark.parametrize(("text", "hours"), TABLES["spans"].items())
def test_a_span_of_time_is_read_as_people_write_it(text: str, hours: int) -> None:
    assert read_span(text) == (datetime.timedelta(hours=hours) if hours else None)
