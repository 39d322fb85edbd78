"""What a player is told about orders: problems, menus and the forecast."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.core.interface import Json
from pbem.play.config.registry import find_rules
from pbem.rules.web_of_intrigue.moves import BIDS, SPECIALS
from pbem.rules.web_of_intrigue.orders import read_move, write_move
from pbem.rules.web_of_intrigue.state import Guess, HouseId, Sighting, Square, TileId
from tests.behaviour import judged

from .table import A, B, all_play, change, here, playout, position, problems, woi


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
@pytest.mark.parametrize("row", judged.named("web-of-intrigue", is_wrong=True))
def test_it_is_told_where_orders_are_wrong(row: judged.Row) -> None:
    assert judged.places(row) == row["wrong"]


@pytest.mark.parametrize("row", judged.named("web-of-intrigue", is_wrong=False))
def test_what_is_in_order_has_a_forecast(row: judged.Row) -> None:
    wrong, lines = judged.judge(row)

    assert wrong == ()
    assert lines


@pytest.mark.parametrize(
    "order",
    [
        {"bid_1": {"for": "inflation", "points": 3}},
        {"special_1": {"enact": "france", "points": 3}},
        {"special_1": {"enact": "inflation", "points": 1, "row": 5}},
        {"special_1": {"enact": "chaos", "points": 1}},
        {"special_1": {"enact": "blight", "points": 1, "player": 1}},
        {"guess": {"player": 1, "house": "leo"}},
    ],
    ids=str,
)
def test_what_can_never_be_ordered_is_wrong_for_later_turns_too(order: dict[str, Any]) -> None:
    rules = woi()
    (problem,) = rules.check(rules.view(here(), A), rules.read(order))
    assert problem.lasting


@pytest.mark.parametrize(
    "order",
    [
        {"bid_1": {"for": "spain", "points": 21}},
        {"special_1": {"enact": "inflation", "points": 1}, "special_2": {"enact": "inflation", "points": 1}},
    ],
    ids=["too many points", "enacted twice"],
)
def test_of_a_line_that_stays_the_rest_is_carried_out_where_an_action_is_void(order: dict[str, Any]) -> None:
    rules = woi()
    (problem,) = rules.check(rules.view(here(), A), rules.read(order))
    assert problem.bearable


def test_what_the_first_report_tells_was_seen_before_turn_1() -> None:
    state = change(here(), A, memory={Square("j10"): Sighting(TileId("usa"), 0)})
    ((_, text),) = problems(state, {"bid_1": {"for": "usa", "points": 1}})
    assert "You last saw it on j10 before turn 1." in text


def test_a_spectator_gives_no_orders() -> None:
    rules = woi()
    (problem,) = rules.check(rules.view(here(), None), rules.read({"move": "d5"}))
    assert str(problem) == "a spectator gives no orders"


def test_all_problems_are_told_at_once() -> None:
    order = {
        "special_1": {"enact": "pyramid", "points": 30},
        "bid_1": {"for": "chaos", "points": 1},
        "special_2": {"enact": "Pyramyd", "points": 1, "squares": ["d5", "z9"]},
        "guess": {"player": 1, "house": "ariez"},
        "move": "z9",
    }
    assert [path for path, _ in problems(here(), order)] == [
        ("special_1", "enact"),
        ("bid_1", "for"),
        ("special_2", "enact"),
        ("special_2", "squares", 1),
        ("special_1", "points"),
        ("guess", "player"),
        ("guess", "house"),
        ("move",),
    ]


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


@pytest.mark.paragraph("turn-actions", "points-budget")
@pytest.mark.parametrize(
    "order",
    [
        {},
        {"bid_1": {"for": "france"}},
        {"bid_1": {"for": "france", "points": 0}},
        {"bid_4": {"for": "france", "points": 1}},
        {"bid_1": {"enact": "france", "points": 1}},
        {"special_1": {"enact": "chaos", "points": 1, "squares": ["d5"]}},
        {"guess": {"player": 2}},
        {"move": "nowhere"},
    ],
    ids=str,
)
def test_the_schema_refuses_what_has_no_shape(order: Json) -> None:
    assert find_rules("web-of-intrigue").move_schema.problems(order)


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


def test_the_forecast_tells_both_cases_of_a_bid_that_hangs_on_an_earlier_one() -> None:
    tiles = {"d5": "rick_blacken", "d4": "tock_runners", "d6": "great_britain"}
    state = position(tiles=tiles, squares={A: "d5"}, houses={A: "leo"})
    order: dict[str, Json] = {
        "bid_1": {"for": "rick_blacken", "points": 1},
        "bid_2": {"for": "tock_runners", "points": 1},
    }
    lines = woi().forecast(woi().view(state, A), woi().read(order)).lines
    assert lines[2] == (
        "bid 2 (1 point): The Tock-runners, difficulty 3: "
        "if bid 1 wins, +4 (distance -1, Rick Blacken +5), any roll wins; "
        "if bid 1 fails, -1 (distance -1), 4 or more needed, 3 in 6."
    )


HELD = "you control it already, and the bid does nothing"
CHAINED: list[tuple[str, list[str], str]] = [
    (
        "three bids for one object",
        ["tock_runners"] * 3,
        f"if bid 1 or bid 2 wins, {HELD}; if bid 1 and bid 2 fail, "
        "-1 (distance -1), 4 or more needed, 3 in 6.",
    ),
    (
        "two bids for what helps a third",
        ["rick_blacken", "rick_blacken", "tock_runners"],
        "if bid 1 or bid 2 wins, +4 (distance -1, Rick Blacken +5), any roll wins; "
        "if bid 1 and bid 2 fail, -1 (distance -1), 4 or more needed, 3 in 6.",
    ),
    (
        "again for the first, after another",
        ["tock_runners", "rick_blacken", "tock_runners"],
        f"if bid 1 wins, {HELD}; if bid 1 fails and bid 2 wins, +4 (distance -1, Rick Blacken +5), "
        "any roll wins; if bid 1 fails and bid 2 fails, -1 (distance -1), 4 or more needed, 3 in 6.",
    ),
    (
        "what hangs on one of two",
        ["rick_blacken", "great_britain", "tock_runners"],
        "if bid 1 wins, +4 (distance -1, Rick Blacken +5), any roll wins; "
        "if bid 1 fails, -1 (distance -1), 4 or more needed, 3 in 6.",
    ),
]


@pytest.mark.parametrize(("wanted", "says"), [row[1:] for row in CHAINED], ids=[row[0] for row in CHAINED])
def test_the_forecast_of_a_third_bid_says_on_which_earlier_ones_it_hangs(
    wanted: list[str], says: str
) -> None:
    tiles = {"d5": "rick_blacken", "d4": "tock_runners", "d6": "great_britain"}
    state = position(tiles=tiles, squares={A: "d5"}, houses={A: "leo"})
    order: Json = {place: {"for": name, "points": 1} for place, name in zip(BIDS, wanted, strict=True)}
    lines = woi().forecast(woi().view(state, A), woi().read(order)).lines
    (third,) = (line for line in lines if line.startswith("bid 3"))
    assert third.endswith(f": {says}")


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


def test_the_forecast_says_what_an_element_would_change() -> None:
    tiles = {"d5": "rick_blacken", "d4": "peace_movement", "d6": "henrik_ibsen"}
    state = position(tiles=tiles, squares={A: "d5"}, owners={"rick_blacken": B})
    order: dict[str, Json] = {
        "special_1": {"enact": "peace_movement", "points": 1},
        "bid_1": {"for": "rick_blacken", "points": 1},
        "bid_2": {"for": "henrik_ibsen", "points": 1},
    }
    _, first, second, taken, *_ = woi().forecast(woi().view(state, A), woi().read(order)).lines
    assert first == (
        "bid 1 (1 point): Rick Blacken, difficulty 5: -3 (control -3), 8 needed, out of reach; "
        "or, if the owner is of Fire, 5 or more needed, 2 in 6."
    )
    assert (
        second == "bid 2 (1 point): Henrik Ibsen, difficulty 1: -1 (distance -1), 2 or more needed, 5 in 6."
    )
    assert taken == (
        "If another player takes it first: 5 or more needed, 2 in 6; "
        "or, if the owner is of Fire, 2 or more needed, 5 in 6."
    )


@pytest.mark.parametrize(
    ("guesses", "guess", "says"),
    [
        (
            (),
            {"player": 2, "house": "leo"},
            "if right, worth 2 each turn as things stand, unless this player guessed yours too; "
            "to guess it once is enough.",
        ),
        ((), {"player": 2, "house": "capricorn"}, "that is your own House, so it will be wrong."),
        (
            (Guess(1, B, HouseId("leo"), right=False, free=False),),
            {"player": 2, "house": "leo"},
            "you guessed so in turn 1, and it was wrong.",
        ),
        (
            (Guess(1, B, HouseId("pisces"), right=True, free=False),),
            {"player": 2, "house": "leo"},
            "you know already that this player is Pisces, which pays each turn by itself, "
            "and nothing changes.",
        ),
    ],
)
def test_the_forecast_of_a_guess(guesses: tuple[Guess, ...], guess: Json, says: str) -> None:
    state = change(here(owners={"usa": B}), A, guesses=guesses)
    lines = woi().forecast(woi().view(state, A), woi().read({"guess": guess})).lines
    assert lines[0].endswith(f": {says}")


def test_what_is_said_of_half_a_guess_can_be_taken_for_nobodys_own() -> None:
    schema: Any = find_rules("web-of-intrigue").move_schema.schema
    guess = schema["properties"]["guess"]["description"]
    assert not any(house.name in guess for house in woi().facts.houses.values())
    assert not any(sign.isdigit() for sign in guess)


def test_an_exchange_with_what_the_own_shift_brought_in_is_forecast_as_far_as_it_is_known() -> None:
    tiles = {"d5": "square_aspect", "d4": "chaos", "a5": "france", "d6": "spain"}
    state = position(tiles=tiles, squares={A: "d5"}, houses={A: "taurus"})
    rules = woi()
    view = rules.view(state, A)
    shift: Json = {"enact": "square_aspect", "row": 5, "points": 1}
    exchange: Json = {"enact": "chaos", "squares": ["g5", "d6"], "points": 1}
    order: Json = {"special_1": shift, "special_2": exchange, "bid_2": {"for": "spain", "points": 1}}
    assert rules.check(view, rules.read(order)) == ()

    lines = rules.forecast(view, rules.read(order)).lines

    # the shift moves f5 to e5 and an unknown tile to g5; Spain goes there, three steps away
    assert lines[2].startswith("bid 2 (1 point): Spain, difficulty 3: -5 (distance -5), 8 needed")
