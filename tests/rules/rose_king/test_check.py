"""What a player is told about an order: problems, choices and the forecast."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.rules.rose_king.moves import read_move, write_move
from pbem.rules.rose_king.state import RED, SEATS, Draw, Move, Play, State
from tests.behaviour import judged

from .table import MIXED, RANDOM, do, playout, position, rose_king

FULL = "N1 N2 N3 NE1 NE2"


@pytest.mark.paragraph("play", "draw", "heroes")
@pytest.mark.parametrize("row", judged.named("rose-king", is_wrong=True))
def test_it_is_told_where_orders_are_wrong(row: judged.Row) -> None:
    assert judged.places(row) == row["wrong"]


@pytest.mark.parametrize("row", judged.named("rose-king", is_wrong=False))
def test_what_is_in_order_has_a_forecast(row: judged.Row) -> None:
    wrong, lines = judged.judge(row)

    assert wrong == ()
    assert lines


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
