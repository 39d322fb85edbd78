"""The Rose King through its form page: by clicking, by keys, and a whole game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.core.interface import Json
from tests.browser.forms import Desk, asked, judged, lodge, next_turn, same_move, suggestion
from tests.homes import a_game, a_home

pytestmark = pytest.mark.browser


def choose(desk: Desk, order: Json, by: str) -> None:
    """Put an order into the form by the board, the list or keys alone."""
    assert isinstance(order, dict)
    words = desk.order_words(order)
    if by == "board" and "play" in order:
        desk.clicks(str(order["play"]))
    elif by == "keys":
        desk.tabs_to(".choices input")
        rows = desk.page.locator(".choices label b").all_inner_texts()
        desk.presses("Space", *["ArrowDown"] * rows.index(words))
    else:
        desk.page.locator(
            ".choices label", has=desk.page.locator("b", has_text=re.compile(f"^{words}$"))
        ).click()


def test_a_whole_game_is_played_by_board_list_and_keys(tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, options={"own_tokens": 4})
    turns = 0
    while asked(saved):
        seat = asked(saved)[0]
        order = suggestion(saved, seat)
        desk.opens(saved, seat)
        choose(desk, order, ("board", "list", "keys")[turns % 3])
        result = judged(home, desk.yaml(), tmp_path)
        assert same_move(saved, result, order)
        assert desk.wrong() == []
        assert not isinstance(result, list)
        said = [" ".join(line.split()) for line in desk.forecast()]
        assert said == [
            f"will be played: {result.verdict.prospects[0].lines[0]}",
            *result.verdict.prospects[0].lines[1:],
        ]
        lodge(home, desk.yaml(), tmp_path)
        saved = next_turn(home, saved)
        turns += 1

    assert turns >= 8


def test_the_board_offers_what_is_legal_and_nothing_else(tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path))
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    view = saved.opening.view(saved.position.game, seat)
    orders = [item.order for item in saved.opening.choices(view).menus[0].items]
    cards = {str(order["play"]) for order in orders if isinstance(order, dict) and "play" in order}
    offered = desk.page.eval_on_selector_all("#board .open", "all => all.map(one => one.dataset.place)")

    assert set(offered) == cards
    desk.opens(saved, "white" if seat == "red" else "red")
    assert desk.page.locator("#board .open").count() == 0


def test_the_board_is_walked_with_keys(tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path))
    desk.opens(saved, asked(saved)[0])
    desk.tabs_to("#board .open")
    desk.presses("ArrowDown", "ArrowRight", "Enter")

    assert "play: " in desk.yaml()
    assert desk.page.evaluate("document.activeElement.matches('#board .chosen')")
