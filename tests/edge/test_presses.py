"""Press that comes by itself, and what a game allows of press."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.book import Press
from pbem.core.events import Seat, only
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.reports.reading import report
from pbem.play.submissions.lodging import Plan, Sender, lodge_message
from tests.homes import NOW, a_game, a_home, send, top, tree

RED, WHITE = Seat("red"), Seat("white")
PLAY: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}]


def said(home: Home, number: int, say: str, seat: Seat = WHITE) -> bool:
    sender = Sender("rose-1", seat, Plan(number), lambda _plan: None)
    return lodge_message(home, Press(only(RED), say, False), sender)


def run_red(home: Home) -> None:
    send(home, "rose-1", "red", PLAY)
    assert run(home, "rose-1", now=NOW).turn == 2


def test_the_same_message_lodged_again_changes_nothing(home: Home) -> None:
    said(home, 1, "Peace?")
    before = tree(top(home))

    assert said(home, 1, "Peace?")
    assert tree(top(home)) == before


def test_press_by_itself_is_no_part_of_the_orders_that_new_ones_replace(home: Home) -> None:
    said(home, 3, "Peace?", RED)

    assert send(home, "rose-1", "red", PLAY).replaced == ""


def test_a_page_is_escaped_also_when_its_templates_were_compiled_for_a_text_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = a_home(tmp_path)
    own = top(home) / "templates" / "common"  # with one, a home shares no templates that were loaded before
    own.mkdir(parents=True)
    (own / "mine.txt.j2").write_text("")
    a_game(home)
    said(home, 3, "<script>alert(1)</script>")
    run_red(home)

    page = report(home, "rose-1", "red", name="report.html")

    assert "<script>" not in page
    assert "| &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert list((tmp_path / "cache" / "pbem" / "templates").iterdir())
