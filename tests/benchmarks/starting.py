"""Who gains by where the second half of Web of Power begins: wins and turns by place at the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from pbem.core.interface import Outcome
from tests.rules.web_of_power.table import playout

SEATS: Final = 3


@dataclass
class Count:
    """What came of games.

    Attributes:
        wins: By place at the table, from the start player on; a shared victory counts for each.
        uneven: In how many some seat had more turns than another.
        behind: In how many of those no other seat had fewer than the start player.
    """

    wins: Counter[int] = field(default_factory=Counter)
    uneven: int = 0
    behind: int = 0


def count(games: int, *, next_in_turn: bool) -> Count:
    """Return what came of so many games of three greedy bots, Yellow beginning."""
    found = Count()
    for number in range(games):
        turns: Counter[int] = Counter()
        for state, outcome, _ in playout(f"start {number}", ("greedy",), SEATS, next_in_turn=next_in_turn):
            if not isinstance(outcome, Outcome):
                turns[state.seats.index(state.to_move)] += 1
        assert isinstance(outcome, Outcome)
        found.wins.update(state.seats.index(seat) for seat in outcome.winners)
        each = [turns[place] for place in range(SEATS)]
        found.uneven += len(set(each)) > 1
        found.behind += each[0] == min(each) < max(each)
    return found
