"""Press that comes by itself, and what a game allows of press."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.book import Press
from pbem.core.events import Seat, only
from pbem.core.interface import Json
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from pbem.play.reports.reading import report
from pbem.play.submissions.gate import strays
from pbem.play.submissions.lodging import Plan, Sender, lodge_message
from pbem.play.submissions.reinstated import MOST_WAITING, waiting_press
from tests.homes import NOW, TWO, a_game, a_home, send, top, tree, undo

RED, WHITE = Seat("red"), Seat("white")
PLAY: list[Json] = [{"at": "red-1", "do": {"play": "N2"}}]


def said(home: Home, number: int, say: str, seat: Seat = WHITE) -> bool:
    sender = Sender("rose-1", seat, Plan(number), lambda _plan: None)
    return lodge_message(home, Press(only(RED), say, False), sender)


def run_red(home: Home) -> None:
    send(home, "rose-1", "red", PLAY)
    assert run(home, "rose-1", now=NOW).turn == 2


def test_press_waits_for_the_next_turn_and_is_out_after_it(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    said(home, 1, "Peace?")
    said(home, 2, "War!")
    run_red(home)

    news = report(home, "rose-1", "red")

    assert news.index("| Peace?") < news.index("| War!")
    assert waiting_press(SavedGame(home, "rose-1")) == {}
    assert strays(SavedGame(home, "rose-1")) == []
    assert (verify(home, "rose-1").findings, verify(home, "rose-1").recomputed) == ((), 3)


def test_what_a_turn_took_of_press_waits_again_when_the_turn_is_undone(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    said(home, 3, "Peace?")
    run_red(home)
    said(home, 4, "War!")

    undo(home, "rose-1")
    run(home, "rose-1", now=NOW)

    news = report(home, "rose-1", "red")
    assert "| Peace?" in news
    assert "| War!" in news


def test_the_same_message_lodged_again_changes_nothing(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    said(home, 1, "Peace?")
    before = tree(top(home))

    assert said(home, 1, "Peace?")
    assert tree(top(home)) == before


def test_only_so_much_press_waits(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)

    room = [said(home, number, "again and again") for number in range(1, MOST_WAITING + 3)]

    assert room == [True] * MOST_WAITING + [False, False]
    assert said(home, 99, "another seat", RED)


def test_press_by_itself_is_no_part_of_the_orders_that_new_ones_replace(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home)
    said(home, 3, "Peace?", RED)

    assert send(home, "rose-1", "red", PLAY).replaced == ""


def test_anonymous_press_is_reported_as_somebodys(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    a_game(home, table=f"{TWO}press: {{anonymous: true}}\n")
    send(home, "rose-1", "red", PLAY, press=[{"to": "all", "say": "Guess who", "anonymous": True}])
    run(home, "rose-1", now=NOW)

    for reader in ("white", "spectator"):
        assert "Somebody to all:\n          | Guess who" in report(home, "rose-1", reader)
    assert "Red to" not in report(home, "rose-1", "white")


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
