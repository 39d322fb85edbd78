"""A turn of each game is made on the board with keys only; whole games by taps are rows of `pages.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked, judged, suggestion
from tests.browser.test_touch import GAMES

pytestmark = pytest.mark.browser


def is_done(desk: Desk) -> bool:
    """Tell whether the page has orders that it finds nothing wrong with."""
    return desk.page.inner_text("#verdict").startswith("No mistakes")


def press(desk: Desk, number: int, meaning: str = "") -> None:
    """Choose what an open place of the board offers, what means this or the first: by Tab and Enter."""
    word = desk.page.locator("#board .open").nth(number).get_attribute("data-place")
    desk.page.evaluate("document.activeElement.blur()")
    desk.tabs_to(f'#board [data-place="{word}"]')
    desk.presses("Enter")
    choices = desk.page.locator("#board-choice button", has_text=meaning)
    if choices.count():
        desk.tabs_to(f"[id='{choices.first.get_attribute('id')}']")
        desk.presses("Enter")


def steps(desk: Desk, saved: SavedGame) -> Iterator[tuple[int, str]]:
    """Yield the open places by number and what is chosen there: for a voyage, what a suggested order says."""
    places = desk.page.locator("#board .open")
    if saved.name != "powers-1":
        yield from ((number, "") for number in range(places.count()))
        return
    order = suggestion(saved, asked(saved)[0])
    assert isinstance(order, dict)
    for name, meaning in MEANINGS.items():
        given = order.get(name, [])
        for word in given if isinstance(given, list) else [given]:
            words = places.evaluate_all("all => all.map((one) => one.dataset.place)")
            yield words.index(str(word)), meaning


MEANINGS = {"sail": "sail to", "take_tokens": "take", "take_cards": "take ", "play_cards": "play "}
"""What the board calls the parts of an order of Game of Powers."""


@pytest.mark.parametrize("name", GAMES)
def test_a_turn_is_made_on_the_board_and_sent(name: str, demo: Home, phone: Desk, tmp_path: Path) -> None:
    saved = SavedGame(demo, name)
    phone.opens(saved, asked(saved)[0], "host+x@example.test")
    for number, meaning in steps(phone, saved):
        press(phone, number, meaning)
        if is_done(phone):
            break

    assert is_done(phone)
    result = judged(demo, phone.yaml(), tmp_path)
    assert not isinstance(result, list), [str(fault) for fault in result]
    phone.tabs_to("#copy")
    phone.presses("Enter")
    phone.waits("document.getElementById('done').textContent.startsWith('Copied')")
