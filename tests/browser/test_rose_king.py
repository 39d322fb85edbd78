"""The Rose King through its form page: by clicking, by keys, and a whole game."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.text.strictyaml import dump_flow
from tests.browser.forms import Desk, a_window, asked, judged, next_turn, suggestion
from tests.homes import a_game, a_home, send

pytestmark = pytest.mark.browser


def with_room(folder: Path, *waiting: dict[str, Json]) -> tuple[SavedGame, Seat]:
    """Return a game in which each side has played a card, and who is asked: with room for another card.

    Args:
        folder: Where its home is made.
        waiting: Lines of that side that wait for later asks.
    """
    home = a_home(folder)
    saved = a_game(home)
    for lines in (waiting, ()):
        send(home, saved.name, asked(saved)[0], [{"do": suggestion(saved, asked(saved)[0])}, *lines])
        saved = next_turn(home, saved)
    return saved, asked(saved)[0]


def test_the_board_is_walked_with_keys(tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path))
    desk.opens(saved, asked(saved)[0])
    desk.tabs_to("#board .open")
    desk.presses("ArrowDown", "ArrowRight", "Enter")

    assert "play: " in desk.yaml()
    assert desk.page.evaluate("document.activeElement.matches('#board .chosen')")


def test_the_bar_says_what_is_played_and_the_points_first_and_one_crown_is_pale(
    demo: Home, desk: Desk
) -> None:
    desk.opens(SavedGame(demo, "rose-1"), "white")
    desk.page.locator('#board [data-place="N1"]').first.click()
    said = desk.page.inner_text("#now")
    assert said.startswith("Will be played: N1 takes the crown from D2 to D1. Points: you go from 20 to 25,")
    pale = "() => [...document.querySelectorAll('[data-shows]')].every((one) => getComputedStyle(one).filter.includes('grayscale'))"  # noqa: E501
    assert desk.page.evaluate(pale)


@pytest.mark.parametrize(("width", "height"), [(1200, 900), (360, 740), (360, 640)])
def test_playing_ahead_is_in_sight_at_once_above_the_bar(
    width: int, height: int, demo: Home, browser: Browser, tmp_path: Path
) -> None:
    with a_window(browser, tmp_path, width=width, height=height) as desk:
        desk.opens(SavedGame(demo, "rose-1"), "white")
        desk.page.locator('#board [data-place="N1"]').first.click()
        desk.page.wait_for_timeout(50)
        bottoms = "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
        bar = desk.page.evaluate("document.getElementById('bar').getBoundingClientRect().top")
        assert desk.page.eval_on_selector_all("#walk-on", bottoms) <= bar
        if height > 700:
            assert (
                desk.page.eval_on_selector_all("#board [data-place]:not([data-place=draw])", bottoms) <= bar
            )


DRAWN = "cannot be judged yet: whether you draw NW3 is not known yet"
LATER: list[tuple[list[Json], str, str]] = [
    ([{"draw": True}], "NW3", DRAWN),
    ([{"draw": True}], "NE1", "NE1 is not in your hand, and it cannot come back into the pile by then"),
    ([{"play": "N2"}], "NW3", "NW3 is not in your hand, and you draw no card until then"),
    ([{"play": "N2"}], "N2", "N2 is played before then, and you draw no card until then"),
    (
        [{"play": "N2"}, {"play": "E1"}],
        "N2",
        "played before then, and it cannot come back into the pile by then",
    ),
    ([{"play": "N2"}, {"play": "E1"}], "NW3", DRAWN),
]


def test_a_card_that_may_be_drawn_by_then_is_left_to_the_host_and_no_other_is(
    tmp_path: Path, desk: Desk
) -> None:
    saved, seat = with_room(tmp_path)
    for before, plays, wanted in LATER:
        desk.opens(saved, seat)
        lines: list[Json] = desk.page.evaluate(AHEAD, [*before, {"play": plays}])
        head, _, _ = desk.yaml().partition("orders:")
        desk.writes(f"{head}orders: {dump_flow(lines)}\n")

        assert wanted in (desk.forecast(len(before)) or desk.wrong())[0]
        result = judged(saved.home, desk.yaml(), tmp_path)
        said = map(str, result) if isinstance(result, list) else result.verdict.prospects[len(before)].lines
        assert wanted in " ".join(said)


AHEAD = """orders => {
  const key = pbem.words.canonical, { data: { view, labels }, game } = pbem, made = [];
  const after = (is) => made.push(game.moves(made.at(-1)?.view ?? view).find(is));
  return orders.map((order, number) => {
    if (number) {
      after((one) => key(one.do) === key(orders[number - 1]));
      after((one) => one.do.play);
    }
    const before = made.slice(1, -1).map(({ since }) => since);
    const when = number && Object.assign({}, made.at(-1).when, ...before);
    return { at: labels[number], ...(number && { when }), do: order };
  });
}"""
"""Lines for own orders one after the other, each for what the other side plays first of what it can."""


JUDGED = """docs => docs.map((doc) => pbem.model.judge(doc).problems.map(({ text }) => text))"""


def test_lines_for_later_are_refused_as_the_host_refuses_them(tmp_path: Path, desk: Desk) -> None:
    saved, seat = with_room(tmp_path)
    desk.opens(saved, seat)
    whole = desk.page.evaluate("pbem.model.wholeOrders[0].items.map((one) => one.order)")
    now = next(order for order in whole if "play" in order)
    squares, cards = desk.page.evaluate(
        "[Object.keys(pbem.data.view.board), Object.keys(pbem.data.hints.ways)]"
    )
    (label, after), crown = desk.page.evaluate("[pbem.data.labels.slice(0, 2), pbem.data.view.crown]")
    at = [f"{seat}-{int(label.rpartition('-')[2]) + further}" for further in (2, 3)]
    whens: list[Json] = [None, {"crown": crown}, {"crown": ["A1", "A9"]}, {"crown": {"not": crown}}]
    beyond: list[tuple[Json, Json]] = [
        (now, {
            "at": at[number % 2],
            **({"when": when} if when else {}),
            "do": {"play": card, **({"hero": True} if number % 3 else {})},
        })
        for number, (card, when) in enumerate((card, when) for card in cards for when in whens)
    ]  # fmt: skip
    crowns: list[tuple[Json, Json]] = [
        (order, {"at": after, "when": {"crown": there}, "do": {"draw": True}})
        for order in whole[:3]
        for there in [*squares[::4], squares[:2], {"not": squares[0]}]
    ]
    for lines, known in ((beyond, ""), (crowns, "the crown cannot be on")):
        docs: list[Json] = [
            {"game": saved.name, "seat": seat, "orders": [{"at": label, "do": first}, line]}
            for first, line in lines
        ]
        refused = 0
        for doc, said in zip(docs, desk.page.evaluate(JUDGED, docs), strict=True):
            found = judged(saved.home, dump_flow(doc), tmp_path)
            host = [fault.text for fault in found] if isinstance(found, list) else []
            assert said == [one for one in host if known in one] or (not said and "hero" in str(doc)), doc
            refused += bool(said)
        assert 0 < refused < len(docs)
