"""What is counted: things of each kind, who is ahead, and points by rank."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from pbem.core.events import Seat

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def count_each(kinds: Iterable[K], things: Iterable[K]) -> dict[K, int]:
    """Return how many things there are of each kind, with every kind, in order; things are of these kinds."""
    found = dict.fromkeys(kinds, 0)
    for thing in things:
        found[thing] += 1
    return found


def without(things: Iterable[T], gone: Iterable[T]) -> tuple[T, ...]:
    """Return things less some others, each of which takes away the first that is like it, if there is any."""
    left = list(things)
    for one in gone:
        if one in left:
            left.remove(one)
    return tuple(left)


def add_up(parts: Iterable[Mapping[K, int]]) -> dict[K, int]:
    """Return what several tables have of each key together."""
    found: dict[K, int] = {}
    for part in parts:
        for one, number in part.items():
            found[one] = found.get(one, 0) + number
    return found


def find_ahead(
    seats: Iterable[Seat], *counts: tuple[str, Mapping[Seat, float]]
) -> tuple[tuple[Seat, ...], str]:
    """Return who has most by the first count, of those who has most by the next, and so on.

    Args:
        seats: The seats.
        counts: What is compared, each with its name.

    Returns:
        The seats that are ahead, and the name of the last count that left fewer of them; "" if none did.
    """
    ahead, decided_by = tuple(seats), ""
    for name, count in counts:
        most = max(count[seat] for seat in ahead)
        first = tuple(seat for seat in ahead if count[seat] == most)
        if len(first) < len(ahead):
            ahead, decided_by = first, name
    return ahead, decided_by


def score_by_rank(most: int, held: Mapping[K, int]) -> dict[K, int]:
    """Return the points of each seat for what it holds of something.

    The seats with the most earn `most`; those of each rank below earn what one seat of the rank above holds.
    Seats that hold the same share their rank and its points; who holds nothing earns nothing.

    Args:
        most: Points of the first rank, >= 0.
        held: What each seat holds, >= 0.

    Returns:
        Points (whole, >= 0) for every key of `held`: a seat, or its place.

    Source: board game rules, "Scoring the cloisters"; card game rules, "Land cards". With two first at 2 and
    one behind at 1, the one earns 2.
    """
    ranks = sorted({count for count in held.values() if count > 0}, reverse=True)
    worth = dict(zip(ranks, (most, *ranks), strict=False))
    return {one: worth.get(count, 0) for one, count in held.items()}
