"""What the conditions of The Rose King say, counted on the board itself."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.events import Seat
from pbem.rules.rose_king.state import Square, State, opponent
from tests.rules.drawn import Truths

from .table import MIXED, playout, rose_king


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


TRUTHS: Truths[State] = {
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


def positions() -> Iterator[State]:
    """Yield every position of a game."""
    yield from (state for state, _ in playout("conditions", MIXED))
