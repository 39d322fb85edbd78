"""Conditions of orders: each against what its sentence says, counted on the board itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

from pbem.core.events import Seat
from pbem.core.statements import is_met
from pbem.rules.rose_king.state import SEATS, Square, State, opponent
from tests.rules.drawn import draw

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


def test_each_condition_is_what_its_sentence_says() -> None:
    rules, seen = rose_king(), Counter[tuple[str, bool]]()
    assert PLAIN.keys() == rules.wording.predicates.keys()
    for step, (state, _) in enumerate(playout("conditions", MIXED)):
        dice = Random(step)
        for name, predicate in rules.wording.predicates.items():
            for me in SEATS:
                drawn = draw(predicate, dice, me, SEATS)
                found = is_met(rules, {name: drawn.written}, rules.view(state, me), me)
                says = PLAIN[name]

                assert found is drawn.is_so(lambda told: says(state, me, told)), (name, drawn, me)  # noqa: B023
                seen[name, found] += 1
    for is_so in (True, False):
        assert {name for name, one in seen if one is is_so} == PLAIN.keys()
