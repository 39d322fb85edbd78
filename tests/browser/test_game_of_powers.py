"""Game of Powers through its form page: board, lists and keys; what is said is what `pbem check` says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.core.bots import any_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.wording import wording_of
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.game_of_powers.view import View
from tests.browser.forms import (
    Desk,
    Keys,
    Mouse,
    asked,
    judged,
    lodge,
    next_turn,
    same_move,
    suggestion,
)
from tests.homes import a_game, a_home, orders_text, send

pytestmark = pytest.mark.browser

ME = Seat("white")
TABLE = (
    "seats:\n  white: {player: Ann}\n"
    "  black: {player: Bo, bot: random}\n  orange: {player: Cy, bot: random}\n"
)
TELL = """
all => all.map((one) => {
  const wrong = pbem.game.problems(one).map(({ path, text }) => [path, text]);
  return [wrong, wrong.length ? null : pbem.game.forecast(one) ?? pbem.model.trial(one)?.lines];
})
"""


def a_table(folder: Path) -> SavedGame:
    """Return a game in which one seat is played through the form, and bots play the others."""
    return a_game(a_home(folder), "powers-1", rules="game-of-powers", table=TABLE)


def view_of(saved: SavedGame) -> View:
    """Return what the seat of the form sees."""
    view = saved.opening.view(saved.position.game, ME)
    assert isinstance(view, View)
    return view


def any_deal(view: View, chance: random.Random) -> dict[str, Json]:
    """Return things to give and to want, not all of which can be had."""
    give: list[Json] = [*view.tokens, *map(int, view.hand)]
    open_cards = [int(card) for side in view.players.values() for card in side.known]
    want: list[Json] = [*view.tokens, *open_cards, "any", "owidz", {"category": "coins", "score": 2}]
    return {
        "give": chance.sample(give, min(len(give), chance.randint(1, 2))),
        "want": chance.sample(want, chance.randint(1, 2)),
    }


def any_orders(saved: SavedGame, view: View, chance: random.Random) -> list[dict[str, Json]]:
    """Return orders of all kinds: those of bots, and these with more or other parts."""
    found: list[dict[str, Json]] = []
    for number in range(13):
        order = any_order(saved.rules, view, Dice(bytes([number] * 32), chance.randrange(10**6)))
        assert isinstance(order, dict)
        found.append(order)
        if view.kind == "trade":
            found += [{"counter": any_deal(view, chance)}, {"accept": any_deal(view, chance)}]
        if "sail" not in order:
            continue
        bare = {name: one for name, one in order.items() if not name.startswith(("take", "play"))}
        cards: list[Json] = [*map(int, view.hand)]
        wishes: list[Json] = [{"score": 3}, "owidz", "any"]
        found += [
            {**order, "claim": chance.sample(list[Json](view.names), 2)},
            {**bare, "take_tokens": chance.sample([*view.tokens, "any"], 3)},
            {**bare, "take_cards": [chance.choice(wishes), "any"]},
            {**bare, "play_cards": chance.sample(cards, min(2, len(cards))) or [1]},
            {**bare, "play_cards": [*cards[:3], *(f"#{card}" for card in cards[:1])] or [1]},
            {**bare, "take_tokens": chance.choice([*view.tokens, "any"])},
            {**bare, "take_cards": chance.choice(["owidz", "any", "Uppåkra"])},
            {**bare, "sail": chance.randint(1, 4), "take_tokens": ["any", "any"]},
        ]
        partner = chance.choice([seat for seat in view.players if seat != view.me])
        offer: dict[str, Json] = {"with": partner, **any_deal(view, chance)}
        found.append({**order, "trade": offer})
        found.append({**order, "trade": {**offer, "counters": [any_deal(view, chance)]}})
    return found


def test_each_forecast_of_a_whole_game_is_that_of_check(tmp_path: Path, desk: Desk) -> None:
    saved = a_table(tmp_path)
    chance = random.Random(5)
    turns = legal = wrong = 0
    kinds: set[str] = set()
    while asked(saved):
        desk.opens(saved, ME)
        view = view_of(saved)
        kinds.add(view.kind)
        orders = any_orders(saved, view, chance)
        for order, (faults, lines) in zip(orders, desk.page.evaluate(TELL, orders), strict=True):
            move = saved.rules.read(order)
            faulty = saved.rules.check(view, move)
            if isinstance(order.get("accept"), dict):  # the page leaves it to the host
                assert not faults or faulty, (order, faults)
                continue
            assert faults == [[list(one.path), one.text] for one in faulty], order
            assert faulty or lines == list(saved.rules.forecast(view, move).lines), order
            legal, wrong = legal + (not faulty), wrong + bool(faulty)
        skill = "random" if turns % 2 else "greedy"
        send(saved.home, saved.name, ME, [{"do": suggestion(saved, ME, skill)}])
        saved = next_turn(saved.home, saved)
        turns += 1

    assert kinds >= {"start city", "move", "trade"}
    assert turns >= 10
    assert legal > 100
    assert wrong > 50


def later_turns(view: View, chance: random.Random) -> list[dict[str, Json]]:
    """Return turns for later, many of which can never be played: cities, cards and wishes by chance."""
    cards = [*range(1, 50)]
    found: list[dict[str, Json]] = []
    for _ in range(80):
        cities: list[Json] = [1, 2, 3, *view.cities, *view.cities, *view.cities]
        one, other, third = chance.sample(cards, 3)
        actions: list[dict[str, Json]] = [
            {"play_cards": [one, other]}, {"play_cards": [one]}, {"take_cards": [one, other]},
            {"take_cards": one}, {"take_cards": [one, "any"]}, {"take_tokens": "any"}, {},
        ]  # fmt: skip
        returned: list[dict[str, Json]] = [{}, {}, {"extra": third}, {"reverse": one}]
        found.append({"sail": chance.choice(cities), **chance.choice(actions), **chance.choice(returned)})
    return found


def test_a_turn_for_later_that_can_never_be_played_is_refused_in_the_words_of_check(
    tmp_path: Path, desk: Desk
) -> None:
    chance = random.Random(9)
    options: dict[str, Json] = {"trade": True}
    saved = a_game(a_home(tmp_path), "powers-1", rules="game-of-powers", table=TABLE, options=options)
    said = set[bool]()
    while view_of(saved).own.asks < 9:
        if view_of(saved).own.asks in (3, 6, 8) and view_of(saved).kind == "move":
            desk.opens(saved, ME)
            view, now = view_of(saved), suggestion(saved, ME)
            for order in later_turns(view, chance):
                label = f"white-{view.own.asks + chance.choice([1, 1, 2])}"
                lines: list[Json] = [{"do": now}, {"at": label, "do": order}]
                if chance.random() < 0.2:
                    lines = lines[1:]
                host = judged(saved.home, orders_text("powers-1", ME, lines), tmp_path)
                page = desk.page.evaluate("one => pbem.model.judge(one).problems.map((one) => one.text)", {
                    "game": "powers-1", "seat": "white", "orders": lines,
                })  # fmt: skip
                found = [fault.text for fault in host] if isinstance(host, list) else []
                said.add(bool(found))
                assert len(page) == len(found), (lines, found, page)
                assert all(one in other for one, other in zip(page, found, strict=True)), (found, page)
        lodge(saved.home, orders_text("powers-1", ME, [{"do": suggestion(saved, ME)}]), tmp_path)
        saved = next_turn(saved.home, saved)
    assert said == {True, False}


def test_an_offer_with_counters_is_put_together_from_lists_by_keys(tmp_path: Path, desk: Desk) -> None:
    saved = a_table(tmp_path)
    while not (order := an_offer(view_of(saved))):
        lodge(saved.home, orders_text("powers-1", ME, [{"do": suggestion(saved, ME)}]), tmp_path)
        saved = next_turn(saved.home, saved)
    desk.opens(saved, ME)
    hand = Keys(desk)
    hand.choose("line.0.do.sail", f"{desk.words(order['sail'])}: ")
    hand.choose("line.0.do.action", "take t")
    for name in ("take_tokens", "trade"):
        hand.part(f"line.0.do.{name}", order[name])

    assert desk.wrong() == []
    assert same_move(saved, judged(saved.home, desk.yaml(), tmp_path), order)
    assert "is accepted at once" in " ".join(desk.forecast())


def an_offer(view: View) -> dict[str, Json]:
    """Return a turn that ends where another ship is, with an offer and a counter-offer; {} if none can be."""
    near = {
        side.city: seat
        for seat, side in view.players.items()
        if seat != view.me and side.hand and side.held < 10
    }
    ring = list(view.cities)
    if view.kind != "move" or not view.tokens or view.own.city is None:
        return {}
    step = 1 if view.own.direction == "clockwise" else -1
    for spaces in (1, 2):
        city = ring[(ring.index(view.own.city) + step * spaces) % len(ring)]
        own = [one for one, held in view.tokens.items() if held]
        if (
            city in near
            and own
            and sum(view.cities[city].tokens.values()) > 2
            and view.own.held < 8
            and len(view.hand) < 10
        ):
            give: Json = [own[0]]
            wish: Json = ["any"]
            terms: dict[str, Json] = {"give": give, "want": wish}
            trade: Json = {"with": near[city], **terms, "counters": [terms]}
            return {"sail": city, "take_tokens": ["any", "any"], "trade": trade}
    return {}


def test_a_counter_offer_takes_the_place_of_accepting(tmp_path: Path, desk: Desk) -> None:
    saved = a_table(tmp_path)
    turn = 0
    while view_of(saved).kind != "trade":
        order = suggestion(saved, ME, "random" if turn % 2 else "greedy")
        lodge(saved.home, orders_text("powers-1", ME, [{"do": order}]), tmp_path)
        saved = next_turn(saved.home, saved)
        turn += 1
    desk.opens(saved, ME)
    hand = Mouse(desk)
    hand.whole({"decline": True})
    assert desk.wrong() == []
    own = next(one for one, held in view_of(saved).tokens.items() if held)
    hand.part("line.0.do.counter", {"give": [own], "want": ["any"]})

    assert "decline" not in desk.yaml()
    wanted: Json = {"counter": {"give": [own], "want": ["any"]}}
    assert same_move(saved, judged(saved.home, desk.yaml(), tmp_path), wanted)


def test_cards_that_a_line_takes_can_be_played_in_the_next_one(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "powers-1"), "orange")
    page = desk.page
    desk.clicks("wisloujscie")
    desk.clicks("10")
    assert page.evaluate("pbem.page.lines()[0].do.take_cards") == [10]
    page.click("#add-line")
    assert "is empty: choose something for it" in page.inner_text("#now")
    desk.clicks("10")

    assert page.evaluate("pbem.page.lines()[1].do") == {"play_cards": [10]}


def test_tokens_are_tapped_in_the_city_that_is_sailed_to_and_marked_there(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "powers-1"), "orange")
    page = desk.page
    taps = page.locator("#board [data-place=diplomatic]")
    assert taps.count() == 0
    desk.clicks("wisloujscie")
    assert taps.count() == 1
    assert page.locator("#board [data-place=military]").count() == 0  # there is none at Wisłoujście

    city, tap = page.locator("#board [data-place=wisloujscie] > rect").bounding_box(), taps.bounding_box()
    assert city is not None and tap is not None
    assert city["x"] <= tap["x"] and tap["x"] + tap["width"] <= city["x"] + city["width"]
    assert city["y"] <= tap["y"] <= city["y"] + city["height"]
    desk.clicks("diplomatic")
    assert page.evaluate("pbem.page.lines()[0].do.take_tokens") == ["diplomatic"]
    assert "chosen" in (taps.get_attribute("class") or "")
    assert page.inner_text("#now").startswith(
        "2 tokens must be taken at Wisłoujście (2 religious, 1 commercial"
    )
    desk.clicks("religious")
    desk.clicks("commercial")
    assert page.inner_text("#done") == (
        "commercial: all tokens are chosen: take one off first (click it again)."
    )
    why = "(order) => pbem.game.whyNot('commercial', order)"
    page.evaluate("pbem.data.hints.tokens.wisloujscie.due = 0")  # as where all that can be held are
    assert "are chosen" not in page.evaluate(why, {"sail": "wisloujscie"})


def test_a_line_for_later_can_sail_spaces_and_says_what_comes_of_named_tokens(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "powers-1"), "orange")
    page = desk.page
    page.click("#add-line")
    page.select_option(
        desk.id(
            "line.1.do.sail.pick"
            if page.locator(desk.id("line.1.do.sail.pick")).count()
            else "line.1.do.sail"
        ),
        index=1,
    )
    assert page.evaluate("pbem.page.lines()[1].do.sail") == 1
    left = page.locator(desk.id("line.1.left"))
    assert left.inner_text().startswith("Not whole yet: what to do there is missing.")
    page.evaluate("pbem.page.order({ sail: 1, take_tokens: ['diplomatic'] })")
    assert left.inner_text() == (
        'Only 1 of 2 tokens named: it is skipped where 2 can be taken. Add "any", or another'
    )
    page.evaluate("pbem.page.order({ sail: 1, take_cards: 'any' })")
    assert left.inner_text() == ""
    page.evaluate("pbem.page.order({ sail: 1, take_tokens: ['diplomatic', 'commercial'] })")
    assert left.inner_text() == (
        "If these are gone by then, it is skipped: the next line that fits is played, or you are asked."
        ' Add "any" to take others'
    )
    page.evaluate("pbem.page.order({ sail: 1, take_tokens: ['diplomatic', 'any'] })")
    assert left.inner_text() == ""


def test_a_city_that_is_tapped_for_later_leaves_what_is_chosen_already(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "powers-1"), "orange")
    desk.page.click("#add-line")
    for place in ("four_sites", "aarhus"):
        desk.clicks(place)
    desk.page.select_option(desk.id("line.1.do.sail"), index=0)
    desk.clicks("haithabu")

    order = desk.page.evaluate("() => pbem.page.openLine().do")
    assert order == {"claim": "four_sites", "sail": "haithabu"}


def test_tokens_at_the_goal_are_reached_by_tab_and_arrows_and_not_marked_before(
    demo: Home, desk: Desk
) -> None:
    desk.opens(SavedGame(demo, "powers-1"), "orange")
    desk.clicks("wisloujscie")
    assert desk.page.locator("#board [data-place=religious].chosen").count() == 0
    desk.tabs_to("#board [data-place=religious]")
    desk.presses("ArrowRight")
    assert desk.page.evaluate("document.activeElement.dataset.place") == "commercial"
    desk.presses("Enter")
    assert desk.page.evaluate("() => pbem.page.openLine().do.take_tokens") == ["commercial"]


def test_any_order_is_said_on_the_page_as_the_host_says_it(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "powers-1")
    desk.opens(saved, asked(saved)[0])
    view = saved.opening.view(saved.position.game, asked(saved)[0])
    assert isinstance(view, View)
    orders, wording = any_orders(saved, view, random.Random(41)), wording_of(saved.opening.rules)

    assert len(orders) > 50
    assert desk.page.evaluate("all => all.map(pbem.words.order)", orders) == [*map(wording.order, orders)]


def test_a_city_that_would_take_back_what_is_chosen_is_asked_about(demo: Home, desk: Desk) -> None:
    desk.opens(SavedGame(demo, "powers-1"), "orange")
    for place in ("wisloujscie", "religious"):
        desk.clicks(place)
    before = desk.page.evaluate("() => pbem.page.openLine().do")
    city = next(
        one for one in desk.page.evaluate("() => Object.keys(pbem.data.hints.ways)")
        if one != "wisloujscie" and desk.page.evaluate("one => pbem.game.places(one, {}).length === 1", one)
    )  # fmt: skip
    desk.clicks(city)
    assert desk.page.evaluate("() => pbem.page.openLine().do") == before
    first = desk.page.locator("#board-choice button").first
    assert "instead" in first.inner_text()
    assert "the action of your turn to Wisłoujście is taken back" in first.inner_text()
    first.click()
    assert desk.page.evaluate("() => pbem.page.openLine().do") == {"sail": city}


def test_a_card_that_may_come_to_hand_by_then_is_left_open_in_the_words_of_the_host(
    demo: Home, desk: Desk, tmp_path: Path
) -> None:
    saved = SavedGame(demo, "powers-1")
    (seat,) = asked(saved)
    desk.opens(saved, seat)
    told = desk.page.evaluate(
        """() => { const { ask, draft, labels, view } = pbem.data;
        const next = labels.filter((one) => !one.includes("."))[1];
        return Object.values(view.fields).flat().map((card) => {
          const order = { sail: 1, reverse: card, take_tokens: ["any"] };
          const lines = [{ at: ask.label, do: draft.now }, { at: next, do: order }];
          const { problems, prospects } = pbem.model.judge({ ...pbem.page.doc(), orders: lines });
          return [JSON.stringify(lines), problems.length ? "" : prospects[1].lines[0]];
        }); }"""
    )

    left_open = 0
    for lines, said in told:
        found = judged(saved.home, f"game: powers-1\nseat: {seat}\norders: {lines}\n", tmp_path)
        host = "" if isinstance(found, list) else found.verdict.prospects[1].lines[0]
        assert said == (host if host.startswith("cannot be judged yet") else ""), (lines, said, host)
        left_open += bool(said)
    assert left_open > 3
