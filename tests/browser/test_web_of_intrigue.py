"""Web of Intrigue through its form page: points, the roll of each bid, and a game by mouse and keys."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue
from pbem.rules.web_of_intrigue.state import UNSEEN, TileId
from pbem.rules.web_of_intrigue.view import View
from pbem.text.strictyaml import dump_flow
from tests.browser.forms import (
    Desk,
    Keys,
    Mouse,
    asked,
    judged,
    lodge,
    next_turn,
    numbers,
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
    for seat in saved.start.seats:
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


def test_what_check_refuses_the_page_refuses_in_the_same_line(tmp_path: Path, desk: Desk) -> None:
    saved = a_game(a_home(tmp_path), "web-1", rules="web-of-intrigue", table=table_of(4))
    desk.opens(saved, "1")
    view: View = saved.view(saved.position.game, saved.start.seats[0])
    first, second = list(view.objects)[:2]
    special = next(name for name, spot in view.specials.items() if not spot.subject)
    wrong: list[dict[str, Json]] = [
        {"bid_1": {"for": first, "points": 12}, "bid_2": {"for": second, "points": 9}},
        {"special_1": {"enact": special, "points": 1}, "special_3": {"enact": special, "points": 1}},
        {"special_1": {"enact": special, "square": "a1", "points": 1}},
        {"special_1": {"enact": first, "points": 1}},
        {"bid_1": {"for": "the moon", "points": 1}},
        {"bid_1": {"for": first}},
        {"guess": {"player": "1", "house": "leo"}},
        {"guess": {"player": "2", "house": "unicorn"}},
        {"move": "z9"},
    ]
    for order in wrong:
        rows = [f"    {name}: {dump_flow(part)}\n" for name, part in order.items()]
        desk.writes(f"game: web-1\nseat: 1\norders:\n- at: turn-1\n  do:\n{''.join(rows)}")
        faults = judged(saved.home, desk.yaml(), tmp_path)
        assert isinstance(faults, list), order
        assert {numbers(one)[0] for one in desk.wrong()} == {fault.line for fault in faults}, order


@pytest.mark.parametrize("hand", [Mouse, Keys])
def test_a_whole_game_is_played_by_mouse_or_keys(tmp_path: Path, desk: Desk, hand: type[Mouse]) -> None:
    home = a_home(tmp_path)
    saved = a_game(home, "web-1", rules="web-of-intrigue", table=table_of(2), options={"turns": 2})
    while asked(saved):
        for seat in asked(saved):
            order = suggestion(saved, seat)
            desk.opens(saved, seat)
            hand(desk).fill(order)
            assert desk.wrong() == []
            assert same_move(saved, judged(home, desk.yaml(), tmp_path), order)
            lodge(home, desk.yaml(), tmp_path)
        saved = next_turn(home, saved)

    assert saved.turn == 3
