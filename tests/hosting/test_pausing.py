"""Pauses that are planned ahead, and pauses that end by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.office.status import status_of
from pbem.host.people.votes import vote
from pbem.host.run.batch import run
from pbem.host.run.night import rests_until
from pbem.host.run.notes import PAUSED, Pause
from pbem.host.time.deadlines import is_late
from pbem.host.time.extensions import extend, reminders
from pbem.host.time.pausing import pause, resume
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.store.errors import GateClosedError, WrongInput
from pbem.store.records import Note, iso
from tests.facts import tells
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
    public_acts,
    queued,
    stay,
)

START, END = TUESDAY - DAY, TUESDAY + DAY
"""A pause over the first deadline."""


def test_a_game_rests_from_the_beginning_of_its_pause_to_the_end_and_goes_on_by_itself(
    tmp_path: Path,
) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, "holidays", start=START, end=END)
    stay(home, "1", "2")

    assert due(home, START - MINUTE).waiting == ("3",)
    stay(home, "3")
    with pytest.raises(GateClosedError, match=r"paused since .* until Wednesday 25 November 2026, 20:00 EET"):
        run(home, GAME, now=START)
    assert due(home, END - MINUTE, attended=False).rests.startswith("paused since Monday 23 November")
    assert due(home, END, attended=False).turn == 2
    assert verify(home, GAME).findings == ()


def test_before_a_pause_the_game_goes_on_as_ever_and_the_next_deadline_waits_for_it(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, "holidays", start=START, end=FRIDAY + HOUR)
    stay(home, "1", "2", "3")

    assert run(home, GAME, now=MADE + HOUR).turn == 2

    assert in_force(home) == TUESDAY + 7 * DAY
    assert "by Tuesday 01 December 2026, 20:00 EET" in " ".join(report(home, GAME, "1").split())


def test_a_single_deadline_moves_by_the_length_of_a_planned_pause(tmp_path: Path) -> None:
    home = a_club(tmp_path, schedule={}, deadline=TUESDAY.isoformat())

    assert pause(home, GAME, MADE, start=START, end=END) == TUESDAY + 2 * DAY


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


def test_a_plan_is_taken_back_with_its_deadline(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, start=START, end=END)

    assert resume(home, GAME, MADE + HOUR) == TUESDAY

    assert noted(home).paused is None
    assert in_force(home) == TUESDAY
    assert tells(public_acts(home)[-1], "Tuesday 24")


def test_a_plan_is_taken_back_for_a_turn_that_was_made_since(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, start=START, end=FRIDAY + HOUR)
    stay(home, "1", "2", "3")
    run(home, GAME, now=MADE + HOUR)

    assert resume(home, GAME, MADE + 2 * HOUR) == TUESDAY


def test_a_deadline_that_the_moderator_set_since_stays_when_a_plan_is_taken_back(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, start=START, end=END)
    extend(home, GAME, MADE, to=FRIDAY + 2 * DAY)

    assert resume(home, GAME, MADE + HOUR) == FRIDAY + 2 * DAY


def test_a_pause_with_an_end_is_ended_sooner(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, start=START, end=TUESDAY + 30 * DAY)

    assert resume(home, GAME, START + HOUR) == TUESDAY + HOUR

    assert noted(home).rest_at(START + HOUR) is None


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


def test_a_night_job_looks_at_a_game_when_its_pause_begins_and_ends(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    pause(home, GAME, MADE, start=MADE + 2 * HOUR, end=MADE + 3 * HOUR)
    saved = SavedGame(home, GAME)

    assert rests_until(saved, noted(home), MADE) == MADE + 2 * HOUR
    assert rests_until(saved, noted(home), MADE + 2 * HOUR) == MADE + 3 * HOUR


def test_a_pause_that_an_older_version_noted_still_holds(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    home.store.note([Note(GAME, PAUSED, f'["{iso(MADE)}", "holidays"]')])

    assert noted(home).paused == Pause(MADE, "holidays")
    assert resume(home, GAME, MADE + HOUR) == TUESDAY + HOUR
