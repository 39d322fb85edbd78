"""What a player is told about an order: problems, choices and the forecast."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.rules.web_of_power.orders import read_move, write_move
from tests.behaviour import judged

from .table import RED, YELLOW, place, playout, position, web_of_power, why

HERE = position(hands={YELLOW: "fa bb li"}, taken="red: mainz; green: corvey", sent="franken: red 1")
PAIR = position(hands={YELLOW: "fa fa fr"}, taken="red: mainz corvey")


@pytest.mark.parametrize("row", judged.named("web-of-power", is_wrong=True))
def test_it_is_told_where_orders_are_wrong(row: judged.Row) -> None:
    assert judged.places(row) == row["wrong"]


@pytest.mark.parametrize("row", judged.named("web-of-power", is_wrong=False))
def test_what_is_in_order_has_a_forecast(row: judged.Row) -> None:
    wrong, lines = judged.judge(row)

    assert wrong == ()
    assert lines


def test_a_hint_names_the_placement_that_brings_most() -> None:
    hint = " You can order {place: {country: Franken, pieces: [Bremen]}}."
    assert why(HERE, place("england", "york"))[0].endswith(hint)


def test_a_hint_for_who_can_place_nothing_names_the_cards() -> None:
    taken = "red: york st_albans canterbury winchester glastonbury hirsau ottobeuren st_gallen einsiedeln"
    stuck = position(hands={YELLOW: "es"}, taken=taken, sent="england: red 5; schwaben: green 4")
    found = why(stuck, place("franken", "mainz"))
    assert found[0].endswith(" You can place nothing. You can order {discard: England-Schwaben}.")


def test_a_name_that_nothing_has_is_wrong_for_good_and_all_else_for_now() -> None:
    rules = web_of_power()
    view = rules.view(HERE, YELLOW)
    assert [one.lasting for one in rules.check(view, rules.read(place("fraken", "maniz")))] == [True, True]
    assert [one.lasting for one in rules.check(view, rules.read(place("franken", "mainz")))] == [False]


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (place("aragon", "york"), "York lies in England, not in Aragon"),
        (place("franken", "bremen", "bremen"), "you place a cloister on Bremen already"),
    ],
    ids=str,
)
def test_what_the_map_has_no_place_for_is_wrong_for_good(order: Json, text: str) -> None:
    rules = web_of_power()
    (found,) = rules.check(rules.view(HERE, YELLOW), rules.read(order))

    assert (found.text, found.lasting) == (text, True)


@pytest.mark.parametrize(("seat", "text"), [(None, "a spectator gives no orders")])
def test_who_gives_no_orders(seat: None, text: str) -> None:
    rules = web_of_power()
    (problem,) = rules.check(rules.view(HERE, seat), rules.read({"discard": "any"}))
    assert str(problem) == text


def test_a_game_that_is_over_takes_no_orders() -> None:
    rules = web_of_power()
    *_, (state, _, _) = playout("over", ("random",), 3)
    (problem,) = rules.check(rules.view(state, YELLOW), rules.read({"discard": "any"}))
    assert str(problem) == "the game is over"


@pytest.mark.parametrize(
    "order",
    [
        {"place": {"country": "franken", "pieces": ["mainz", "advisor"]}, "draw": ["pile"]},
        {"place": {"country": "any", "pieces": [["advisor", "cloister"]], "pay": ["frankreich"]}},
        {
            "place": [
                {"country": ["franken", "any"], "pieces": ["cloister"]},
                {"country": "aragon", "pieces": ["ripoll"]},
            ],
            "discard": "any",
        },
        {"discard": ["frankreich", "any"], "draw": ["bayern_burgund", ["match", "pile"]]},
    ],
    ids=str,
)
def test_reading_and_writing_a_move_are_inverse(order: Json) -> None:
    assert write_move(read_move(web_of_power().facts, order)) == order


@pytest.mark.parametrize("skill", ["random", "greedy"])
@pytest.mark.parametrize("seats", [3, 5])
def test_whatever_is_listed_is_legal_and_every_choice_is_told(skill: str, seats: int) -> None:
    rules = web_of_power()
    for state, _, _ in playout(f"choices {skill}", (skill,), seats):
        for seat in (*state.seats, None):
            view = rules.view(state, seat)
            menus = rules.choices(view).menus
            if seat != view.to_move or seat is None:
                assert menus == ()
                continue
            whole = menus[0].items
            assert len(whole) >= 2 or rules.choices(view).only is not None
            for item in whole:
                move = rules.read(item.order)
                assert rules.check(view, move) == (), item
                assert len(rules.forecast(view, move).lines) >= 2
            assert [menu.paths for menu in menus[1:]] in (
                [("place.pieces",), ("draw",)], [("draw",)], [("place.pieces",)], [],
            )  # fmt: skip
            for menu in menus[1:]:
                for item in menu.items:
                    order: Json = {"place": {"pieces": [item.order]}}
                    if menu.paths == ("draw",):
                        order = {"discard": "any", "draw": [item.order]}
                    assert rules.check(view, rules.read(order)) == (), item


def test_a_placement_that_changes_no_points_is_forecast_as_such() -> None:
    rules = web_of_power()
    state = position(taken="red: mainz corvey")
    lines = rules.forecast(rules.view(state, YELLOW), rules.read(place("franken", "advisor"))).lines
    assert "No points change by it, if scored right then." in lines
    assert rules.forecast(rules.view(state, None), rules.read(place("franken", "advisor"))).lines == ()
    assert rules.forecast(rules.view(state, RED), rules.read(place("england", "york"))).lines == ()


def test_the_only_card_to_throw_away_in_the_last_turn_is_no_choice() -> None:
    rules = web_of_power()
    state = position(hands={YELLOW: "es"}, taken="red: york", closing=True, half=2)
    assert rules.choices(rules.view(state, YELLOW)).only is None, "a cloister is possible"
    taken = "red: york st_albans canterbury winchester glastonbury hirsau ottobeuren st_gallen einsiedeln"
    full = position(
        hands={YELLOW: "es"}, taken=taken, sent="england: red 5; schwaben: green 4", closing=True, half=2
    )
    assert rules.choices(rules.view(full, YELLOW)).only == {"discard": "england_schwaben"}
    drawn = position(hands={YELLOW: "es"}, taken=taken, sent="england: red 5; schwaben: green 4")
    found = rules.choices(rules.view(drawn, YELLOW))
    assert found.only is None
    assert [item.order for item in found.menus[0].items] == [
        {"discard": "england_schwaben", "draw": [source]}
        for source in ("frankreich", "england_schwaben", "pile")
    ]
