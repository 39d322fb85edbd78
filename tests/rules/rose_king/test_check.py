"""What a player is told about an order: problems, choices and the forecast."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.rules.rose_king.moves import read_move, write_move
from pbem.rules.rose_king.state import RED, SEATS, WHITE, Draw, Move, Play, State

from .table import MIXED, RANDOM, do, playout, position, rose_king

HAND = "N1 N2 SE3"
FULL = "N1 N2 N3 NE1 NE2"

PROBLEMS = [
    (
        "a card that is not held",
        position(red=HAND),
        {"play": "SW1"},
        ("play",),
        "SW1 is not in your hand (N1, N2, SE3). "
        "You can order {play: N1} or {play: N2} or {play: SE3} or {draw: true}.",
    ),
    (
        "a card that looks like one that is held",
        position(red=HAND),
        {"play": "SE2"},
        ("play",),
        "SE2 is not in your hand (N1, N2, SE3). Did you mean SE3?",
    ),
    (
        "the square that a card leads to",
        position(red=HAND, crown="E2"),
        {"play": "E1"},
        ("play",),
        "E1 is not in your hand (N1, N2, SE3). N1 leads to the square E1. "
        "You can order {play: N1} or {play: SE3} or {draw: true}.",
    ),
    (
        "an empty hand",
        position(red=""),
        {"play": "N1"},
        ("play",),
        "N1 is not in your hand (it is empty). You can order {draw: true}.",
    ),
    (
        "off the board",
        position(red=HAND, crown="E2"),
        {"play": "N2"},
        ("play",),
        "N2 leads from E2 off the board. You can order {play: N1} or {play: SE3} or {draw: true}.",
    ),
    (
        "an own token",
        position(red=HAND, tokens={"E3": "red"}),
        {"play": "N2"},
        ("play",),
        "E3 holds your own token. You can order {play: N1} or {play: SE3} or {draw: true}.",
    ),
    (
        "an own token, with a hero",
        position(red=HAND, tokens={"E3": "red"}),
        {"play": "N2", "hero": True},
        ("play",),
        "E3 holds your own token. You can order {play: N1} or {play: SE3} or {draw: true}.",
    ),
    (
        "a token of the opponent without a hero",
        position(red=HAND, tokens={"E3": "white"}),
        {"play": "N2"},
        ("play",),
        "E3 holds a white token. A hero can turn it over: {play: N2, hero: true}.",
    ),
    (
        "a token of the opponent and no hero left",
        position(red=HAND, tokens={"E3": "white"}, heroes=(0, 4)),
        {"play": "N2"},
        ("play",),
        "E3 holds a white token, and you have no hero left. "
        "You can order {play: N1} or {play: SE3} or {draw: true}.",
    ),
    (
        "a hero that is not there",
        position(red=HAND, tokens={"E3": "white"}, heroes=(0, 4)),
        {"play": "N2", "hero": True},
        ("hero",),
        "E3 holds a white token, and you have no hero left. "
        "You can order {play: N1} or {play: SE3} or {draw: true}.",
    ),
    (
        "a hero on an empty square",
        position(red=HAND),
        {"play": "N2", "hero": True},
        ("hero",),
        "E3 is empty, and a hero only turns over a token of white. Leave the hero out: {play: N2}.",
    ),
    (
        "a draw with a full hand",
        position(red=FULL, crown="E2"),
        {"draw": True},
        ("draw",),
        "you hold 5 cards already, the most there is. You can order {play: N1} or {play: NE1}.",
    ),
    (
        "a card not in hand, while the other is on turn",
        position(red=HAND, to_move=WHITE),
        {"play": "S3"},
        ("play",),
        "S3 is not in your hand (N1, N2, SE3)",
    ),
    ("a game that is over", position(red=HAND, supply=0), {"play": "N1"}, (), "the game is over"),
]


@pytest.mark.paragraph("play", "draw", "heroes")
@pytest.mark.parametrize(
    ("state", "order", "path", "text"), [row[1:] for row in PROBLEMS], ids=[row[0] for row in PROBLEMS]
)
def test_a_problem_says_where_what_and_what_would_do(
    state: State, order: Json, path: tuple[str, ...], text: str
) -> None:
    rules = rose_king()
    (problem,) = rules.check(rules.view(state, RED), rules.read(order))
    assert problem.path == path
    assert str(problem) == text


def test_a_spectator_gives_no_orders() -> None:
    rules = rose_king()
    (problem,) = rules.check(rules.view(position(), None), rules.read({"draw": True}))
    assert str(problem) == "a spectator gives no orders"


@pytest.mark.paragraph("turn", "hero-turns")
@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize("skills", [RANDOM, MIXED], ids=["random", "mixed"])
def test_choices_and_check_agree_on_every_position(seed: str, skills: dict[Seat, str]) -> None:
    rules = rose_king()
    plays = (Play(card, hero=hero) for card in rules.facts.deck for hero in (False, True))
    every: list[Move] = [*plays, Draw()]
    for state, ask in playout(seed, skills):
        for seat in (*SEATS, None):
            view = rules.view(state, seat)
            choices = rules.choices(view)
            (menu,) = choices.menus
            listed = [item.order for item in menu.items]
            accepted = [write_move(move) for move in every if not rules.check(view, move)]
            assert listed == (accepted if isinstance(ask, Ask) and seat in ask.seats else [])
            assert all(len(item.note) <= 40 for item in menu.items)
            assert choices.only == (listed[0] if len(listed) == 1 else None)
            is_asked = isinstance(ask, Ask) and seat in ask.seats
            assert bool(listed) == is_asked


@pytest.mark.parametrize("order", [{"play": "N2"}, {"play": "SW3", "hero": True}, {"draw": True}])
def test_reading_and_writing_a_move_are_inverse(order: dict[str, Json]) -> None:
    assert write_move(read_move(order)) == order


@pytest.mark.parametrize(
    ("state", "notes"),
    [
        (
            position(red="N1 N2 N3", tokens={"E3": "white", "F4": "red", "D3": "white"}),
            [
                "to E4; points 1 to 4",
                "turns E3; points 1 to 2, white -3",
                "to E2; points 1 to 2",
                "one of 16 in the pile",
            ],
        ),
        (position(red="N1", pile="", discards="E1 E2"), ["to E4; points 0 to 1", "reshuffles 2 discards"]),
    ],
    ids=["from the pile", "with a reshuffle"],
)
def test_every_choice_says_what_it_does(state: State, notes: list[str]) -> None:
    rules = rose_king()
    assert [item.note for item in rules.choices(rules.view(state, RED)).menus[0].items] == notes


FORECASTS = [
    (
        "a play that joins territories",
        position(tokens={"D4": "red", "F4": "red", "F3": "red", "E2": "white"}, supply=48),
        {"play": "N1"},
        (
            "N1 takes the crown from E5 to E4.",
            "You place a red token on E4; 47 tokens are left in the common pool.",
            "Points: you go from 5 to 16, white stays at 1.",
            "Your territories of 2 and 1 become one of 4.",
            "You keep 4 cards: N2, N3, NE1, NE2.",
            "White can then play S1, S2, S3, SW1 or SW2 (5 moves).",
        ),
    ),
    (
        "a hero",
        position(tokens={"D4": "white", "E4": "white", "F4": "white", "E3": "red"}, white="W1 S1"),
        {"play": "N1", "hero": True},
        (
            "N1 takes the crown from E5 to E4.",
            "Your hero turns over the white token on E4; you have 3 heroes left.",
            "Points: you go from 1 to 4, white goes from 9 to 2.",
            "Your territory of 1 grows to 2.",
            "White's territory of 3 breaks to 1 and 1.",
            "You keep 4 cards: N2, N3, NE1, NE2.",
            "White can then play S1 or draw a card (2 moves).",
        ),
    ),
    (
        "the last token",
        position(supply=1, red="N1"),
        {"play": "N1"},
        (
            "N1 takes the crown from E5 to E4.",
            "You place a red token on E4; 0 tokens are left in the common pool.",
            "Points: you go from 0 to 1, white stays at 0.",
            "It stands alone.",
            "You keep no card.",
            "It is the last token, and the game ends: red wins by points.",
        ),
    ),
    (
        "a draw from the pile",
        position(
            red="N1", pile="W2 E1", discards="NE1 NE2 NE3 E2 E3 SE1 SE2 SE3 N2 N3 SW3 W1 W3 NW1 NW2 NW3"
        ),
        {"draw": True},
        (
            "You draw one of 2 cards from the pile: E1, W2.",
            "The crown stays on E5, and the points stay: 0 for you, 0 for white.",
            "You then hold 2 cards.",
            "White can then play S1, S2, S3, SW1 or SW2 (5 moves).",
        ),
    ),
    (
        "a draw that may end the game",
        position(red="N1 N2 N3 NE1", white="W1 W2 W3 NW1 NW2", crown="A1", pile="", discards="S1 NW3 NE2"),
        {"draw": True},
        (
            "You draw one of 3 cards from the discards, which are reshuffled: NE2, S1, NW3.",
            "The crown stays on A1, and the points stay: 0 for you, 0 for white.",
            "You then hold 5 cards.",
            "White would have to skip. If you draw NE2 or NW3, nobody can move and the game ends.",
        ),
    ),
    (
        "a draw that must end the game",
        position(red="N1 N2 N3 NE1", white="W1 W2 W3 NW1 NW2", crown="A1", pile="", discards="NW3"),
        {"draw": True},
        (
            "You draw one of 1 card from the discards, which are reshuffled: NW3.",
            "The crown stays on A1, and the points stay: 0 for you, 0 for white.",
            "You then hold 5 cards.",
            "Nobody could move then, and the game would end.",
        ),
    ),
    (
        "a play that leaves the opponent stuck, with own tokens",
        position(red="W1", white="W1 W2 W3 NW1 NW2", crown="B1", supply=None, own=(26, 26)),
        {"play": "W1"},
        (
            "W1 takes the crown from B1 to A1.",
            "You place a red token on A1; 25 tokens are left of your own.",
            "Points: you go from 0 to 1, white stays at 0.",
            "It stands alone.",
            "You keep no card.",
            "White would have to skip.",
        ),
    ),
]


@pytest.mark.parametrize(
    ("state", "order", "lines"), [row[1:] for row in FORECASTS], ids=[row[0] for row in FORECASTS]
)
def test_the_forecast_says_what_an_order_will_do(state: State, order: Json, lines: tuple[str, ...]) -> None:
    rules = rose_king()
    assert rules.forecast(rules.view(state, RED), rules.read(order)).lines == lines


def test_the_forecast_promises_the_points_that_come_true() -> None:
    rules = rose_king()
    for state, ask in playout("forecast", RANDOM):
        if not isinstance(ask, Ask) or not ask.seats:
            continue
        view = rules.view(state, state.to_move)
        for item in rules.choices(view).menus[0].items:
            after, _ = do(state, item.order)
            mine = rules.view(after, None).side(state.to_move).points
            text = " ".join(rules.forecast(view, rules.read(item.order)).lines)
            assert f" to {mine}, " in text or f"{mine} for you" in text
