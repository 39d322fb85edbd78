"""The board as it is heard: its roles and names alone tell the position, and what can be ordered where."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.browser.forms import Desk, asked

pytestmark = pytest.mark.browser


def heard(desk: Desk) -> dict[str, str]:
    """Return the places of the board by name, as assistive programs are told."""
    told = desk.page.locator("#board").aria_snapshot()
    names = re.findall(r"^ *- '?(?:button|img) \"([^\"]*)\"", told, re.MULTILINE)
    return {place: rest for place, _, rest in (name.partition(": ") for name in names) if rest}


def test_the_rose_king_is_heard_square_by_square(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "rose-1")
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    view: Any = saved.opening.view(saved.position.game, seat)
    squares = {place: said for place, said in heard(desk).items() if re.fullmatch("[A-I][1-9]", place)}

    for square, holder in view.board.items():
        said = squares.get(square, "empty")
        assert re.match(r"\w+", said).group() == holder  # type: ignore[union-attr]
        assert (", the crown" in said) == (square == view.crown)
    orders = [item.order for item in saved.opening.choices(view).menus[0].items]
    cards = {str(order["play"]) for order in orders if isinstance(order, dict) and "play" in order}
    offers = {square: said.split("; ")[1:] for square, said in squares.items() if "; " in said}
    assert {card for offer in offers.values() for one in offer for card in cards if card in one} == cards
    assert len(offers) == len(cards)


def test_the_cities_of_game_of_powers_are_heard_with_their_tokens(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "powers-1")
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    view: Any = saved.opening.view(saved.position.game, seat)
    told = heard(desk)

    for city, place in view.cities.items():
        section, tokens, ships = told[desk.words(city)].split("; ")[:3]
        there = [f"{number} {kind}" for kind, number in place.tokens.items() if number]
        assert section == place.section
        assert tokens == f"tokens {', '.join(there)}"
        assert ships == (f"ships of {', '.join(place.ships)}" if place.ships else "no ships")


@pytest.mark.parametrize("name", ["wop-1", "cards-1", "powers-1", "web-1"])
def test_every_place_is_reached_by_arrow_keys(name: str, demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, name)
    desk.opens(saved, asked(saved)[0])
    reached = desk.page.evaluate(REACHED)

    assert desk.page.locator("#board [data-place]").count() == len(reached) > 15


def test_arrow_keys_on_a_map_go_to_the_nearest_mark_in_that_direction(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "wop-1")
    desk.opens(saved, asked(saved)[0])
    gone = {}
    for place, arrow in NEAREST:
        desk.page.focus(f'#board [data-place="{place}"]')
        desk.presses(f"Arrow{arrow}")
        gone[place, arrow] = desk.page.evaluate("document.activeElement.dataset.place")
    assert gone == NEAREST


NEAREST = {
    ("genova", "Up"): "milano",
    ("genova", "Left"): "novalesa",
    ("koeln", "Left"): "lothringen",
    ("bamberg", "Down"): "regensburg",
    ("freising", "Right"): "salzburg",
    ("verdun", "Left"): "reims",
    ("tours", "Left"): "mont_saint_michel",
    ("san_juan", "Left"): "san_juan",
}
"""Where the arrow keys lead on the map of Web of Power; nowhere, where nothing lies in that direction."""


REACHED = """() => {
  const queue = [document.querySelector("#board .open")];
  const seen = new Set(queue);
  for (const from of queue) {
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      from.focus();
      from.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      const now = document.activeElement;
      if (now.dataset.place && !seen.has(now)) {
        seen.add(now);
        queue.push(now);
      }
    }
  }
  return [...seen].map((one) => one.dataset.place);
}"""
"""The places that the arrow keys lead to, from the first that is open."""
