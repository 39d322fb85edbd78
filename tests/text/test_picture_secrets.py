"""Nobody learns from a board what must be hidden: other worlds look the same, planted words do not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pbem.contract.playing import play
from pbem.contract.subject import Checked
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.opening import DealtGame
from pbem.rules.web_of_intrigue.course import look
from pbem.rules.web_of_intrigue.state import Guess, HouseId, Sighting, Spotting, Square, TileId
from tests.contract.leaky import Leaky
from tests.pictures import Scene, readers, scenes
from tests.subjects import subject

CANARY = "canary"
WORLDS = 3
POSITIONS = [("early", 0), ("middle", 1)]

Planted = Iterator[tuple[str, Any]]
"""States with a word in the place of something hidden, and what that was."""


def state_of(scene: Scene) -> Any:
    """Return the state of a position."""
    game = scene.run.position.game
    assert isinstance(game, DealtGame)
    return game.state


def with_state(scene: Scene, state: Any) -> Scene:
    """Return a position with another state, and nothing that happened before it."""
    game = scene.run.position.game
    assert isinstance(game, DealtGame)
    position = scene.run.position._replace(game=replace(game, state=state))
    return replace(scene, run=scene.run._replace(position=position, events=()))


def with_others(state: Any, reader: Seat | None, change: Callable[[Any], Any]) -> Any:
    """Return a state in which all players but its reader are changed."""
    return replace(
        state,
        players={seat: one if seat == reader else change(one) for seat, one in state.players.items()},
    )


def plant_in_rose(state: Any, reader: Seat | None) -> Planted:
    """Name the cards of the draw pile anew."""
    yield "pile", replace(state, pile=(CANARY,) * len(state.pile))


def plant_in_web(state: Any, reader: Seat | None) -> Planted:
    """Name anew what lies beyond the diamond, and what others are, remember, guessed and suggested."""
    rules: Any = subject("web-of-intrigue").rules
    seen = {} if reader is None else look(rules.facts.grid, state.web, state.players, reader)
    yield "web", replace(state, web={at: tile if at in seen else CANARY for at, tile in state.web.items()})
    hidden: dict[str, Any] = {
        "square": CANARY,
        "memory": {Square("a1"): Sighting(TileId(CANARY), 1)},
        "spotted": {Seat("1"): Spotting(Square(CANARY), 1)},
        "guesses": (Guess(1, Seat(CANARY), HouseId(CANARY), right=False, free=False),),
    }
    for name, planted in hidden.items():
        yield name, with_others(state, reader, partial(replace, **{name: planted}))


def plant_in_power(state: Any, reader: Seat | None) -> Planted:
    """Name the cards of the pile and of other hands anew."""
    yield "pile", replace(state, pile=(CANARY,) * len(state.pile))
    yield (
        "hands",
        with_others(state, reader, lambda one: replace(one, hand=(CANARY,) * len(one.hand), known=())),
    )


def plant_in_cards(state: Any, reader: Seat | None) -> Planted:
    """Name the law cards anew that lie face down, on land cards or before others."""
    yield "laws on cards", replace(state, laws=dict.fromkeys(state.laws, CANARY))
    yield "laws held", with_others(state, reader, lambda one: replace(one, laws=(CANARY,) * len(one.laws)))


def plant_in_powers(state: Any, reader: Seat | None) -> Planted:
    """Name the cards of the pile anew, and those in other hands that nobody has seen."""

    def hidden(one: Any) -> Any:
        return replace(one, hand=(CANARY,) * (len(one.hand) - len(one.open)) + one.open, shown={})

    yield "pile", replace(state, pile=(CANARY,) * len(state.pile))
    yield "hands", with_others(state, reader, hidden)


PLANTED = {
    "rose-king": plant_in_rose,
    "web-of-intrigue": plant_in_web,
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


def test_a_leak_planted_in_the_plots_is_found() -> None:
    """The spectator's numbers are in every report: what they give away, two worlds give away."""
    honest = subject("web-of-power", 3)
    leaky = replace(honest, plots={"Next card": count_leak}, rules=TellsTheSpectator(honest.rules))
    found = Checked()
    for _ in zip(range(12), play(leaky, "plots", "random", 2, found, None), strict=False):
        if any("the report of" in breach and "spectator" not in breach for breach in found.breaches):
            return
    pytest.fail(str(found))


def count_leak(view: Any) -> dict[str, int]:
    """Return how the first card of the pile is spelt, from a spectator's view that tells too much."""
    return {"leak": sum(view.closing.encode()) if isinstance(view.closing, str) else 0}


class TellsTheSpectator(Leaky[Any, Any, Any]):
    """Rules whose spectator sees the pile, though no seat does."""

    def see(self, view: Any, state: Any, seat: Seat | None) -> Any:
        """Return an honest view to seats."""
        return view if seat is not None else replace(view, closing=str(state.pile))
