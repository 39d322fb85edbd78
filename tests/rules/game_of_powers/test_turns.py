"""Turns: sailing, the three actions, and what is laid out anew."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.interface import Json
from pbem.rules.game_of_powers.sailing import courses
from pbem.rules.game_of_powers.state import State
from tests.behaviour import turns

from .table import WHITE, game, hold, position, wrong

FAR = hold("", at="haithabu clockwise")
TAKE: dict[str, Json] = {"take_tokens": ["any", "any"]}


def at(place: str, hand: str = "", held: str = "", **more: Any) -> State:
    return position(hold(hand, at=place, tokens_of=held), FAR, **more)


@pytest.mark.paragraph("move-b")
@pytest.mark.parametrize(
    ("hand", "farthest"), [("", 2), ("4", 5), ("13", 3)], ids=["no card", "three", "one"]
)
def test_every_space_up_to_the_points_of_a_card_is_offered(hand: str, farthest: int) -> None:
    view = game().view(at("wolin clockwise", hand), WHITE)

    ahead = [one.spaces for one in courses(game().facts, view, view.hand) if not one.reverse]

    assert sorted({*ahead}) == [*range(1, farthest + 1)]


@pytest.mark.paragraph("ruling-silence")
@pytest.mark.parametrize(
    ("hand", "held", "expected"),
    [
        ("", "", {"sail": 1, "take_tokens": ["any", "any"]}),
        ("30", "military " * 10, {"sail": 1, "take_cards": ["any", "any"]}),
        ("30 1 2 3 4 5 6 7 8 9", "military " * 10, {"sail": 1, "play_cards": [30]}),
        ("31 1 2 3 4 5 6 7 8 9", "military " * 10, {"sail": 1}),
    ],
    ids=["tokens", "cards", "plays", "nothing"],
)
def test_a_silent_seat_sails_one_space_and_does_the_least(hand: str, held: str, expected: Json) -> None:
    state = at("palanga clockwise", hand, held)
    rules = game()

    found = rules.hold(rules.view(state, WHITE))

    assert found == expected
    assert wrong(state, found) == []


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
