"""What a stranger reads on the pages of the archive: whom a game waits for, its roots, its dice, its file."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from pbem.archive.site import write_archive
from pbem.core.interface import Outcome
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.facts import tells
from tests.homes import NOW, a_game, a_home, table_of, top


def text_of(page: Path) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]+>", " ", page.read_text(encoding="utf-8"))))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with a game of eleven seats that runs, and one that bots have played to its end."""
    home = a_home(tmp_path_factory.mktemp("words"))
    options = {"turns": 1}
    a_game(home, "runs", rules="web-of-intrigue", table=table_of(11))
    a_game(home, "over", rules="web-of-intrigue", table=table_of(11, bot="greedy"), options=options)
    run(home, "over", now=NOW)
    assert isinstance(SavedGame(home, "over").ask, Outcome)
    (top(home) / "home.yaml").write_text("archive: {names: false}\n", encoding="utf-8")
    write_archive(home, top(home).parent / "site")
    return home


def page(home: Home, name: str) -> str:
    return text_of(top(home).parent / "site" / name)


@pytest.mark.parametrize("name", ["index.html", "runs/index.html"])
def test_a_game_that_waits_for_all_seats_says_so_without_a_list_of_them(home: Home, name: str) -> None:
    told = page(home, name)
    assert tells(told, "11", "turn-1")
    assert "waits for Player 1" not in told


def test_luck_words_stand_in_the_order_of_the_seats(home: Home) -> None:
    found = " ".join(re.findall(r"Player (\d+):", page(home, "over/index.html")))
    assert " ".join(str(number) for number in range(1, 12)) in found


def test_the_page_says_what_a_root_is_and_what_the_file_holds(home: Home) -> None:
    over, runs = page(home, "over/index.html"), page(home, "runs/index.html")
    assert tells(over, "over.zip")
    assert tells(runs, "runs.zip")


def test_turns_are_counted_in_plain_english(home: Home) -> None:
    turns = SavedGame(home, "over").turn - 1  # without the deal
    assert tells(page(home, "index.html"), turns, "s" if turns > 1 else "", "2026-11-21")
    assert "1 turns" not in page(home, "index.html") + page(home, "over/index.html")
