"""Conditions in the words of the game say what their sentences say, in positions of played games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.predicates import ME, Predicate
from pbem.core.wording import wording_of
from pbem.rules.web_of_intrigue.deduction import fit_together, open_houses
from pbem.rules.web_of_intrigue.scoring import find_outcome
from pbem.rules.web_of_intrigue.sight import budget
from pbem.rules.web_of_intrigue.state import HouseId, State, TileId
from tests.rules.drawn import compare

from .table import all_play, playout, woi

SEATS = 5
Said = Mapping[str, Any]


def seen(state: State, seat: Seat) -> dict[TileId, int]:
    """Return how far each tile is that a seat sees, by the board alone."""
    player, grid = state.players[seat], woi().facts.grid
    hidden = {square for one in state.players.values() for square in one.shrouds} - {*player.shrouds}
    return {
        tile: far
        for square, tile in state.web.items()
        if (far := grid.distance(player.square, square)) <= player.reach and square not in hidden
    }


def roll(state: State, seat: Seat, name: TileId) -> int:
    """Return the roll that a bid needs, by the rules' text."""
    facts, player = woi().facts, state.players[seat]
    thing, far = facts.objects[name], seen(state, seat)[name]
    near = facts.numbers.near
    added = facts.houses[player.house].modifiers[thing.category]
    added += near[far] if far < len(near) else near[-1] + (far + 1 - len(near)) * facts.numbers.each_further
    added += facts.numbers.rival if state.owners.get(name, seat) != seat else 0
    added += sum(facts.gains[name].get(held, 0) for held, owner in state.owners.items() if owner == seat)
    return thing.difficulty - added


def fits(found: int, said: Said) -> bool:
    """Tell whether a number is what is said of it."""
    return bool(said.get("at_least", found) <= found <= said.get("at_most", found))


def houses(state: State, seat: Seat, other: str) -> list[HouseId]:
    """Return the Houses that another may have by all that a seat knows."""
    return [*fit_together(open_houses(woi().facts, state, seat, by_bids=True))[Seat(other)]]


def who(said: Said, seat: Seat) -> str:
    """Return the player that is meant."""
    return seat if said["player"] == ME else str(said["player"])


TRUTHS: Mapping[str, Callable[[State, Seat, Said], bool]] = {
    "controls": lambda state, seat, said: state.owners.get(said["object"]) == who(said, seat),
    "another_controls": lambda state, seat, said: state.owners.get(said["object"], seat) != seat,
    "nobody_controls": lambda state, seat, said: said["object"] not in state.owners,
    "in_sight": lambda state, seat, said: said["tile"] in seen(state, seat),
    "roll_needed": lambda state, seat, said: (
        said["object"] in seen(state, seat) and fits(roll(state, seat, said["object"]), said)
    ),
    "i_stand_on": lambda state, seat, said: state.players[seat].square == said["square"],
    "action_points": lambda state, seat, said: fits(budget(woi().facts, state, seat), said),
    "may_be": lambda state, seat, said: said["house"] in houses(state, seat, said["player"]),
    "must_be": lambda state, seat, said: houses(state, seat, said["player"]) == [said["house"]],
    "object_points": lambda state, seat, said: fits(state.players[Seat(who(said, seat))].objects, said),
    "my_points": lambda state, seat, said: fits(state.players[seat].total, said),
    "turn": lambda state, seat, said: fits(state.turn, said),
}
MOST = {"roll_needed": 8, "action_points": 24, "turn": 12}


def drawn(predicate: Predicate, dice: random.Random) -> dict[str, Any]:
    """Return arguments for a predicate, of players of the game."""
    seats = {str(number) for number in range(1, SEATS + 1)}
    said: dict[str, Any] = {}
    for one in predicate.arguments:
        values = [name for name in one.values if one.name != "player" or name in {ME, *seats}]
        said[one.name] = dice.choice(values)
    if predicate.number is not None:
        least = max(predicate.number.least or 0, 0)
        bound = dice.choice(("at_least", "at_most"))
        said[bound] = dice.randint(least + 1, MOST.get(predicate.name, 60))
    return said


@pytest.mark.parametrize("draws", [20, pytest.param(120, marks=pytest.mark.worlds)])
def test_each_condition_holds_where_its_sentence_is_true(draws: int) -> None:
    dice, found = random.Random("said"), Counter[tuple[str, bool]]()
    assert set(wording_of(woi()).predicates) == set(TRUTHS)
    for state, _, _ in islice(playout("said", all_play("greedy", SEATS)), 12):
        if find_outcome(state) is not None:
            break
        for seat in state.players:
            found += _compared(state, seat, dice, draws)
    assert found.keys() == {(name, is_so) for name in TRUTHS for is_so in (True, False)}
    assert draws == 20 or found.total() >= 20_000


def _compared(state: State, seat: Seat, dice: random.Random, draws: int) -> Counter[tuple[str, bool]]:
    def said(name: str, predicate: Predicate) -> tuple[Json, bool]:
        one = drawn(predicate, dice)
        return one, bool(TRUTHS[name](state, seat, one))

    return compare(woi(), woi().view(state, seat), seat, said, dice, draws)
