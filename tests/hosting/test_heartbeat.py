"""When a host was seen at work: stretches, gaps, and clocks that jump."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.host.office.watch import DOWN, JUMP, Beats, Uptime, beat, read_beats, seen, uptime
from pbem.play.config.schedule import Span
from tests.homes import NOW, a_home

HOUR = Span(hours=1)


def beats(*steps: tuple[float, float | None, str]) -> Beats:
    """Return heartbeats: hours on the clock, hours on the other clock or None, and the boot."""
    found = Beats()
    for wall, other, boot in steps:
        up = None if other is None else Uptime(boot, other * 3600)
        found = seen(found, NOW + wall * HOUR, up)
    return found


ROWS = [
    ("at work all the time", [(0, 0, "a"), (1, 1, "a"), (2, 2, "a"), (3, 3, "a")], 1.5, ""),
    ("at the very moment", [(0, 0, "a"), (1, 1, "a")], 1, ""),
    ("when it was seen first", [(2, 0, "a"), (3, 1, "a")], 2, DOWN),
    ("when it came back", [(0, 0, "a"), (3, 3, "a"), (4, 4, "a")], 3, DOWN),
    ("before it was ever seen", [(2, 0, "a"), (3, 1, "a")], 1, DOWN),
    ("since the last heartbeat", [(0, 0, "a"), (1, 1, "a")], 1.5, DOWN),
    ("away for just as long as is allowed", [(0, 0, "a"), (2, 2, "a")], 1, ""),
    ("away for a minute more", [(0, 0, "a"), (2 + 1 / 60, 2 + 1 / 60, "a")], 1, DOWN),
    ("away for three hours", [(0, 0, "a"), (3, 3, "a")], 1.5, DOWN),
    ("away and restarted", [(0, 9, "a"), (3, 0.1, "b")], 1.5, DOWN),
    ("restarted quickly", [(0, 9, "a"), (1, 0.1, "b")], 0.5, ""),
    ("set forwards by an hour", [(0, 0, "a"), (1.1, 0.1, "a")], 0.5, JUMP),
    ("set forwards by three hours", [(0, 0, "a"), (3.1, 0.1, "a")], 2, JUMP),
    ("set back by an hour", [(0, 0, "a"), (1, 1, "a"), (0.1, 1.1, "a")], 0.5, DOWN),
    ("set back, and then at work", [(0, 0, "a"), (1, 1, "a"), (0.1, 1.1, "a"), (1, 2, "a")], 0.5, ""),
    ("a drift of five minutes", [(0, 0, "a"), (1, 0.92, "a")], 0.5, ""),
    ("no other clock, back", [(0, None, ""), (1, None, ""), (0.1, None, ""), (0.2, None, "")], 0.15, ""),
    ("no other clock, since it was set back", [(0, None, ""), (2, None, ""), (0.5, None, "")], 1, DOWN),
    ("before the clock was set", [(0, 0, "a"), (1, 1, "a"), (4.1, 1.1, "a")], 0.5, ""),
    ("no other clock, two months on", [(0, None, ""), (1500, None, "")], 700, JUMP),
    ("no other clock, a week on", [(0, None, ""), (170, None, "")], 100, DOWN),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "hour", "gap"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_why_the_host_was_not_at_work_at_a_moment(
    steps: list[tuple[float, float | None, str]], hour: float, gap: str
) -> None:
    assert beats(*steps).gap_at(NOW + hour * HOUR) == gap


@pytest.mark.parametrize(
    ("first", "then", "grace", "gap"),
    [
        (0.9, 3.1, 2, ""),
        (1 - 1 / 60, 3 + 1 / 60, 2, ""),
        (0, 3, 2, ""),
        (-1.2, 3, 2, DOWN),
        (-1.1, 2, 2, DOWN),
        (0.9, 5.1, 2, DOWN),
        (0.5, 3.5, 2, DOWN),
        (0.5, 12, 12, ""),
        (0.5, 13 + 25 / 60 + 1, 12, DOWN),
        (1 - 1 / 60, 13 + 1 / 60, 12, DOWN),
    ],
    ids=[
        "around the grace",
        "a minute beside it",
        "two hours beside it",
        "too long before",
        "within the grace",
        "too long after",
        "half an hour beside it",
        "back within twelve hours",
        "back after twelve hours",
        "back a minute after twelve hours",
    ],
)
def test_the_time_in_a_grace_counts_only_for_a_host_that_comes_back_after_it(
    first: float, then: float, grace: float, gap: str
) -> None:
    found = beats((first, first + 9, "a"), (then, then + 9, "a"))
    moment = NOW + HOUR

    assert found.gap_at(moment, grace * HOUR) == gap
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
