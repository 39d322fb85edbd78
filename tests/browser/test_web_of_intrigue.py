"""Web of Intrigue through its form page: points, the roll of each bid, and a game by mouse and keys."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.rules.web_of_intrigue.moves import BIDS, SPECIALS
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue
from pbem.rules.web_of_intrigue.state import UNSEEN, TileId
from pbem.rules.web_of_intrigue.view import View
from tests.browser.forms import (
    Desk,
    Keys,
    asked,
    judged,
    lodge,
    next_turn,
    same_move,
    suggestion,
)
from tests.homes import a_game, a_home, table_of

pytestmark = pytest.mark.browser


def any_orders(rules: WebOfIntrigue, view: View, random: random.Random) -> dict[str, Json]:
    """Return some legal orders, with specials of every kind that is in sight."""
    order: dict[str, Json] = {}
    specials, objects = list(view.specials), list(view.objects)
    random.shuffle(specials)
    others = [seat for seat in view.players if seat != view.me]
    clear = [square for square, tile in view.web.items() if tile != UNSEEN]
    for n in (1, 2, 3):
        if specials and random.random() < 0.7:
            name = specials.pop()
            subjects: dict[str, Json] = {
                "square": random.choice(clear),
                "squares": list[Json](random.sample(clear, 2)),
                "row": int(random.choice(clear)[1:]),
                "column": random.choice(clear)[0],
                "player": random.choice(others),
            }
            wanted = view.specials[name].subject
            on: dict[str, Json] = {wanted: subjects[wanted]} if wanted else {}
            order[f"special_{n}"] = {"enact": name, **on, "points": random.randint(1, 3)}
        if random.random() < 0.9:
            order[f"bid_{n}"] = {"for": str(random.choice(objects)), "points": random.randint(1, 3)}
    if random.random() < 0.6:
        order["guess"] = {"player": random.choice(others), "house": random.choice(list(rules.facts.houses))}
    if random.random() < 0.6 or not order:
        order["move"] = random.choice([*view.web, "stay"])
    return order


def test_the_forecast_is_that_of_check_for_any_orders(tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "web-1", rules="web-of-intrigue", table=table_of(12, bot="greedy"))
    for _ in range(3):
        saved = next_turn(home, saved)
    chance, rules = random.Random(7), saved.rules
    assert isinstance(rules, WebOfIntrigue)
    forms, branches = set(), 0
    for seat in saved.start.seats[::2]:
        desk.opens(saved, seat)
        view: View = saved.view(saved.position.game, seat)
        orders = [any_orders(rules, view, chance) for _ in range(60)]
        told = desk.page.evaluate(
            "all => all.map((one) => [pbem.game.problems(one), pbem.game.forecast(one)])", orders
        )
        for order, (problems, lines) in zip(orders, told, strict=True):
            move = saved.rules.read(order)
            assert saved.rules.check(view, move) == ()
            assert problems == []
            assert lines == list(saved.rules.forecast(view, move).lines), order
            forms |= {
                rules.facts.specials[TileId(one)].effect.kind
                for one in map(special_of, order.values())
                if one
            }
            branches += sum("wins," in line for line in lines)

    assert len(forms) >= 8
    assert branches >= 10


def special_of(part: Json) -> str:
    """Return the special that a part of an order enacts, or nothing."""
    return str(part.get("enact", "")) if isinstance(part, dict) else ""


def full_order(view: View) -> dict[str, Json]:
    """Return orders in which no bid and no special is free."""
    specials = [name for name, spot in view.specials.items() if not spot.subject]
    bids = [name for name, offer in view.objects.items() if offer.controller != view.me]
    order: dict[str, Json] = {
        place: {"enact": name, "points": 1} for place, name in zip(SPECIALS, specials, strict=False)
    }
    return order | {place: {"for": name, "points": 1} for place, name in zip(BIDS, bids, strict=False)}


def test_every_square_that_the_menu_of_moves_offers_can_be_tapped(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "web-1")
    for seat in asked(saved)[:4]:
        desk.opens(saved, seat)
        view: View = saved.view(saved.position.game, seat)
        menus = saved.rules.choices(view).menus
        (moves,) = ([str(item.order) for item in menu.items] for menu in menus if menu.paths == ("move",))
        tapped = desk.page.eval_on_selector_all(
            "#board [data-place]", "all => all.map((one) => one.dataset.place)"
        )
        assert set(tapped) == set(moves)
        for order in ({}, full_order(view), {**full_order(view), "move": moves[-1]}):
            desk.page.evaluate("order => pbem.page.order(order)", order)
            meant = desk.page.evaluate("all => all.map((one) => pbem.game.places(one, {}))", moves)
            for square, found in zip(moves, meant, strict=True):
                last = found[-1]["order"].get("move", view.own and view.own.square)
                wanted = view.own and view.own.square if order.get("move") == square else square
                assert last == wanted, (order, square)


def with_special(saved: SavedGame, subject: str) -> tuple[str, View, TileId]:
    """Return a seat that sees a special which works on something, with its view and that special."""
    for seat in asked(saved):
        view: View = saved.view(saved.position.game, seat)
        for name, spot in view.specials.items():
            if spot.subject == subject:
                return seat, view, name
    raise AssertionError(f"no seat sees a special that wants {subject}")


@pytest.mark.parametrize("subject", ["squares", "row", "square"])
def test_a_tap_completes_a_special_that_waits_and_takes_nothing_away(
    subject: str, demo: Home, desk: Desk
) -> None:
    saved = SavedGame(demo, "web-1")
    seat, view, name = with_special(saved, subject)
    desk.opens(saved, seat)
    assert view.own is not None
    special: dict[str, Json] = {"enact": name, "points": 3}
    other = next(one for one in view.specials if one != name)
    desk.page.evaluate("order => pbem.page.order(order)", {"special_1": special})
    first, second = [offer.square for offer in view.objects.values() if offer.square != view.own.square][:2]
    for square in (first, second)[: 2 if subject == "squares" else 1]:
        desk.clicks(square)
        assert desk.page.locator("#board-choice b").first.inner_text().startswith(view.specials[name].name)
        desk.page.locator("#board-choice button").first.click()
        left = f"{view.own.action_points - 3} of {view.own.action_points} action points left"
        assert desk.page.locator(desk.id("line.0.left")).inner_text() == left

    on = {"squares": [first, second], "row": int(first[1:]), "square": first}[subject]
    assert desk.page.evaluate("pbem.page.openLine().do") == {"special_1": {**special, subject: on}}
    assert desk.wrong() == []
    assert view.specials[other].name not in desk.yaml()


def test_what_is_half_made_stays_when_something_else_is_tapped(demo: Home, desk: Desk) -> None:
    saved = SavedGame(demo, "web-1")
    seat, view, name = with_special(saved, "squares")
    desk.opens(saved, seat)
    first, second = [offer.square for offer in view.objects.values()][:2]
    half: dict[str, Json] = {"enact": name, "points": 3, "squares": [first]}
    order: Json = {"special_1": half, "guess": {"player": 2}}
    desk.page.evaluate("order => pbem.page.order(order)", order)
    desk.clicks(second)
    desk.page.locator("#board-choice button", has_text="bid 1: bid").click()

    now = desk.page.evaluate("pbem.page.openLine().do")
    assert (now["special_1"], now["guess"]) == (half, {"player": 2})
    assert "bid_1" in now


def test_the_board_shows_where_the_pawn_goes_and_which_bid_and_special_is_where(
    demo: Home, desk: Desk
) -> None:
    saved = SavedGame(demo, "web-1")
    seat, view, name = with_special(saved, "squares")
    desk.opens(saved, seat)
    (bid, offer), (_, other), (_, third), *_ = view.objects.items()
    assert view.own is not None
    goal = next(square for square in view.web if square != view.own.square)
    order: Json = {
        "special_2": {"enact": name, "points": 1, "squares": [other.square, third.square]},
        "bid_3": {"for": bid, "points": 1},
        "move": goal,
    }
    desk.page.evaluate("order => pbem.page.order(order)", order)
    shown = desk.page.eval_on_selector_all(
        "#board .ghost", "all => all.map((one) => [one.parentNode.dataset.place, one.getAttribute('href')])"
    )
    wanted = [[one, "#s2"] for one in (view.specials[name].square, other.square, third.square)]
    assert sorted(shown) == sorted([*wanted, [offer.square, "#b3"], [goal, "#goal"]])
    assert desk.page.locator("#board defs").locator("#s2, #b3, #goal").count() == 3


def test_a_bid_is_offered_with_specials_that_can_come_before_it_and_out_of_reach_last(
    demo: Home, desk: Desk
) -> None:
    saved = SavedGame(demo, "web-1")
    most = 0
    for seat in asked(saved)[:6]:
        desk.opens(saved, seat)
        for number, place in enumerate(BIDS, 1):
            notes: list[str] = desk.page.evaluate(
                "place => pbem.game.options(place, {}).map((one) => one.note)", place
            )
            helps = [note.split("; with ")[1].split(" before it")[0] for note in notes if "; with " in note]
            count = max((len(one.replace(" and ", ", ").split(", ")) for one in helps), default=0)
            assert count <= number
            most = max(most, count)
            last = [note.endswith(("out of reach", "yours already")) for note in notes]
            assert last == sorted(last)
    assert most > 1


def test_a_whole_game_is_played_by_keys(tmp_path: Path, desk: Desk) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "web-1", rules="web-of-intrigue", table=table_of(2), options={"turns": 2})
    while asked(saved):
        for seat in asked(saved):
            order = suggestion(saved, seat)
            desk.opens(saved, seat)
            Keys(desk).fill(order)
            assert desk.wrong() == []
            assert same_move(saved, judged(home, desk.yaml(), tmp_path), order)
            lodge(home, desk.yaml(), tmp_path)
        saved = next_turn(home, saved)

    assert saved.turn == 3
