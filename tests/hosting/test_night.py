"""The night job: what `pbem run --due` runs, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.host.office.watch import read_beats
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from tests.facts import tells
from tests.homes import send, undo
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
    due,
    night,
    queued,
    stay,
)

EVERYBODY = ("1", "2", "3")


def test_waiting_lasts_as_long_as_lines_are_left(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    line: Json = {"keep": True, "do": {"move": "stay"}}
    for seat in EVERYBODY:
        send(home, GAME, seat, [line], wait=seat == "3")

    turns = [due(home, moment, attended=False).turn for moment in (TUESDAY, TUESDAY + HOUR, FRIDAY)]

    assert turns == [2, None, 3]
    assert verify(home, GAME).findings == ()


def test_a_night_job_runs_no_turn_again_that_was_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_club(tmp_path)
    due(home, TUESDAY)
    undo(home, GAME)

    for moment in (TUESDAY, TUESDAY + DAY):
        assert night(home, moment) == 0
        assert tells(capsys.readouterr().out)

    assert night(home, TUESDAY + DAY, GAME) == 0
    assert SavedGame(home, GAME).turn == 2
    assert night(home, FRIDAY) == 0
    assert SavedGame(home, GAME).turn == 3


def test_the_night_job_is_a_heartbeat_also_without_mail(tmp_path: Path) -> None:
    home = a_club(tmp_path)

    night(home, MADE + HOUR)

    with home.journal() as db:
        assert read_beats(db).gap_at(MADE + HOUR + SECOND) == "down"
        assert read_beats(db).stretches[-1].end == MADE + HOUR


def test_a_game_that_another_pbem_is_at_work_on_is_no_fault_and_nobody_is_mailed(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, gate={"disk": 0})
    assert night(home, MADE + HOUR) == 0
    before = [one.kind for one in queued(home)]
    stay(home, *EVERYBODY)

    with home.held(GAME):
        assert night(home, MADE + 2 * HOUR, GAME) == 3

    assert [one.kind for one in queued(home)] == before
    assert night(home, MADE + 3 * HOUR) == 0
    assert SavedGame(home, GAME).turn == 2


def test_the_first_night_job_after_the_deal_runs_what_was_answered_already(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True, schedule={**SCHEDULE, "early": "always"}, gate={"disk": 0})
    stay(home, "1", "2", "3")

    assert night(home, MADE + HOUR) == 0

    assert SavedGame(home, GAME).turn == 2
    assert {(one.turn, one.state) for one in queued(home, "report")} == {(1, "sent"), (2, "sent")}
