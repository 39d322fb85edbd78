"""Bots play from the view alone, legally, and the greedy one well."""

from __future__ import annotations

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.state import MINUS, RETURN, THREE, State

from .table import GREEN, RED, YELLOW, position, rules

THOUGHTS: list[tuple[str, State, Json]] = [
    (
        "takes the card that brings most",
        position("Fr6 Ba1 Sa4 It6", held={RED: "Fr1 Fr2 Fr3", GREEN: "It1"}, removed={YELLOW: 3}, players=4),
        ["It6"],
    ),
    (
        "does not pay a stone for what it can have without",
        position("Fr1 Ba1 Sa1", "Fr4 It6", stones={"Fr1": RED}),
        ["Fr4"],
    ),
    (
        "plays a law card for a card that is worth it",
        position("Fr1 Fr2", held={RED: "Fr4"}, own_laws={YELLOW: [THREE]}, removed={YELLOW: 3}),
        ["Fr2", "Fr1"],
    ),
]


@pytest.mark.parametrize(("state", "taken"), [row[1:] for row in THOUGHTS], ids=[row[0] for row in THOUGHTS])
def test_the_greedy_bot(state: State, taken: Json) -> None:
    order = rules().suggest(rules().view(state, YELLOW), Dice(b"bot", 1), "greedy")
    assert isinstance(order, dict)
    assert order["take"] == taken


def test_the_greedy_bot_uses_law_cards_that_turn_up_and_claims() -> None:
    state = position("Fr1 Fr2 Ba1", laws={"Fr1": THREE}, held={RED: "Fr4 Ba2 Ba3"}, players=4)
    order = rules().suggest(rules().view(state, YELLOW), Dice(b"bot", 1), "greedy")
    assert order == {
        "take": ["Fr1"],
        "also": ["Ba1"],
        "use": ["three_symbols", "different_colours", "return_claiming_stone"],
        "claim": ["Ba1", "Fr2"],
    }


def test_the_random_bot_tries_everything() -> None:
    state = position(
        "Fr1 Ba1 Fr2 Sa1",
        laws={"Fr1": THREE},
        stones={"Sa1": YELLOW},
        own_laws={YELLOW: [RETURN]},
        removed={YELLOW: 1},
    )
    view = rules().view(state, YELLOW)
    orders = [rules().suggest(view, Dice(b"bot", step), "random") for step in range(80)]
    fields = {name for order in orders if isinstance(order, dict) for name in order}
    assert fields == {"take", "also", "use", "claim", "from"}


def test_a_bot_that_can_take_nothing_skips_or_plays_the_law_card() -> None:
    for laws, expected in (([MINUS], {"skip"}), ([RETURN], {"skip", "take"})):
        stuck = position("Fr1", stones={"Fr1": RED}, removed={YELLOW: 3}, own_laws={YELLOW: laws})
        view = rules().view(stuck, YELLOW)
        orders = [rules().suggest(view, Dice(b"bot", step), "random") for step in range(20)]
        assert {next(iter(order)) for order in orders if isinstance(order, dict)} == expected
        assert rules().hold(view) == {"skip": True}


def test_a_silent_seat_takes_one_card_and_pays_only_if_it_must() -> None:
    state = position("Fr1 Ba1 Fr2", held={GREEN: "Fr3 Fr4"}, stones={"Fr1": RED}, players=4)
    assert rules().hold(rules().view(state, YELLOW)) == {"take": ["Fr2"]}
    poor = position("Fr1 Ba1 Sa1", stones={"Fr1": RED, "Sa1": GREEN, "Ba1": YELLOW}, removed={YELLOW: 2})
    held = rules().hold(rules().view(poor, YELLOW))
    assert held in ({"take": ["Fr1"]}, {"take": ["Sa1"]})
    assert rules().hold(rules().view(state, RED)) is None
