"""Conditions of orders: each against what its sentence says, counted on the board itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.core.predicates import read_statement
from pbem.core.statements import Flaw, Reader, is_met
from pbem.rules.rose_king.state import SEATS, Square, State, opponent

from .table import MIXED, playout, rose_king

Told = Mapping[str, str]


def seat_of(told: Told, me: Seat) -> Seat:
    return me if told["player"] == "me" else Seat(told["player"])


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


PLAIN: dict[str, Callable[[State, Seat, Told, int], bool]] = {
    "crown": lambda state, me, told, n: state.crown == told["square"],
    "square_free": lambda state, me, told, n: told["square"] not in state.tokens,
    "token": lambda state, me, told, n: state.tokens.get(Square(told["square"])) == seat_of(told, me),
    "has_card": lambda state, me, told, n: told["card"] in state.players[seat_of(told, me)].hand,
    "lost_token": lambda state, me, told, n: state.players[opponent(me)].turned,
    "heroes": lambda state, me, told, n: state.players[seat_of(told, me)].heroes >= n,
    "ahead_of": lambda state, me, told, n: points(state, me) - points(state, Seat(told["player"])) >= n,
    "points": lambda state, me, told, n: points(state, seat_of(told, me)) >= n,
    "territory": lambda state, me, told, n: largest(state, seat_of(told, me)) >= n,
    "pile": lambda state, me, told, n: len(state.pile) >= n,
}
"""Whether a condition holds, from its sentence alone; a number is at least so great."""


def test_each_condition_is_what_its_sentence_says() -> None:
    rules, seen = rose_king(), Counter[tuple[str, bool]]()
    assert PLAIN.keys() == rules.wording.predicates.keys()
    for step, (state, _) in enumerate(playout("conditions", MIXED)):
        dice = Dice(b"conditions", step)
        for name, predicate in rules.wording.predicates.items():
            for me in SEATS:
                drawn = dice.apart(name, me)
                told = {one.name: drawn.pick([*one.values], one.name) for one in predicate.arguments}
                number = drawn.pick((1, 1, 2, 4, 9), "number") if predicate.number else 0
                number = min(number, predicate.number.most or number) if predicate.number else 0
                written: dict[str, Json] = {**told, **({"at_least": number} if number else {})}
                condition: dict[str, Json] = {name: written if written else True}
                found = is_met(rules, condition, rules.view(state, me), me)

                assert found is PLAIN[name](state, me, told, number), (name, written, me)
                seen[name, found] += 1
    assert (
        {name for name, is_so in seen if is_so} == PLAIN.keys() == {name for name, is_so in seen if not is_so}
    )


def test_conditions_for_forms_have_no_flaw() -> None:
    rules = rose_king()
    for state, _ in playout("forms", MIXED):
        for seat in SEATS:
            view = rules.view(state, seat)
            reader = Reader(rules.wording, view, rules.horizon_in(view), seat, {})
            for condition in rules.conditions(view):
                flaws = [one for one in reader.read(condition) if isinstance(one, Flaw)]
                assert all(one.kind == "always" for one in flaws), (condition, flaws)
                for name, written in condition.items():
                    assert read_statement(rules.wording.predicates[name], written)
