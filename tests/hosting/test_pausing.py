"""Pauses that are planned ahead, and pauses that end by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.office.status import status_of
from pbem.host.people.votes import vote
from pbem.host.run.batch import run
from pbem.host.run.notes import PAUSED, Pause
from pbem.host.time.deadlines import is_late
from pbem.host.time.extensions import reminders
from pbem.host.time.pausing import pause, resume
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import report
from pbem.store.errors import WrongInput
from pbem.store.records import Note, iso
from tests.hosting.games import (
    DAY,
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    MINUTE,
    TUESDAY,
    a_club,
    due,
    in_force,
    night,
    noted,
    queued,
    stay,
)

START, END = TUESDAY - DAY, TUESDAY + DAY
"""A pause over the first deadline."""


def test_before_a_pause_the_game_goes_on_as_ever_and_the_next_deadline_waits_for_it(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, "holidays", start=START, end=FRIDAY + HOUR)
    stay(home, "1", "2", "3")

    assert run(home, GAME, now=MADE + HOUR).turn == 2

    assert in_force(home) == TUESDAY + 7 * DAY
    assert "by Tuesday 01 December 2026, 20:00 EET" in " ".join(report(home, GAME, "1").split())


def test_nobody_is_late_or_reminded_while_the_game_is_paused(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    pause(home, GAME, MADE, start=START)  # until somebody lets it go on, so the deadline stands meanwhile
    saved, notes = SavedGame(home, GAME), noted(home)

    assert not is_late(saved, notes, TUESDAY + HOUR, TUESDAY + HOUR)
    assert is_late(saved, notes._replace(paused=Pause(TUESDAY + HOUR, "")), TUESDAY + MINUTE, TUESDAY + HOUR)
    assert reminders(saved, TUESDAY - HOUR) == []
    assert reminders(saved, START - MINUTE) == []
    night(home, TUESDAY - HOUR)
    assert queued(home, "reminder") == []


def test_a_plan_is_taken_back_for_a_turn_that_was_made_since(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, start=START, end=FRIDAY + HOUR)
    stay(home, "1", "2", "3")
    run(home, GAME, now=MADE + HOUR)

    assert resume(home, GAME, MADE + 2 * HOUR) == TUESDAY


def test_a_paused_game_is_told_when_it_goes_on_and_does(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, "holidays")

    left = TUESDAY - MADE
    assert resume(home, GAME, MADE + HOUR, at=END) == END + left
    assert resume(home, GAME, MADE + HOUR, at=START + HOUR) == START + HOUR + left  # sooner after all

    stay(home, "1", "2", "3")
    assert due(home, START, attended=False).turn is None
    assert due(home, START + HOUR, attended=False).turn == 2


def test_there_is_one_pause_at_a_time(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, start=START, end=END)

    with pytest.raises(WrongInput):
        pause(home, GAME, MADE)
    with pytest.raises(WrongInput, match="is to be paused from"):
        vote(home, GAME, Seat("1"), "pause", MADE)
    with pytest.raises(WrongInput):
        resume(home, GAME, MADE, at=START)
    with pytest.raises(WrongInput):
        resume(home, GAME, END)
    pause(home, GAME, END)
    with pytest.raises(WrongInput, match=r"is paused since .* Let it go on: pbem resume club"):
        pause(home, GAME, END)
    with pytest.raises(WrongInput, match="has passed"):
        resume(home, GAME, END + DAY, at=END + HOUR)


def test_the_status_tells_a_pause_before_it_while_it_lasts_and_no_more_after_it(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, "holidays", start=START, end=END)
    span = "Monday 23 November 2026, 20:00 EET (Europe/Helsinki) until Wednesday 25 November 2026, 20:00 EET"

    found = [status_of(home, GAME, at) for at in (MADE, START, END)]

    assert [one.rests for one in found] == ["", f"paused since {span} (Europe/Helsinki) (holidays)", ""]
    assert [one.pause for one in found] == [f"to be paused from {span} (Europe/Helsinki) (holidays)", "", ""]


def test_a_pause_that_an_older_version_noted_still_holds(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    home.store.note([Note(GAME, PAUSED, f'["{iso(MADE)}", "holidays"]')])

    assert noted(home).paused == Pause(MADE, "holidays")
    assert resume(home, GAME, MADE + HOUR) == TUESDAY + HOUR
