"""When a host was seen at work: stretches, gaps, and clocks that jump."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.host.office.watch import DOWN, JUMP, Beats, Uptime, beat, read_beats, seen, uptime
from pbem.play.config.schedule import Span
from tests.homes import NOW, a_home
from tests.written import yaml_beside

HOUR = Span(hours=1)


def beats(*steps: tuple[float, float | None, str]) -> Beats:
    """Return heartbeats: hours on the clock, hours on the other clock or None, and the boot."""
    found = Beats()
    for wall, other, boot in steps:
        up = None if other is None else Uptime(boot, other * 3600)
        found = seen(found, NOW + wall * HOUR, up)
    return found


TABLES = yaml_beside(__file__, "heartbeats.yaml")


@pytest.mark.parametrize("row", TABLES["seen"], ids=lambda row: str(row["when"]))
def test_why_the_host_was_not_at_work_at_a_moment(row: dict[str, Any]) -> None:
    steps = ((wall / 60, None if other is None else other / 60, boot) for wall, other, boot in row["beats"])

    assert beats(*steps).gap_at(NOW + row["at"] / 60 * HOUR) == row["gap"]


@pytest.mark.parametrize("row", TABLES["grace"], ids=lambda row: str(row["when"]))
def test_the_time_in_a_grace_counts_only_for_a_host_that_comes_back_after_it(row: dict[str, Any]) -> None:
    first, then = row["before"] / 60, row["after"] / 60
    found = beats((first, first + 9, "a"), (then, then + 9, "a"))
    moment = NOW + HOUR

    assert found.gap_at(moment, row["grace"] / 60 * HOUR) == row["gap"]
    assert found.gap_at(moment) == DOWN
    assert found.last_beat_before(moment) == NOW + first * HOUR


def test_a_jump_is_known_for_good() -> None:
    found = beats((0, 0, "a"), (3.1, 0.1, "a"), (3.2, 0.2, "a"), (4, 1, "a"), (5, 2, "a"))

    assert found.gap_at(NOW + 2 * HOUR) == JUMP
    assert found.gap_at(NOW + 4 * HOUR) == ""


def test_no_more_is_kept_than_needed() -> None:
    found = beats(*((hours, None, "") for hours in range(0, 1000, 5)))

    assert len(found.stretches) == 50
    assert found.stretches[-1].end == NOW + 995 * HOUR


def test_heartbeats_are_noted_in_the_home(tmp_path: Path) -> None:
    home = a_home(tmp_path)

    for hours in (0, 1, 5):
        with home.journal() as db:
            noted = beat(db, NOW + hours * HOUR, Uptime("a", hours * 3600.0))
    with home.journal() as db:
        found = read_beats(db)

    assert found == noted
    assert [found.gap_at(NOW + hours * HOUR) for hours in (0.5, 2, 5)] == ["", DOWN, DOWN]


def test_the_other_clock_of_this_machine_goes_on() -> None:
    first, second = uptime(), uptime()

    assert first is not None
    assert second is not None
    assert first.boot == second.boot
    assert first.seconds <= second.seconds
    assert isinstance(NOW, datetime.datetime)
