"""Two sides timed in turn: the machine drifts from minute to minute, the ratio within a pair does not."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

T = TypeVar("T")
ROUNDS = 30


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    Attributes:
        name: What is compared.
        ours: Median of our side, in milliseconds unless the note says otherwise.
        theirs: Median of the other side.
        ratio: Median of the ratios of all pairs; what the bound is about.
        bound: The most that the ratio may be, or the least if `at_least`.
        at_least: The bound is a least.
        note: Bytes, files, rounds.
    """

    name: str
    ours: float
    theirs: float
    ratio: float
    bound: float
    at_least: bool = False
    note: str = ""

    @property
    def holds(self) -> bool:
        """Tell whether the bound is kept."""
        return self.ratio >= self.bound if self.at_least else self.ratio <= self.bound


def paired(
    name: str,
    ours: Callable[[], float],
    theirs: Callable[[], float],
    bound: float,
    *,
    rounds: int = ROUNDS,
    at_least: bool = False,
    note: str = "",
) -> Row:
    """Time both sides in turn, each first in every second round, after one round that does not count.

    Args:
        name: What is compared.
        ours: Does our side once and returns how long it took, in seconds.
        theirs: The other side.
        bound: The bound of the ratio ours : theirs, or theirs : ours if it is a least.
        rounds: How many pairs.
        at_least: The ratio is theirs : ours, so many times as fast at least.
        note: What stands beside the figures.
    """
    kept = in_turn(ours, theirs, rounds)
    ratio = median(other / own if at_least else own / other for own, other in kept)
    own, other = (median(pair[side] for pair in kept) * 1000 for side in (0, 1))
    return Row(name, own, other, ratio, bound, at_least, f"{note}{'; ' * bool(note)}{rounds} pairs")


def in_turn(ours: Callable[[], T], theirs: Callable[[], T], rounds: int) -> list[tuple[T, T]]:
    """Return what both sides come to, in pairs: each first in every second round, the first not counted."""
    pairs = []
    for number in range(rounds + 1):
        gc.collect()
        if number % 2:
            other, own = theirs(), ours()
        else:
            own, other = ours(), theirs()
        pairs.append((own, other))
    return pairs[1:]


def timed(work: Callable[[], object]) -> float:
    """Return how long something takes, in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
