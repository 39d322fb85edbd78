"""What a player is told about orders: problems, menus and the forecast."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.core.interface import Json
from pbem.play.config.registry import find_rules
from pbem.rules.web_of_intrigue.moves import BIDS, SPECIALS
from pbem.rules.web_of_intrigue.orders import read_move, write_move
from pbem.rules.web_of_intrigue.state import Blight, Guess, HouseId, Sighting, Square, State, TileId

from .table import A, B, all_play, change, playout, position, problems, woi

TILES = {
    "d5": "france",
    "d4": "inflation",
    "e5": "spain",
    "d6": "chaos",
    "c5": "blackmail",
    "f5": "fog_of_war",
    "c4": "blight",
    "c6": "square_aspect",
    "e6": "opposition",
    "e4": "queen_victoria",
    "j10": "usa",
    "j9": "pyramid",
    "d3": "henrik_ibsen",
    "d7": "druids",
}


def here(**more: Any) -> State:
    state = position(tiles=TILES, squares={A: "d5"}, **more)
    return change(state, A, memory={Square("j10"): Sighting(TileId("usa"), 3)})


def shrouded() -> State:
    return change(here(), B, shrouds=(Square("e5"),))


NEAR = "Nearest to you: France, Spain, Henrik Ibsen, Queen Victoria, Eau de Rita, The Grand Order of Druids."

PROBLEMS: list[tuple[str, State, dict[str, Any], tuple[str | int, ...], str]] = [
    (
        "too many points",
        here(),
        {
            "special_1": {"enact": "inflation", "points": 9},
            "bid_1": {"for": "spain", "points": 8},
            "bid_2": {"for": "spain", "points": 5},
        },
        ("bid_2", "points"),
        "your actions take 22 points, and you have 20. Take 2 away.",
    ),
    (
        "too many points for a smaller budget",
        change(here(), B, blights=(Blight(A, 2),)),
        {"bid_1": {"for": "spain", "points": 20}},
        ("bid_1", "points"),
        "your actions take 20 points, and you have 18. Take 2 away.",
    ),
    (
        "the same special twice",
        here(),
        {"special_1": {"enact": "inflation", "points": 1}, "special_3": {"enact": "Inflation", "points": 1}},
        ("special_3", "enact"),
        "Inflation is enacted in special_1 already. Each special can be enacted once a turn.",
    ),
    (
        "an invisible special",
        here(),
        {"special_1": {"enact": "pyramid", "points": 1}},
        ("special_1", "enact"),
        "you do not see Pyramid in your diamond. Nearest to you: ",
    ),
    (
        "an object seen earlier",
        here(),
        {"bid_1": {"for": "the usa", "points": 1}},
        ("bid_1", "for"),
        "you do not see The USA in your diamond. You last saw it on j10 in turn 3. Nearest to you: ",
    ),
    (
        "a word of a single name",
        here(),
        {"bid_1": {"for": "ibsen", "points": 1}},
        ("bid_1", "for"),
        "there is no object 'ibsen'. Did you mean Henrik Ibsen?",
    ),
    (
        "an obscured object",
        shrouded(),
        {"bid_1": {"for": "spain", "points": 1}},
        ("bid_1", "for"),
        "you do not see Spain in your diamond. Nearest to you: ",
    ),
    (
        "a question mark",
        shrouded(),
        {"bid_1": {"for": "?", "points": 1}},
        ("bid_1", "for"),
        "an obscured tile cannot be named. Wait until your next report.",
    ),
    (
        "a bid for a special",
        here(),
        {"bid_1": {"for": "inflation", "points": 3}},
        ("bid_1", "for"),
        "Inflation is a special, and bids are for objects. Enact it: {enact: inflation, "
        "points: 3} as one of the specials.",
    ),
    (
        "an object to enact",
        here(),
        {"special_2": {"enact": "france", "points": 3}},
        ("special_2", "enact"),
        "France is an object, and only specials can be enacted. Bid for it: {for: "
        "france, points: 3} as one of the bids.",
    ),
    (
        "a misspelt object",
        here(),
        {"bid_1": {"for": "qeen victoria", "points": 3}},
        ("bid_1", "for"),
        "there is no object 'qeen victoria'. Did you mean Queen Victoria?",
    ),
    (
        "a misspelt object that is not seen",
        here(),
        {"bid_1": {"for": "karl marks", "points": 3}},
        ("bid_1", "for"),
        "there is no object 'karl marks'. You may mean Karl Marx, which you do not see in your diamond. "
        f"{NEAR}",
    ),
    (
        "a misspelt special that is not seen",
        here(),
        {"special_1": {"enact": "pyramit", "points": 3}},
        ("special_1", "enact"),
        "there is no special 'pyramit'. You may mean Pyramid, which you do not see in your diamond. Nearest",
    ),
    (
        "a misspelt special",
        here(),
        {"special_1": {"enact": "inflashun", "points": 3}},
        ("special_1", "enact"),
        "there is no special 'inflashun'. Did you mean Inflation?",
    ),
    (
        "a missing subject",
        here(),
        {"special_1": {"enact": "chaos", "points": 1}},
        ("special_1",),
        "Chaos needs squares: the two squares whose tiles it exchanges. Add squares, "
        "such as squares: [d5, e6].",
    ),
    (
        "a superfluous subject",
        here(),
        {"special_1": {"enact": "inflation", "points": 1, "square": "d5"}},
        ("special_1", "square"),
        "Inflation takes no square. Leave it out.",
    ),
    (
        "a subject of another kind",
        here(),
        {"special_1": {"enact": "square_aspect", "points": 1, "column": "d", "row": 5}},
        ("special_1", "column"),
        "Square aspect takes no column. It needs row: the number of the row.",
    ),
    (
        "an exchange of a square out of sight",
        here(),
        {"special_1": {"enact": "chaos", "points": 1, "squares": ["d5", "J10"]}},
        ("special_1", "squares", 1),
        "j10 is not in your diamond. You stand on d5 and see up to 3 steps from there.",
    ),
    (
        "an exchange of one square with itself",
        here(),
        {"special_1": {"enact": "chaos", "points": 1, "squares": ["d5", "d5"]}},
        ("special_1", "squares"),
        "d5 is named twice. Name two squares.",
    ),
    (
        "an exchange of an obscured tile",
        shrouded(),
        {"special_1": {"enact": "chaos", "points": 1, "squares": ["d5", "e5"]}},
        ("special_1", "squares", 1),
        "the tile on e5 is obscured. Name a tile that you see.",
    ),
    (
        "an obscured tile to obscure",
        shrouded(),
        {"special_1": {"enact": "fog_of_war", "points": 1, "square": "e5"}},
        ("special_1", "square"),
        "the tile on e5 is obscured. Name a tile that you see.",
    ),
    (
        "a square that is none",
        here(),
        {"special_1": {"enact": "blackmail", "points": 1, "square": "k3"}},
        ("special_1", "square"),
        "there is no square 'k3'. Squares are a1 to j10.",
    ),
    (
        "a reveal out of the diamond where it reaches no further",
        here(reveal_reach="diamond"),
        {"special_1": {"enact": "blackmail", "points": 1, "square": "j10"}},
        ("special_1", "square"),
        "j10 is not in your diamond. You stand on d5 and see up to 3 steps from there.",
    ),
    (
        "a row out of sight",
        here(),
        {"special_1": {"enact": "square_aspect", "points": 1, "row": 9}},
        ("special_1", "row"),
        "you see no tile of row 9. You see rows 2, 3, 4, 5, 6, 7 and 8.",
    ),
    (
        "a row that is none",
        here(),
        {"special_1": {"enact": "square_aspect", "points": 1, "row": 11}},
        ("special_1", "row"),
        "there is no row 11. Rows are 1 to 10.",
    ),
    (
        "a column out of sight",
        here(),
        {"special_1": {"enact": "opposition", "points": 1, "column": "I"}},
        ("special_1", "column"),
        "you see no tile of column i. You see columns a, b, c, d, e, f and g.",
    ),
    (
        "a column that is none",
        here(),
        {"special_1": {"enact": "opposition", "points": 1, "column": "k"}},
        ("special_1", "column"),
        "there is no column 'k'. Columns are a to j.",
    ),
    (
        "a blight of oneself",
        here(),
        {"special_1": {"enact": "blight", "points": 1, "player": 1}},
        ("special_1", "player"),
        "player 1 is yourself: it works on other players only. The others are 2, 3 and 4.",
    ),
    (
        "a guess at oneself",
        here(),
        {"guess": {"player": 1, "house": "leo"}},
        ("guess", "player"),
        "player 1 is yourself: guess at another player. The others are 2, 3 and 4.",
    ),
    (
        "a guess at nobody",
        here(),
        {"guess": {"player": 9, "house": "leo"}},
        ("guess", "player"),
        "there is no player '9'. The others are 2, 3 and 4.",
    ),
    (
        "a misspelt House",
        here(),
        {"guess": {"player": 2, "house": "caprikorn"}},
        ("guess", "house"),
        "there is no House 'caprikorn'. Did you mean Capricorn?",
    ),
    (
        "a House like no other",
        here(),
        {"guess": {"player": 2, "house": "xyz"}},
        ("guess", "house"),
        "there is no House 'xyz'. It can be Aries, Taurus, Gemini, ",
    ),
    (
        "a move out of the diamond",
        here(),
        {"move": "d9"},
        ("move",),
        "d9 is not in your diamond. You stand on d5 and see up to 3 steps from there.",
    ),
    ("a game that is over", change(here(), B, objects=999), {"move": "stay"}, (), "the game is over"),
]


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
@pytest.mark.parametrize(
    ("state", "order", "path", "says"), [row[1:] for row in PROBLEMS], ids=[row[0] for row in PROBLEMS]
)
def test_a_problem_says_where_what_and_what_would_do(
    state: State, order: dict[str, Any], path: tuple[str | int, ...], says: str
) -> None:
    ((found, text),) = problems(state, order)
    assert found == path
    assert text == says if says.endswith((".", "over", "?")) else text.startswith(says)


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


FORECASTS: list[tuple[str, State, dict[str, Any], list[str]]] = [
    (
        "a bid as things stand",
        here(),
        {"bid_1": {"for": "france", "points": 20}},
        [
            "bid 1 (20 points): France, difficulty 7: +3 (House +3), 4 or more needed, 3 in 6.",
            "If another player takes it first: 7 needed, out of reach.",
            "The rolls suppose that no other player moves a tile or takes an object first.",
            "move: you stay on d5.",
            "You spend 20 of 20 action points.",
        ],
    ),
    (
        "a bid that hangs on no earlier one",
        here(houses={A: "scorpio"}),
        {"bid_1": {"for": "spain", "points": 4}, "bid_2": {"for": "france", "points": 4}},
        [
            "bid 1 (4 points): Spain, difficulty 3: -1 (distance -1), 4 or more needed, 3 in 6.",
            "If another player takes it first: 7 needed, out of reach.",
            "bid 2 (4 points): France, difficulty 7: +0, 7 needed, out of reach.",
            "If another player takes it first: 10 needed, out of reach.",
            "The rolls suppose that no other player moves a tile or takes an object first.",
            "move: you stay on d5.",
            "You spend 8 of 20 action points; 12 are not spent, and lost.",
        ],
    ),
    (
        "an earlier bid that gives a penalty",
        here(houses={A: "taurus"}),
        {"bid_1": {"for": "queen_victoria", "points": 4}, "bid_2": {"for": "france", "points": 4}},
        [
            "bid 1 (4 points): Queen Victoria, difficulty 8: +0 (House +3, distance -3), 8 "
            "needed, out of reach.",
            "If another player takes it first: 11 needed, out of reach.",
            "bid 2 (4 points): France, difficulty 7: +0, 7 needed, out of reach.",
            "If another player takes it first: 10 needed, out of reach.",
            "The rolls suppose that no other player moves a tile or takes an object first.",
            "move: you stay on d5.",
            "You spend 8 of 20 action points; 12 are not spent, and lost.",
        ],
    ),
    (
        "a special that brings a tile near, and one that helps",
        here(),
        {
            "special_1": {"enact": "chaos", "squares": ["d5", "e4"], "points": 1},
            "special_2": {"enact": "inflation", "points": 1},
            "bid_2": {"for": "france", "points": 1},
        },
        [
            "special 1 (1 point): Chaos with squares d5 and e4: exchanges the tiles of two squares.",
            "special 2 (1 point): Inflation: +1 to bids for any country, this turn.",
            "bid 2 (1 point): France, difficulty 7: +1 (House +3, distance -3, Inflation "
            "+1), 6 needed, 1 in 6.",
            "If another player takes it first: 9 needed, out of reach.",
            "The rolls suppose that no other player moves a tile or takes an object first.",
            "move: you stay on d5.",
            "You spend 3 of 20 action points; 17 are not spent, and lost.",
        ],
    ),
    (
        "what is one's own already",
        here(owners={"france": A}),
        {"bid_1": {"for": "france", "points": 20}, "move": "d6"},
        [
            "bid 1 (20 points): France, difficulty 7: you control it already, and the bid does nothing.",
            "move: from d5 to d6; 7 squares of your next diamond you do not see now.",
            "You spend 20 of 20 action points.",
        ],
    ),
]


@pytest.mark.parametrize(
    ("state", "order", "lines"), [row[1:] for row in FORECASTS], ids=[row[0] for row in FORECASTS]
)
def test_the_forecast_says_what_orders_will_try(
    state: State, order: dict[str, Any], lines: list[str]
) -> None:
    rules = woi()
    assert list(rules.forecast(rules.view(state, A), rules.read(order)).lines) == lines


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
