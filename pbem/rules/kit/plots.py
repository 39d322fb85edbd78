"""Plots of what a spectator's view says of each player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.core.interface import Numbers, Plot


def of_players(count: Callable[[Any], int]) -> Plot:
    """Return a plot with a line for each seat, in seating order.

    Args:
        count: Counts in what the field `players` of a spectator's view holds for a seat.
    """

    def numbers(view: Any) -> Numbers:
        return {seat: count(side) for seat, side in view.players.items()}

    return numbers
