"""What a player is told about orders: problems, menus and the forecast."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.core.interface import Json
from pbem.play.config.registry import find_rules
from pbem.rules.web_of_intrigue.moves import BIDS, SPECIALS
from pbem.rules.web_of_intrigue.orders import read_move, write_move
from tests.behaviour import judged

from .table import A, B, all_play, here, playout, position, problems, woi


@pytest.mark.paragraph(
    "tiles-reach",
    "points-budget",
    "specials-once",
    "enact-seen",
    "orders-actions",
    "orders-player",
    "orders-house",
    "orders-move",
)
@pytest.mark.parametrize("row", judged.named("web-of-intrigue"))
def test_an_order_is_wrong_where_its_row_says_or_has_a_forecast(row: judged.Row) -> None:
    assert judged.is_as_written(row)


LEGAL: list[dict[str, Any]] = [
    {"move": "d5"},
    {"move": "STAY"},
    {"move": "D8"},
    {"bid_1": {"for": "France", "points": 20}},
    {"bid_3": {"for": "THE queen victoria", "points": 1}},
    {"special_2": {"enact": "Blackmail", "square": "J10", "points": 1}},
    {"special_1": {"enact": "square aspect", "row": 8, "points": 1}},
    {"special_1": {"enact": "opposition", "column": "A", "points": 1}},
    {"special_1": {"enact": "blight", "player": "Player 2", "points": 1}},
    {"guess": {"player": "4", "house": "House Leo"}},
    {"bid_1": {"for": "france", "points": 5}, "bid_2": {"for": "france", "points": 5}},
]


@pytest.mark.parametrize("order", LEGAL, ids=str)
def test_orders_may_be_written_in_many_ways(order: dict[str, Any]) -> None:
    assert find_rules("web-of-intrigue").move_schema.problems(order) == []
    assert problems(here(), order) == []


@pytest.mark.paragraph("turn-actions", "orders-actions")
def test_reading_and_writing_orders_are_inverse() -> None:
    rules = woi()
    for state, _, _ in playout("inverse", all_play("random", 5)):
        for seat in state.players:
            order = rules.suggest(rules.view(state, seat), rules_dice(state.turn, seat), "random")
            if order is not None:
                move = read_move(rules.facts, order)
                assert read_move(rules.facts, write_move(move)) == move
                assert write_move(move) == order


def rules_dice(turn: int, seat: str) -> Any:
    from pbem.core.dice import Dice

    return Dice(b"inverse", turn).apart(seat)


@pytest.mark.paragraph("turn-actions")
def test_choices_name_every_place_with_what_can_stand_there() -> None:
    rules = woi()
    view = rules.view(here(owners={"spain": A, "druids": B}), A)
    menus = {path: menu for menu in rules.choices(view).menus for path in menu.paths}
    assert list(menus) == [*SPECIALS, *BIDS, "guess.player", "guess.house", "move"]
    bids = {str(item.order): item.note for item in menus["bid_1"].items}
    france = (
        "France, d5: country, 9 VP; 4 or more needed, 3 in 6; "
        "with Inflation before it, 3 or more needed, 4 in 6"
    )
    assert bids["{'for': 'france'}"] == france
    assert bids["{'for': 'spain'}"] == "Spain, e5: country, 4 VP; yours already"
    druids = "The Grand Order of Druids, d7: organization, 3 VP, player 2's; 10 needed, out of reach"
    assert bids["{'for': 'druids'}"] == druids
    assert list(bids)[-1] == "{'for': 'spain'}"
    assert {str(item.order) for item in menus["guess.player"].items} == {"2", "3", "4"}
    assert len(menus["guess.house"].items) == 11
    assert len(menus["move"].items) == 25
    assert rules.choices(rules.view(here(), None)).menus == ()


def test_the_forecast_counts_a_bonus_against_an_element_that_is_certain() -> None:
    tiles = {"d5": "rick_blacken", "d4": "peace_movement"}
    state = position(tiles=tiles, squares={A: "d5"}, owners={"rick_blacken": B})
    view = woi().view(state, A)
    fire = [house.name for house in woi().facts.houses.values() if house.element == "fire"]
    view = replace(view, can_be={**view.can_be, B: tuple(fire)})
    order: Json = {
        "special_1": {"enact": "peace_movement", "points": 1},
        "bid_1": {"for": "rick_blacken", "points": 1},
    }
    assert woi().forecast(view, woi().read(order)).lines[1] == (
        "bid 1 (1 point): Rick Blacken, difficulty 5: +0 (control -3, player 2 being of Fire +3), "
        "5 or more needed, 2 in 6."
    )


@pytest.mark.parametrize(
    ("order", "wasted"),
    [
        pytest.param({"bid_1": {"for": "france", "points": 20}}, 0, id="a bid that can win"),
        pytest.param({"bid_1": {"for": "druids", "points": 20}}, 1, id="a bid out of reach"),
        pytest.param({"bid_1": {"for": "spain", "points": 20}}, 1, id="a bid for one's own"),
        pytest.param(
            {"bid_1": {"for": "france", "points": 10}, "bid_2": {"for": "france", "points": 10}}, 0,
            id="a bid that is needed only if another fails",
        ),
        pytest.param({"bid_1": {"for": "france", "points": 19}}, 1, id="a point that is lost"),
    ],
)  # fmt: skip
def test_a_forecast_names_what_an_order_does_for_nothing(order: Json, wasted: int) -> None:
    view = woi().view(here(owners={"spain": A, "druids": B}), A)
    assert len(woi().forecast(view, woi().read(order)).waste) == wasted


def test_what_is_said_of_half_a_guess_can_be_taken_for_nobodys_own() -> None:
    schema: Any = find_rules("web-of-intrigue").move_schema.schema
    guess = schema["properties"]["guess"]["description"]
    assert not any(house.name in guess for house in woi().facts.houses.values())
    assert not any(sign.isdigit() for sign in guess)
