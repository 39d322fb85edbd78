"""Deadlines are set past absences, and a mistake in a schedule is told with its place."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from pbem.play.config.gamefile import Absence, next_deadline
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from tests.facts import tells
from tests.homes import a_game, a_home, top
from tests.hosting.games import (
    DAY,
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    SECOND,
    TUESDAY,
    a_club,
)


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
