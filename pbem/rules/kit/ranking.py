"""Points by rank, as both games of the Web of Power family give them."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.events import Seat


def score_by_rank(most: int, held: Mapping[Seat, int]) -> dict[Seat, int]:
    """Return the points of each seat for what it holds of something.

    The seats with the most earn `most`; those of each rank below earn what one seat of the rank above holds.
    Seats that hold the same share their rank and its points; who holds nothing earns nothing.

    Args:
        most: Points of the first rank, >= 0.
        held: What each seat holds, >= 0.

    Returns:
        Points (whole, >= 0) for every seat of `held`.

    Source: board game rules, "Scoring the cloisters"; card game rules, "Land cards". With two first at 2 and
    one behind at 1, the one earns 2.
    """
    ranks = sorted({count for count in held.values() if count > 0}, reverse=True)
    worth = dict(zip(ranks, (most, *ranks), strict=False))
    return {seat: worth.get(count, 0) for seat, count in held.items()}
