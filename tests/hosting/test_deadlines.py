"""Deadlines in force: set with a turn, kept through an undo, told in everybody's own zone."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.gamefile import Absence, next_deadline
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.store.errors import WrongInput
from pbem.text.strictyaml import dump
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, table_of, top, undo
from tests.hosting.games import (
    DAY,
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    SCHEDULE,
    SECOND,
    TUESDAY,
    a_club,
    club_table,
    due,
    in_force,
)


def rewrite(home: Home, **more: Json) -> None:
    ((top(home) / "games") / GAME / "game.yaml").write_text(dump({**club_table(), **more}), encoding="utf-8")


def test_a_game_that_gets_a_schedule_on_its_way_has_a_deadline_at_once(tmp_path: Path) -> None:
    home = a_club(tmp_path, schedule={})
    assert in_force(home) is None
    assert "Orders are due" not in report(home, GAME, "1")

    rewrite(home)

    assert in_force(home) == TUESDAY


def test_a_turn_that_is_run_again_keeps_the_deadline_that_was_promised(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    due(home, TUESDAY)
    undo(home, GAME)
    assert in_force(home) == TUESDAY

    rewrite(home, schedule={**SCHEDULE, "days": ["mon"]})  # which would give next Monday
    due(home, TUESDAY + 2 * DAY)

    assert in_force(home) == FRIDAY


def test_a_promise_that_leaves_too_little_time_is_not_kept(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    due(home, TUESDAY)
    undo(home, GAME)

    due(home, FRIDAY - 11 * HOUR)

    assert in_force(home) == TUESDAY + 7 * DAY


@pytest.mark.parametrize(
    ("away", "expected"),
    [
        ([(TUESDAY - DAY, TUESDAY + HOUR)], FRIDAY),
        ([(TUESDAY - DAY, TUESDAY)], TUESDAY),
        ([(TUESDAY + SECOND, TUESDAY + DAY)], TUESDAY),
        ([(FRIDAY - HOUR, FRIDAY + HOUR), (TUESDAY - DAY, TUESDAY + HOUR)], TUESDAY + 7 * DAY),
        ([(TUESDAY - DAY, FRIDAY - HOUR)], TUESDAY + 7 * DAY),
    ],
    ids=["over it", "up to it", "after it", "two of them", "back too late for the next"],
)
def test_deadlines_are_set_past_absences_where_the_game_waits_for_them(
    tmp_path: Path, away: list[tuple[datetime.datetime, datetime.datetime]], expected: datetime.datetime
) -> None:
    table = SavedGame(a_club(tmp_path), GAME).table
    absences = [Absence(start, end) for start, end in away]

    assert next_deadline(table, MADE, away=absences) == expected


def test_a_deadline_and_its_grace_must_have_passed(tmp_path: Path) -> None:
    home = a_club(tmp_path, schedule={**SCHEDULE, "grace": "2h"})
    end = TUESDAY + 2 * HOUR

    assert due(home, end - SECOND).turn is None
    ran = due(home, end)

    assert (ran.turn, ran.missed) == (2, ("1", "2", "3"))
    assert verify(home, GAME).findings == ()


def test_no_grace_can_be_written_as_nothing(tmp_path: Path) -> None:
    home = a_club(tmp_path, schedule={**SCHEDULE, "grace": "0m", "least": "0h"})
    schedule = SavedGame(home, GAME).table.schedule
    assert schedule.grace == schedule.least == datetime.timedelta(0)


def test_without_a_zone_a_deadline_is_told_as_it_is_written(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home, table=f"{table_of(2)}deadline: 2026-12-01T20:00:00+01:00\n", rules="web-of-intrigue")

    told = " ".join(report(home, "rose-1", "1").split())
    assert "by Tuesday 01 December 2026, 20:00 UTC+01:00." in told
    assert SavedGame(home, "rose-1").table.spelled(NOW, Seat("1")) == "Saturday 21 November 2026, 20:00 UTC"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("schedule: {days: [tue]}", ()),
        ("schedule: {days: [tuesday], at: '20:00'}", ("schedule.days.0",)),
        ("schedule: {days: [], at: '20:00'}", ("schedule.days",)),
        (
            "schedule: {days: every day, at: '20:00'}",
            ("schedule.days",),
        ),
        ("schedule: {days: [tue], at: '24:00'}", ("schedule.at",)),
        ("schedule: {grace: 2 weeks}", ("schedule.grace",)),
        ("schedule: {early: sometimes}", ("schedule.early",)),
        (
            "schedule: {zone: Mars/Olympus}",
            ("schedule.zone",),
        ),
        ("votes: open", ()),
        ("absent: ignore", ()),
        (
            "schedule: {days: [tue], at: '20:00', absent: wait}",
            ("schedule.absent", "`schedule`"),
        ),
        ("zone: Europe/Helsinki", ("`schedule`",)),
    ],
)
def test_a_mistake_in_a_schedule_is_told_with_its_place(
    tmp_path: Path, more: str, told: tuple[str, ...]
) -> None:
    home = a_home(tmp_path)

    with pytest.raises(WrongInput) as wrong:
        a_game(home, table=f"seats:\n  red: {{player: Ann}}\n  white: {{player: Bob}}\n{more}\n")

    assert tells(str(wrong.value), *told)
    assert home.games() == []


def test_a_zone_of_a_player_or_home_that_there_is_not_is_told_with_its_place(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    with pytest.raises(WrongInput, match=r"(?s)seats\.red\.zone.*'Mars'"):
        a_game(home, table="seats:\n  red: {player: Ann, zone: Mars}\n  white: {player: Bob}\n")
    (top(home) / "home.yaml").write_text("zone: Mars\n", encoding="utf-8")

    with pytest.raises(WrongInput):
        a_game(home)
