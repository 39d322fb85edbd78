"""The pages of a running game say when orders are due, and never a date that counts no more."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from pbem.archive.site import write_archive
from pbem.core.events import Seat
from pbem.host.run.batch import run
from pbem.host.run.undo import cancel
from pbem.host.time.extensions import announce_absence, extend
from pbem.host.time.pausing import pause, resume
from pbem.play.config.gamefile import Absence
from pbem.play.homes.home import Home
from tests.facts import tells
from tests.finished import a_finished_game
from tests.homes import a_game, a_home, top, undo
from tests.hosting.games import DAY, FRIDAY, GAME, HOUR, MADE, TUESDAY, a_club, stay

FIRST = "Deadline for turn-1: Tuesday 24 November 2026, 20:00 EET (Europe/Helsinki)."


def said(home: Home) -> str:
    """Write the archive; return what both pages say below the line of whom the game waits for."""
    out = top(home).parent / "site"
    write_archive(home, out)
    pages = [(out / name).read_text(encoding="utf-8") for name in ("index.html", f"{GAME}/index.html")]
    found = []
    for page in pages:
        lines = re.findall(r'<span class="due">(.*?)</span>', page)
        found.append(html.unescape(re.sub("<[^>]+>", "", " ".join(lines))))
    assert found[0] == found[1], "the index and the page of the game say the same"
    return found[0]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return a_club(tmp_path)


def test_the_deadline_stands_with_its_zone_and_for_programs(home: Home) -> None:
    assert said(home) == FIRST
    page = (top(home).parent / "site" / "index.html").read_text(encoding="utf-8")
    assert '<time datetime="2026-11-24T20:00+02:00">' in page


def test_a_deadline_that_was_moved_by_hand_stands_there_however_often(home: Home) -> None:
    said(home)
    for moved in (FRIDAY, FRIDAY + DAY, TUESDAY):
        extend(home, GAME, MADE + HOUR, to=moved)
        told = said(home)
        assert moved.strftime("Deadline for turn-1: %A %d November 2026") in told
    assert told == FIRST


def test_a_deadline_by_the_hand_of_the_moderators_file_stands_there(home: Home) -> None:
    said(home)
    place = top(home) / "games" / GAME / "game.yaml"
    place.write_text(place.read_text(encoding="utf-8") + "deadline: 2026-12-01T12:00:00+01:00\n")
    assert said(home) == "Deadline for turn-1: Tuesday 01 December 2026, 13:00 EET (Europe/Helsinki)."


def test_the_next_turn_and_one_that_is_taken_back_have_their_own(home: Home) -> None:
    said(home)
    stay(home, "1", "2", "3")
    run(home, GAME, now=TUESDAY)
    assert said(home) == "Deadline for turn-2: Friday 27 November 2026, 20:00 EET (Europe/Helsinki)."
    undo(home, GAME)
    assert said(home) == FIRST


def test_a_pause_is_told_with_its_dates_and_no_deadline_that_it_holds_up(home: Home) -> None:
    said(home)
    pause(home, GAME, MADE + HOUR, "Ann is ill")
    paused = said(home)
    assert tells(paused, "Friday 20 November 2026, 15:00 EET")
    resume(home, GAME, MADE + 2 * HOUR)
    assert FIRST.replace("20:00", "21:00") in said(home)


def test_a_pause_with_an_end_is_told_beside_the_deadline_that_it_moved(home: Home) -> None:
    pause(home, GAME, MADE + HOUR, "a fair", start=TUESDAY - DAY, end=FRIDAY)
    told = said(home)
    assert told.startswith("Deadline for turn-1: ") and FIRST not in told
    assert "Pause from Monday 23 November 2026, 20:00 EET" in told
    assert told.endswith("until Friday 27 November 2026, 20:00 EET (Europe/Helsinki) (a fair).")


def test_an_absence_that_moves_a_deadline_moves_that_of_the_page(tmp_path: Path) -> None:
    home = a_club(tmp_path, absent="wait")
    assert said(home) == FIRST
    announce_absence(home, GAME, Seat("1"), Absence(MADE, TUESDAY + DAY), MADE + HOUR)
    assert "Deadline for turn-1: Friday 27 November 2026" in said(home)


def test_a_game_that_asks_nobody_has_none(home: Home) -> None:
    cancel(home, GAME, "too few", MADE + HOUR)
    assert said(home) == ""


def test_a_finished_game_has_none_and_one_without_a_schedule_says_so(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_finished_game(home, "rose-king")
    a_game(home, "rose-1")
    write_archive(home, tmp_path / "site")
    told = {
        game: re.findall('<span class="due">', page.read_text(encoding="utf-8"))
        for game in ("rose-king", "rose-1")
        for page in [tmp_path / "site" / game / "index.html"]
    }
    assert {game: len(lines) for game, lines in told.items()} == {"rose-king": 0, "rose-1": 1}


def test_no_page_asks_the_clock(home: Home) -> None:
    """What was written before a pause began stays true after it: so it may stand until something happens."""
    pause(home, GAME, MADE + HOUR, "a fair", start=TUESDAY - DAY, end=TUESDAY + 2 * DAY)
    assert "is paused" not in said(home) and "to be paused" not in said(home)
