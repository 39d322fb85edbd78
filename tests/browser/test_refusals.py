"""What cannot be ordered is refused with the reason that the rules give, where it was clicked."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.rose_king.view import View
from tests.browser.forms import Desk, asked, judged, lodge, next_turn, suggestion
from tests.homes import a_game, a_home, orders_text

pytestmark = pytest.mark.browser

GAMES = ("rose-1", "wop-1", "cards-1", "powers-1")
EMPTY = "nothing to order there"

ASKED = """(order) => {
  const at = (id) => document.getElementById(id);
  const told = {};
  for (const thing of document.querySelectorAll("#board svg g:has(> title)")) {
    pbem.page.order(order);
    if (!thing.getClientRects().length) continue;
    const name = thing.dataset.place ?? thing.querySelector("title").textContent.split(": ")[0];
    thing.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    told[name] = at("board-choice").textContent || at("done").textContent;
    at("meaning.none")?.click();
  }
  return told;
}"""
"""Clicks each thing of the board while an order stands there; returns what was said to each."""

INFORMS = {
    "rose-1": set[str](),
    "wop-1": {"Yellow", "Red", "Green", "Purple"},
    "cards-1": {
        "Frankreich", "Sachsen", "Franken", "Kastilien", "Ungarn", "Bayern", "Italien", "England", "Dänemark",
        "Yellow", "Red", "Green", "Purple",
    },
    "powers-1": {
        "4 military beside the board", "3 religious beside the board", "5 commercial beside the board",
        "4 diplomatic beside the board", "White", "Black", "Orange",
    },
}  # fmt: skip
"""What only tells something: who plays, totals."""


@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_can_be_clicked_is_refused_without_a_reason(name: str, demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, name)
    seat = asked(saved)[0]
    desk.opens(saved, seat)
    for begun in ({}, suggestion(saved, seat)):
        told = desk.page.evaluate(ASKED, begun)
        assert len(told) > 10
        assert {name_ for name_, one in told.items() if EMPTY in one} == INFORMS[name]


@pytest.mark.parametrize(
    ("name", "place", "order", "begun"),
    [
        ("wop-1", "york", {"place": {"pieces": ["york"]}}, {}),
        ("wop-1", "england", {"place": {"country": "england", "pieces": ["advisor"]}}, {}),
        ("cards-1", "It3", {"take": ["It3"]}, {}),
        ("powers-1", "owidz", {"sail": "owidz"}, {}),
        ("powers-1", "6", {"sail": "wolin", "play_cards": [6]}, {"sail": "wolin"}),
        ("powers-1", "four_sites", {"sail": "wolin", "claim": "four_sites"}, {"sail": "wolin"}),
        (
            "powers-1",
            "four_sites",
            {"sail": "wisloujscie", "play_cards": [43], "claim": "four_sites"},
            {"sail": "wisloujscie", "play_cards": [43]},
        ),
    ],
)
def test_the_reason_is_that_of_the_host(
    name: str, place: str, order: Json, begun: Json, demo: Home, desk: Desk, tmp_path: Path
) -> None:
    saved = SavedGame(demo, name)
    seat = asked(saved)[0]
    desk.opens(saved, seat)

    assert refusal(saved, seat, order, tmp_path) in desk.page.evaluate(ASKED, begun)[place]


def refusal(saved: SavedGame, seat: Seat, order: Json, folder: Path) -> str:
    """Return the first thing that is wrong with an order now, as `pbem check` says it; "" if nothing is."""
    assert isinstance(saved.ask, Ask)
    text = orders_text(saved.name, seat, [{"at": saved.ask.label, "do": order}])
    result = judged(saved.home, text, folder)
    return result[0].text if isinstance(result, list) else ""


def test_a_card_of_the_rose_king_that_cannot_be_played_says_why(desk: Desk, tmp_path: Path) -> None:
    home = a_home(tmp_path)
    saved = a_game(home)
    seen: set[str] = set()
    for _ in range(24):
        seat = asked(saved)[0]
        view = saved.opening.view(saved.position.game, seat)
        assert isinstance(view, View)
        hand = view.side(seat).hand
        refused = {card: refusal(saved, seat, {"play": card, "hero": True}, tmp_path) for card in hand}
        kinds = {
            card: text.split()[1] for card, text in refused.items() if "hero only turns" not in text and text
        }
        if kinds.keys() and set(kinds.values()) - seen:
            desk.opens(saved, seat)
            told = desk.page.evaluate(ASKED, {})
            assert all(refused[card] in told[card] for card in kinds)
            seen |= set(kinds.values())
        lodge(home, orders_text(saved.name, seat, [{"do": suggestion(saved, seat)}]), tmp_path)
        saved = next_turn(home, saved)

    assert seen == {"leads", "holds"}  # off the board, a token that stays
