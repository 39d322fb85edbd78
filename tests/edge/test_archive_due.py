"""The pages of a running game say when orders are due, and never a date that counts no more."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from pbem.archive.site import write_archive
from pbem.host.run.batch import run
from pbem.host.time.extensions import extend
from pbem.host.time.pausing import pause, resume
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


def test_a_deadline_that_was_moved_by_hand_stands_there_however_often(home: Home) -> None:
    assert said(home) == FIRST
    page = (top(home).parent / "site" / "index.html").read_text(encoding="utf-8")
    assert '<time datetime="2026-11-24T20:00+02:00">' in page
    for moved in (FRIDAY, FRIDAY + DAY, TUESDAY):
        extend(home, GAME, MADE + HOUR, to=moved)
        told = said(home)
        assert moved.strftime("Deadline for turn-1: %A %d November 2026") in told
    assert told == FIRST


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
    assert "is paused" not in told, "what is written before a pause stays true in it: no page asks the clock"


def test_a_finished_game_has_none_and_one_without_a_schedule_says_so(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_finished_game(home, "rose-king")
    a_game(home, "rose-1")
    write_archive(home, tmp_path / "site")
    for game, lines in (("rose-king", 0), ("rose-1", 1)):
        page = (tmp_path / "site" / game / "index.html").read_text(encoding="utf-8")
        assert page.count('<span class="due">') == lines, game
