"""The board on a telephone, 360 pixels wide: choices open where it is tapped, and targets are large."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked, suggestion

pytestmark = pytest.mark.browser

GAMES = ("rose-1", "web-1", "wop-1", "cards-1", "powers-1")
TARGET = 24
"""Pixels that a target has at least, each way."""
TEXT = 11
"""Pixels that text is high at least."""

PLACES = """() => [...document.querySelectorAll("#board [data-place]")].map((one) => {
  one.scrollIntoView({ block: "center" });
  const { x, y, width, height } = one.getBoundingClientRect();
  const placeAt = (x, y) => document.elementFromPoint(x, y)?.closest("[data-place]");
  let room = 0;
  for (let i = 1; i < width; i += 2) {
    for (let j = 1; j < height; j += 2) room += 4 * (placeAt(x + i, y + j) === one);
  }
  return [one.dataset.place, width, height, (placeAt(x + width / 2, y + height / 2) ?? one) === one, room];
})"""
"""Every place: its word, width and height, whether no other covers its middle, how many pixels lead there."""

CONTROLS = """() => [...document.querySelectorAll("#app :is(a, button, input, select, textarea, summary)")]
  .filter((one) => one.getClientRects().length).map((one) => {
    const { width, height } = (one.closest(".check") ?? one).getBoundingClientRect();
    return [one.id || one.textContent, width, height];
  })"""

TEXTS = """() => {
  const walker = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let one = walker.nextNode(); one; one = walker.nextNode()) {
    const around = one.parentElement;
    if (!one.textContent.trim() || around.matches("title, desc") || !around.getClientRects().length) continue;
    const { c, d } = around.getScreenCTM?.() ?? { c: 0, d: 1 };
    found.push([one.textContent, parseFloat(getComputedStyle(around).fontSize) * Math.hypot(c, d)]);
  }
  return found;
}"""

TAPPED = """(at) => {
  const places = [...document.querySelectorAll("#board .open")];
  const one = places[at];
  if (!one) return null;
  one.scrollIntoView({ block: "center" });
  const { x, y, width, height } = one.getBoundingClientRect();
  for (let j = 0; j < height; j += 3) {
    for (let i = 0; i < width; i += 3) {
      const [px, py] = [x + (i + width / 2) % width, y + (j + height / 2) % height];
      if (document.elementFromPoint(px, py)?.closest("[data-place]") === one) return [px, py, scrollY];
    }
  }
  return null;
}"""
"""Brings an open place to the middle of the window; returns where to tap it, and how far it scrolled."""


IS_BACK = "at => document.elementFromPoint(...at).closest('[data-place]') === document.activeElement"
"""Whether the place that was tapped has the focus."""


WATCHED = """
let seen;
new MutationObserver(() => {
  const [opening, app] = ["opening", "app"].map((id) => document.getElementById(id));
  if (app && !opening) seen ??= !app.hidden;
}).observe(document, { childList: true, subtree: true });
globalThis.isWhole = () => seen;
"""
"""Notes whether the app is shown at the first moment at which the page no longer says that it is opening."""


def opened(demo: Home, phone: Desk, name: str) -> tuple[SavedGame, Seat]:
    """Open the page of the first seat that is asked in a sample game."""
    saved = SavedGame(demo, name)
    seat = asked(saved)[0]
    phone.opens(saved, seat, "host+x@example.test")
    return saved, seat


@pytest.mark.parametrize("name", GAMES)
def test_targets_and_texts_are_large_enough_for_a_finger_and_for_eyes_and_the_first_tap_counts(
    name: str, demo: Home, phone: Desk
) -> None:
    phone.page.add_init_script(WATCHED)
    opened(demo, phone, name)
    assert phone.page.evaluate("isWhole()")
    places = phone.page.evaluate(PLACES)

    assert len(places) > 5
    assert [one for one in places if min(one[1:3]) < TARGET] == []
    assert [one for one in places if not one[3]] == []  # no place lies over the middle of another
    assert [one for one in places if one[4] < TARGET * TARGET] == []
    phone.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert [one for one in phone.page.evaluate(CONTROLS) if min(one[1:]) < TARGET] == []
    texts = phone.page.evaluate(TEXTS)
    assert len(texts) > 50
    assert [one for one in texts if one[1] < TEXT] == []


def test_tokens_of_the_city_that_is_sailed_to_are_large_enough_for_a_finger(demo: Home, phone: Desk) -> None:
    opened(demo, phone, "powers-1")
    phone.page.evaluate("pbem.page.order({ sail: 'wisloujscie' })")
    tokens = [
        one for one in phone.page.evaluate(PLACES) if one[0] in ("religious", "commercial", "diplomatic")
    ]

    assert len(tokens) == 3
    assert [one for one in tokens if min(one[1:3]) < TARGET or not one[3] or one[4] < TARGET * TARGET] == []


@pytest.mark.parametrize("name", ["web-1", "wop-1", "cards-1", "powers-1"])
def test_a_choice_opens_at_the_place_that_was_tapped_and_nothing_scrolls(
    name: str, demo: Home, phone: Desk
) -> None:
    saved, seat = opened(demo, phone, name)
    page = phone.page
    page.evaluate("order => pbem.page.order(order)", suggestion(saved, seat))
    seen = 0
    for number in range(page.locator("#board .open").count()):
        spot = page.evaluate(TAPPED, number)
        if spot is None:
            continue  # an order that was taken with a tap before has closed it
        x, y, scrolled = spot
        page.touchscreen.tap(x, y)
        assert abs(page.evaluate("scrollY") - scrolled) < 3
        if not page.locator("#board-choice button").count():
            continue
        seen += 1
        box = page.locator("#board-choice").bounding_box()
        bar = page.locator("#bar").bounding_box()
        assert box is not None and bar is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360
        assert box["y"] >= 0 and box["y"] + box["height"] <= bar["y"]
        far = max(box["y"] - y, y - box["y"] - box["height"], 0)
        assert far < 80 and box["x"] <= x <= box["x"] + box["width"]
        page.keyboard.press("Escape")
        assert page.locator("#board-choice button").count() == 0
        assert page.evaluate(IS_BACK, [x, y])
        assert abs(page.evaluate("scrollY") - scrolled) < 3

    assert seen >= (2 if name == "cards-1" else 3)
