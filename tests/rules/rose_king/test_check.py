"""What a player is told about an order: problems, choices and the forecast."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.rules.rose_king.moves import write_move
from pbem.rules.rose_king.state import SEATS, Draw, Move, Play
from tests.behaviour import judged

from .table import MIXED, RANDOM, do, playout, rose_king

FULL = "N1 N2 N3 NE1 NE2"


@pytest.mark.paragraph("play", "draw", "heroes")
@pytest.mark.parametrize("row", judged.named("rose-king"))
def test_an_order_is_wrong_where_its_row_says_or_has_a_forecast(row: judged.Row) -> None:
    assert judged.is_as_written(row)


@pytest.mark.paragraph("turn", "hero-turns")
@pytest.mark.parametrize(("seed", "skills"), [("one", RANDOM), ("two", MIXED)], ids=["random", "mixed"])
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
