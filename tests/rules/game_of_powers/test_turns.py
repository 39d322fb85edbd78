"""Turns: sailing, the three actions, and what is laid out anew."""

from __future__ import annotations

import pytest

from pbem.rules.game_of_powers.sailing import courses
from tests.behaviour import turns

from .table import STATE, TAKE, WHITE, game, hold, position


@pytest.mark.paragraph("move-b")
@pytest.mark.parametrize(
    ("hand", "farthest"), [("", 2), ("4", 5), ("13", 3)], ids=["no card", "three", "one"]
)
def test_every_space_up_to_the_points_of_a_card_is_offered(hand: str, farthest: int) -> None:
    view = game().view(position(hold(hand), hold("", at="haithabu clockwise")), WHITE)

    ahead = [one.spaces for one in courses(game().facts, view, view.hand) if not one.reverse]

    assert sorted({*ahead}) == [*range(1, farthest + 1)]


@pytest.mark.paragraph("ruling-silence")
def test_a_silent_seat_sails_one_space_and_takes_what_it_can() -> None:
    assert game().hold(game().view(STATE, WHITE)) == {"sail": 1, **TAKE}


@pytest.mark.paragraph(
    "turn",
    "rounds",
    "move-b",
    "move-c",
    "ruling-cards",
    "move-d",
    "take-cards",
    "move-e",
    "take-tokens",
    "ruling-refill",
    "play-cost",
    "ruling-no-action",
    "action",
    "task-four-sites",
    "task-six",
    "task-four-of-a-category",
    "task-pairs",
    "task-five-of-a-site",
    "possibilities",
    "task-one",
    "trade",
    "ruling-trade",
    "trade-example",
    "trade-limits",
    "trade-what",
    "move-a",
    "move-example",
    "take-cards-example",
    "play-cards",
    "play-example",
    "play-site",
    "task-same",
    "task-example",
    "ruling-secrets",
    "end-round",
    "ruling-end",
    "end-cards",
    "end-tasks",
    "end-bonus",
    "end-total",
    "ruling-tie",
)
@pytest.mark.parametrize("row", turns.named("game-of-powers"))
def test_a_turn_comes_to_what_its_row_says(row: turns.Row) -> None:
    assert turns.played(row) == row["steps"]
