"""Deadlines are moved, games paused, players away; all of it written down and told."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.host.office.status import status_of
from pbem.host.run.batch import run
from pbem.host.time.dates import read_when
from pbem.host.time.extensions import announce_absence, extend, time_away
from pbem.host.time.pausing import pause, resume
from pbem.play.config.gamefile import Absence
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.store.errors import Declined
from tests.facts import each_tells, tells
from tests.homes import game_folder, top, undo
from tests.hosting.games import (
    DAY,
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    MINUTE,
    SCHEDULE,
    TUESDAY,
    a_club,
    due,
    in_force,
    public_acts,
    queued,
    stay,
)

THREE = Seat("3")


def test_an_extension_is_for_one_turn_and_stands_in_the_next_report(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    extend(home, GAME, MADE + HOUR)
    stay(home, "1", "2", "3")

    run(home, GAME, now=MADE + 2 * HOUR)

    told = " ".join(report(home, GAME, "spectator").split())
    assert tells(told, "turn-1", "Wednesday 25 November 2026, 20:00 EET")
    assert in_force(home) == TUESDAY
    assert verify(home, GAME).findings == ()


MONDAY = TUESDAY - DAY


def a_game_with_one_deadline(path: Path) -> Home:
    return a_club(path, schedule={}, deadline=TUESDAY.isoformat())


@pytest.mark.parametrize("to", [FRIDAY, MONDAY], ids=["later", "earlier"])
def test_a_single_deadline_that_was_moved_counts_for_each_turn_before_it(
    tmp_path: Path, to: datetime.datetime
) -> None:
    home = a_game_with_one_deadline(tmp_path)
    extend(home, GAME, MADE + HOUR, to=to)
    stay(home, "1", "2", "3")

    run(home, GAME, now=MADE + 2 * HOUR)

    assert in_force(home) == to
    assert f"by {SavedGame(home, GAME).table.spelled(to)}" in " ".join(report(home, GAME, "1").split())
    assert due(home, to - MINUTE).turn is None
    assert due(home, to + MINUTE).turn == 3
    assert in_force(home) is None  # also where the moment of the file is still to come
    assert verify(home, GAME).findings == ()


def test_a_single_deadline_that_was_moved_stays_so_when_a_turn_is_taken_back(tmp_path: Path) -> None:
    home = a_game_with_one_deadline(tmp_path)
    extend(home, GAME, MADE, to=FRIDAY)
    for number in (1, 2):
        stay(home, "1", "2", "3", label=f"turn-{number}")
        run(home, GAME, now=MADE + number * HOUR)
    extend(home, GAME, MADE + 3 * HOUR, to=FRIDAY + DAY)

    undo(home, GAME)

    assert in_force(home) == FRIDAY


def test_a_new_deadline_in_the_file_takes_the_place_of_one_that_was_moved(tmp_path: Path) -> None:
    home = a_game_with_one_deadline(tmp_path)
    extend(home, GAME, MADE, to=FRIDAY)
    file = top(home) / "games" / GAME / "game.yaml"
    next_one = (FRIDAY + 4 * DAY).isoformat()
    file.write_text(file.read_text().replace(TUESDAY.isoformat(), next_one))
    assert in_force(home) == FRIDAY  # as all were told of this ask

    due(home, FRIDAY + HOUR)

    assert in_force(home) == FRIDAY + 4 * DAY


def test_a_turn_before_a_planned_pause_does_not_move_a_single_deadline_twice(tmp_path: Path) -> None:
    home = a_game_with_one_deadline(tmp_path)
    pause(home, GAME, MADE, "holidays", start=MONDAY, end=FRIDAY)
    stay(home, "1", "2", "3")

    run(home, GAME, now=MADE + HOUR)

    assert in_force(home) == FRIDAY + DAY
    assert f"{FRIDAY + DAY:%A %d}" in report(home, GAME, "1")
    assert resume(home, GAME, MADE + 2 * HOUR) == TUESDAY


def test_a_single_deadline_that_is_written_into_a_pause_is_due_after_it_as_the_report_says(
    tmp_path: Path,
) -> None:
    home = a_club(tmp_path, schedule={})
    pause(home, GAME, MADE, "holidays", start=MONDAY, end=FRIDAY)
    file = top(home) / "games" / GAME / "game.yaml"
    file.write_text(file.read_text() + f"deadline: {TUESDAY.isoformat()}\n")
    stay(home, "1", "2", "3")

    run(home, GAME, now=MADE + HOUR)

    assert f"{FRIDAY + DAY:%A %d}" in report(home, GAME, "1")
    assert in_force(home) == FRIDAY + DAY


def test_an_act_is_told_in_one_report_and_no_more(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    for moment in (MADE, MADE + HOUR):  # the first in the same second as the turn before
        extend(home, GAME, moment)
        stay(home, "1", "2", "3", label=f"turn-{SavedGame(home, GAME).turn}")
        run(home, GAME, now=moment)

    reports = [report(home, GAME, "1", turn) for turn in range(4)]
    assert [text.count("The moderator:") for text in reports] == [0, 0, 1, 1]
    assert verify(home, GAME).findings == ()


def away(home: Home, start: datetime.datetime, end: datetime.datetime, seat: Seat = THREE) -> str:
    return announce_absence(home, GAME, seat, Absence(start, end), MADE)


def test_all_that_is_printed_or_written_of_a_turn_tells_the_deadline_in_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, out = a_club(tmp_path), tmp_path / "out"
    extend(home, GAME, MADE, to=TUESDAY + 2 * DAY)
    old, new = "Tuesday 24 November 2026", "Thursday 26 November 2026"

    def told(*words: str) -> str:
        assert run_command([*words, "--home", str(top(home))]) == 0
        return " ".join(capsys.readouterr().out.replace("##", "").split())

    report, form = ("report", GAME, "1"), ("form", GAME, "1")
    assert tells(told(*report), "20:00 EET")
    assert new in told(*report, "--html").partition(old)[0], "above the report, which stays as it was"
    assert new not in told(*report, "--json"), "the report as it was committed"
    for words in (form, (*form, "--page"), (*form, "--suggest", "greedy")):
        found = told(*words)
        assert new in found and old not in found, words
    told("report", GAME, "--all", str(out))
    of_report = ("report.txt", "report.html")
    for path in (path for path in out.rglob("*") if path.suffix not in (".svg", ".json") and path.is_file()):
        found = " ".join(path.read_text(encoding="utf-8").replace("##", "").split())
        assert new in (found.partition(old)[0] if path.name in of_report else found), path
        assert old not in found or path.name in of_report, path


def test_an_absence_is_nobody_elses_business(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)
    announce_absence(home, GAME, THREE, Absence(MADE, FRIDAY), MADE)
    stay(home, "1", "2", "3")
    run(home, GAME, now=MADE + HOUR)

    assert "The moderator" not in report(home, GAME, "1")
    assert queued(home) == []
    assert "  away:         3 (Cleo) from Friday 20 November 2026" in status_of(home, GAME).text()


def wait_from_now_on(home: Home) -> None:
    """Let the moderator write into the game's file that deadlines wait for who is away."""
    with (game_folder(home, GAME) / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("absent: wait\n")


@pytest.mark.parametrize("late", [-HOUR, MINUTE], ids=["before the deadline", "after it"])
def test_an_absence_counts_too_that_was_announced_before_the_game_waited(
    tmp_path: Path, late: datetime.timedelta
) -> None:
    home = a_club(tmp_path, by_mail=True)
    announce_absence(home, GAME, THREE, Absence(TUESDAY - DAY, TUESDAY + HOUR), MADE)
    wait_from_now_on(home)
    assert tells(status_of(home, GAME).text(), "`pbem run --due`")

    assert due(home, TUESDAY + late).turn is None

    assert in_force(home) == FRIDAY
    assert len(queued(home, "deadline")) == 3
    assert "waits for that" not in status_of(home, GAME).text()
    assert due(home, FRIDAY - HOUR).turn is None
    assert each_tells(public_acts(home), ("turn-1", "Friday 27 November 2026, 20:00 EET"))


def test_an_act_that_waited_for_a_run_is_not_done_to_the_next_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = a_club(tmp_path)

    @contextmanager
    def after_a_run(held: Home, game: str, *, wait_seconds: float) -> Iterator[None]:
        assert wait_seconds > 0
        patched.undo()
        due(held, TUESDAY)
        with held.held(game):
            yield

    patched = monkeypatch
    patched.setattr("pbem.play.homes.home.Home.held", after_a_run)

    with pytest.raises(Declined, match=r"2"):
        extend(home, GAME, TUESDAY)
    assert public_acts(home) == []


def test_days_of_absence_are_those_of_the_players_zone(tmp_path: Path) -> None:
    home = a_club(tmp_path, schedule={**SCHEDULE, "zone": "Asia/Kolkata"})
    zone = SavedGame(home, GAME).table.zone_of(THREE)
    first, last = (read_when(day, MADE, zone) for day in ("2026-12-20", "27 Dec"))

    found = time_away(first, last, MADE)

    assert found.start.isoformat() == "2026-12-20T00:00:00+05:30"
    assert found.end.isoformat() == "2026-12-28T00:00:00+05:30"
    assert time_away(None, last, MADE).start == MADE
