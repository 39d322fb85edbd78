"""Conditions of orders: each against what its sentence says, counted on the board itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.predicates import Predicate
from pbem.rules.rose_king.state import SEATS, Square, State, opponent
from tests.rules.drawn import compare, draw

from .table import MIXED, playout, rose_king

Told = Mapping[str, str]


def territories(state: State, seat: Seat) -> list[int]:
    """Return the size of each territory of a seat, walked from square to square."""
    near, left, sizes = rose_king().facts.near, {s for s, one in state.tokens.items() if one == seat}, []
    while left:
        waiting, size = [left.pop()], 0
        while waiting:
            joined = left & set(near[waiting.pop()])
            left, size = left - joined, size + 1
            waiting += joined
        sizes.append(size)
    return sizes


def points(state: State, seat: Seat) -> int:
    return sum(size * size for size in territories(state, seat))


def largest(state: State, seat: Seat) -> int:
    return max(territories(state, seat), default=0)


PLAIN: dict[str, Callable[[State, Seat, Told], bool | int]] = {
    "crown": lambda state, me, told: state.crown == told["square"],
    "square_free": lambda state, me, told: told["square"] not in state.tokens,
    "token": lambda state, me, told: state.tokens.get(Square(told["square"])) == told["player"],
    "has_card": lambda state, me, told: told["card"] in state.players[Seat(told["player"])].hand,
    "lost_token": lambda state, me, told: state.players[opponent(me)].turned,
    "heroes": lambda state, me, told: state.players[Seat(told["player"])].heroes,
    "ahead_of": lambda state, me, told: points(state, me) - points(state, Seat(told["player"])),
    "points": lambda state, me, told: points(state, Seat(told["player"])),
    "territory": lambda state, me, told: largest(state, Seat(told["player"])),
    "pile": lambda state, me, told: len(state.pile),
}
"""Whether a condition holds, or the number that it counts, from its sentence alone."""


@pytest.mark.parametrize("draws", [1, pytest.param(20, marks=pytest.mark.worlds)])
def test_each_condition_is_what_its_sentence_says(draws: int) -> None:
    rules, seen = rose_king(), Counter[tuple[str, bool]]()
    assert PLAIN.keys() == rules.wording.predicates.keys()
    for step, (state, _) in enumerate(playout("conditions", MIXED)):
        dice = Random(step)
        for me in SEATS:
            seen += _compared(state, me, dice, draws)
    assert (
        {name for name, is_so in seen if is_so} == {name for name, is_so in seen if not is_so} == PLAIN.keys()
    )
    assert draws == 1 or seen.total() >= 20_000


def _compared(state: State, me: Seat, dice: Random, draws: int) -> Counter[tuple[str, bool]]:
    def drawn(name: str, predicate: Predicate) -> tuple[Json, bool]:
        one = draw(predicate, dice, me, SEATS)
        return one.written, one.is_so(lambda told: PLAIN[name](state, me, told))

    return compare(rose_king(), rose_king().view(state, me), me, drawn, dice, draws)
