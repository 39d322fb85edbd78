"""What is done to a deadline is told wherever a turn is printed, and once in a report."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.host.run.batch import run
from pbem.host.time.extensions import extend
from pbem.play.config.gamefile import Absence, next_deadline
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.store.errors import RequestRefused
from tests.facts import tells
from tests.homes import top
from tests.hosting.games import (
    DAY,
    FRIDAY,
    GAME,
    HOUR,
    MADE,
    SECOND,
    TUESDAY,
    a_club,
    due,
    public_acts,
    stay,
)


def test_an_act_is_told_in_one_report_and_no_more(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    for moment in (MADE, MADE + HOUR):  # the first in the same second as the turn before
        extend(home, GAME, moment)
        stay(home, "1", "2", "3", label=f"turn-{SavedGame(home, GAME).turn}")
        run(home, GAME, now=moment)

    reports = [report(home, GAME, "1", turn) for turn in range(4)]
    assert [text.count("The moderator:") for text in reports] == [0, 0, 1, 1]
    assert verify(home, GAME).findings == ()


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

    with pytest.raises(RequestRefused, match=r"2"):
        extend(home, GAME, TUESDAY)
    assert public_acts(home) == []


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
