"""Why no turn is made though the deadline has passed, where the game waits for silent seats all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.host.office.status import status_of
from pbem.host.run.batch import run
from pbem.host.time.deadlines import asked_now
from pbem.host.time.extensions import reminders
from pbem.host.time.pausing import pause
from pbem.play.homes.saved import SavedGame
from pbem.play.reports.reading import report
from pbem.play.submissions.gate import is_left, when_silent
from pbem.play.submissions.receipts import without_lines
from tests.facts import each_tells, tells
from tests.homes import NOW, a_game, a_home, send
from tests.hosting.games import DAY, GAME, HOUR, TUESDAY, a_club, due, stay

ROSES = """\
seats:
  red: {player: Ann}
  white: {player: Bob}
silent: hold
schedule: {days: [tue, fri], at: "20:00", zone: Europe/Helsinki}
"""


def test_status_and_run_say_that_a_full_hand_holds_no_order_for_a_silent_seat(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home, table=ROSES)

    ran = run(home, "rose-1", now=TUESDAY + 30 * DAY, due=True, attended=False)

    assert tells(ran.line(), "rose-1")
    text = status_of(home, "rose-1", TUESDAY + 30 * DAY).text()
    assert tells(text, "rose-1")


@pytest.mark.parametrize(
    ("moves", "is_full"),
    [([], True), ([("red", "N2"), ("white", "SE1")], False)],
    ids=["a full hand", "four cards"],
)
def test_reports_forms_receipts_and_reminders_say_what_is_done_for_who_is_silent_in_this_position(
    tmp_path: Path, moves: list[tuple[str, str]], is_full: bool
) -> None:
    home = a_home(tmp_path)
    a_game(home, table=ROSES.replace("zone:", "remind: 2d, zone:"))
    for seat, card in moves:
        send(home, "rose-1", seat, [{"at": f"{seat}-1", "do": {"play": card}}])
        assert run(home, "rose-1", now=NOW).turn
    saved = SavedGame(home, "rose-1")
    label = asked_now(saved)

    def said(seat: str, name: str) -> str:
        return " ".join(report(home, "rose-1", seat, name=name).replace("#", "").split())

    red, white = (when_silent(saved, saved.position, Seat(seat)) for seat in ("red", "white"))
    assert tells(said("red", "report.txt"), label, red)
    assert tells(said("red", "report.html"), red)
    assert tells(said("red", "orders.yaml"), red)
    assert tells(said("white", "orders.yaml"), white) and white != red
    assert is_left(saved, saved.position, Seat("red")) is is_full
    assert (red in without_lines(saved, Seat("red"))) is not is_full
    (reminder,) = reminders(saved, TUESDAY - HOUR)
    assert tells(reminder.text(), red)


def test_a_game_that_waits_for_silent_seats_by_its_file_says_so_after_the_deadline(tmp_path: Path) -> None:
    home = a_club(tmp_path, silent="wait")
    stay(home, "2")

    assert status_of(home, GAME, TUESDAY - HOUR).stands == ()
    assert due(home, TUESDAY - HOUR).unanswered == ""
    assert each_tells(status_of(home, GAME, TUESDAY).stands, ("`silent: wait`", "1, 3"))
    assert tells(due(home, TUESDAY).unanswered, "`silent: wait`", "1, 3")


@pytest.mark.parametrize("silent", ["hold", "greedy"])
def test_a_game_that_its_next_run_answers_for_does_not_stand_still(tmp_path: Path, silent: str) -> None:
    home = a_club(tmp_path, silent=silent)

    assert status_of(home, GAME, TUESDAY).stands == ()
    assert due(home, TUESDAY).unanswered == ""


def test_who_runs_a_game_by_name_is_told_until_when_it_waits(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    at = "Tuesday 24 November 2026, 20:00 EET (Europe/Helsinki)"

    assert tells(run(home, GAME, now=TUESDAY - HOUR).until, at)
    assert tells(run(home, GAME, now=TUESDAY + HOUR).until, at, f"pbem run {GAME} --due")
    assert run(home, GAME, now=TUESDAY - HOUR, due=True, attended=False).until == ""
    pause(home, GAME, TUESDAY - HOUR, why="the host moves")
    assert tells(run(home, GAME, now=TUESDAY).line(), "(the host moves)", f"pbem resume {GAME}")


def test_the_way_to_more_time_is_told_once(tmp_path: Path) -> None:
    home = a_club(tmp_path, by_mail=True)

    text = status_of(home, GAME, TUESDAY + HOUR).text()

    assert text.count("pbem extend club") == 1
