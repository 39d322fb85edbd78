"""The board that is shown and the line that is written are of one ask, and what is told of later lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked
from tests.homes import a_game, a_home

pytestmark = pytest.mark.browser

ORDERS = "() => pbem.page.doc().orders"
IS_CUT = """() => {
  const said = document.querySelector("#bar > p");
  return said.scrollHeight > said.clientHeight + 1;
}"""


@pytest.fixture
def rose(tmp_path: Path, desk: Desk) -> SavedGame:
    """Return a new game whose first player has chosen a card, at the order page."""
    saved = a_game(a_home(tmp_path))
    desk.opens(saved, asked(saved)[0])
    desk.page.locator("#board .open").first.click(force=True)
    return saved


def plays_ahead(desk: Desk, own: int = 0) -> None:
    """Play ahead over an answer of the other seat, and take an own answer to it."""
    desk.page.click("#walk-on")
    desk.page.click(desk.id("walk.0"))
    desk.page.click(desk.id(f"walk.{own}"))


@pytest.mark.usefixtures("rose")
def test_back_to_now_opens_the_order_for_now_again(desk: Desk) -> None:
    plays_ahead(desk)
    before = desk.page.evaluate(ORDERS)
    assert len(before) == 2

    desk.page.click("#walk-now")
    card = desk.page.locator("#board .open:not(.chosen)").first
    name = card.get_attribute("data-place")
    card.click(force=True)

    after = desk.page.evaluate(ORDERS)
    assert after[0]["do"]["play"] == name
    assert after[1] == before[1]


@pytest.mark.usefixtures("rose")
def test_the_board_of_now_takes_no_click_for_a_line_for_later(desk: Desk) -> None:
    desk.page.click("#add-line")
    before = desk.page.evaluate(ORDERS)
    assert desk.page.locator("#board .open").count() == 0

    for card in desk.page.evaluate("() => pbem.data.view[pbem.data.seat].hand"):
        desk.clicks(card)
        assert "open the order for now" in desk.page.inner_text("#done")
    assert desk.page.evaluate(ORDERS) == before


@pytest.mark.usefixtures("rose")
def test_nothing_moves_the_board_when_a_line_for_later_is_opened(desk: Desk) -> None:
    desk.page.set_viewport_size({"width": 360, "height": 740})
    place = "() => document.querySelector('#board svg').getBoundingClientRect().top + scrollY"
    before = desk.page.evaluate(place)
    desk.page.click("#add-line")

    assert desk.page.evaluate(place) == before
    assert desk.page.evaluate("() => pbem.data.ask.after") in desk.page.inner_text("#board-later")


@pytest.mark.usefixtures("rose")
def test_a_standing_order_ends_with_the_next_ask_that_has_no_line_and_says_what_it_plays(desk: Desk) -> None:
    plays_ahead(desk)
    after = desk.page.evaluate("() => pbem.data.labels.filter((one) => !one.includes('.'))")
    desk.page.click("#add-keep")

    assert desk.page.evaluate(ORDERS)[2]["until"] == after[2]
    assert (
        f"each time up to {after[2]} that no line above answers, without asking you"
        in desk.page.inner_text("#lines")
    )


def test_on_a_telephone_what_is_missing_is_read_whole_beside_what_was_done(demo: Home, phone: Desk) -> None:
    phone.opens(SavedGame(demo, "powers-1"), "orange")
    for place in ("wisloujscie", "diplomatic"):
        phone.clicks(place)
    assert phone.page.inner_text("#done").startswith("take diplomatic")
    said = phone.page.inner_text("#now")
    assert said.startswith("2 tokens must be taken at Wisłoujście (2 religious, 1 commercial, 3 diplomatic);")
    assert not phone.page.evaluate(IS_CUT)
    tops = "all => all.map((one) => one.getBoundingClientRect().top)"
    rows = phone.page.eval_on_selector_all("#undo, #redo, #go", tops)
    assert max(rows) - min(rows) < 5, "the buttons stand in one row"


def test_on_a_telephone_the_bar_shows_that_more_is_said_and_a_tap_shows_all(demo: Home, phone: Desk) -> None:
    phone.opens(SavedGame(demo, "powers-1"), "white")
    phone.page.evaluate(
        "document.getElementById('now').textContent = 'More and more is said here. '.repeat(12)"
    )
    assert phone.page.evaluate(IS_CUT)
    assert phone.page.evaluate("getComputedStyle(document.querySelector('#bar > p')).webkitLineClamp") == "3"

    phone.page.tap("#now")
    assert not phone.page.evaluate(IS_CUT)


@pytest.mark.usefixtures("rose")
def test_a_board_that_is_taller_than_the_window_ends_above_the_bar(desk: Desk) -> None:
    desk.page.set_viewport_size({"width": 1200, "height": 700})
    desk.page.evaluate(
        "document.getElementById('now').textContent = 'More and more is said here. '.repeat(30)"
    )
    desk.page.evaluate("document.querySelector('#lines').style.height = '3000px'")
    desk.page.evaluate("scrollTo(0, 1200)")
    desk.page.wait_for_timeout(100)
    ends = "(id) => document.getElementById(id).getBoundingClientRect()"
    assert desk.page.evaluate(f"({ends})('board').bottom") <= desk.page.evaluate(f"({ends})('bar').top")
