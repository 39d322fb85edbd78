"""Nobody learns from a board what must be hidden: other worlds look the same, planted words do not show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.opening import Opened
from tests.pictures import Scene, readers, scenes

CANARY = "canary"
WORLDS = 3
POSITIONS = [("early", 0), ("middle", 1)]

Planted = Iterator[tuple[str, Any]]
"""States with a word in the place of something hidden, and what that was."""


def state_of(scene: Scene) -> Any:
    """Return the state of a position."""
    game = scene.run.position.game
    assert game is not None
    return game.state


def with_state(scene: Scene, state: Any) -> Scene:
    """Return a position with another state, and nothing that happened before it."""
    game = scene.run.position.game
    assert isinstance(game, Opened)
    position = replace(scene.run.position, game=replace(game, state=state))
    return replace(scene, run=replace(scene.run, position=position, events=()))


def plant_in_power(state: Any, reader: Seat | None) -> Planted:
    """Name the cards of the pile and of other hands anew."""
    yield "pile", replace(state, pile=(CANARY,) * len(state.pile))
    hands = {
        seat: one if seat == reader else replace(one, hand=(CANARY,) * len(one.hand), known=())
        for seat, one in state.players.items()
    }
    yield "hands", replace(state, players=hands)


def plant_in_cards(state: Any, reader: Seat | None) -> Planted:
    """Name the law cards anew that lie face down, on land cards or before others."""
    yield "laws on cards", replace(state, laws=dict.fromkeys(state.laws, CANARY))
    held = {
        seat: one if seat == reader else replace(one, laws=(CANARY,) * len(one.laws))
        for seat, one in state.players.items()
    }
    yield "laws held", replace(state, players=held)


def plant_in_powers(state: Any, reader: Seat | None) -> Planted:
    """Name the cards of the pile anew, and those in other hands that nobody has seen."""
    yield "pile", replace(state, pile=(CANARY,) * len(state.pile))
    hands = {
        seat: one
        if seat == reader
        else replace(one, hand=(CANARY,) * (len(one.hand) - len(one.open)) + one.open, shown={})
        for seat, one in state.players.items()
    }
    yield "hands", replace(state, players=hands)


PLANTED = {
    "web-of-power": plant_in_power,
    "web-of-power-cards": plant_in_cards,
    "game-of-powers": plant_in_powers,
}


@pytest.mark.parametrize("rules", PLANTED)
@pytest.mark.parametrize(("place", "seed"), POSITIONS)
def test_a_board_is_the_same_in_any_world_that_its_reader_cannot_tell_apart(
    rules: str, place: str, seed: int
) -> None:
    scene = scenes(rules)[place]
    state, others = state_of(scene), set()
    for seat in readers(scene):
        here = with_state(scene, state).pictures(seat)
        for number in range(WORLDS):
            dice = Dice(bytes(32), seed).apart("world", str(number))
            other = scene.opening.rules.redeal(state, seat, dice)
            others.add(str(other))
            assert with_state(scene, other).pictures(seat) == here, seat
    assert others - {str(state)}, "the worlds do not differ"


@pytest.mark.parametrize("rules", PLANTED)
def test_no_word_that_stands_for_something_hidden_shows_on_a_board(rules: str) -> None:
    scene = scenes(rules)["middle"]
    for seat in readers(scene):
        for what, state in PLANTED[rules](state_of(scene), seat):
            assert CANARY in str(state), what
            board = with_state(scene, state).pictures(seat)["board"]
            assert CANARY not in board, f"{seat}: {what}"
