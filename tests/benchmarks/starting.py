"""Who gains by where the second half of Web of Power begins: wins and turns by place at the table.

`python -m tests.benchmarks.starting` plays 150 games of three greedy bots with each reading, and prints both.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pbem.core.interface import Outcome
from tests.rules.web_of_power.table import playout

GAMES: Final = 150
SEATS: Final = 3


@dataclass
class Count:
    """What came of games.

    Attributes:
        games: How many were played.
        wins: By place at the table, from the start player on; a shared victory counts for each.
        uneven: In how many some seat had more turns than another.
        behind: In how many of those no other seat had fewer than the start player.
        turns: All turns by place.
    """

    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    uneven: int = 0
    behind: int = 0
    turns: Counter[int] = field(default_factory=Counter)


def count(games: int, *, next_in_turn: bool) -> Count:
    """Return what came of so many games of three greedy bots, Yellow beginning."""
    found = Count()
    for number in range(games):
        turns: Counter[int] = Counter()
        for state, outcome, _ in playout(f"start {number}", ("greedy",), SEATS, next_in_turn=next_in_turn):
            if not isinstance(outcome, Outcome):
                turns[state.seats.index(state.to_move)] += 1
        assert isinstance(outcome, Outcome)
        found.games += 1
        found.wins.update(state.seats.index(seat) for seat in outcome.winners)
        found.turns.update(turns)
        each = [turns[place] for place in range(SEATS)]
        found.uneven += len(set(each)) > 1
        found.behind += each[0] == min(each) < max(each)
    return found


def rows(games: int = GAMES) -> Iterator[str]:
    """Yield the table of the guide: who won, and in how many games turns were uneven, with each reading."""
    heads = "won by the start player | by the left neighbour | by the right neighbour"
    yield f"| `next_in_turn` | games | {heads} | games with uneven turns |"
    yield "|---|---|---|---|---|---|"
    for next_in_turn in (False, True):
        found = count(games, next_in_turn=next_in_turn)
        wins = " | ".join(str(found.wins[place]) for place in range(SEATS))
        yield f"| {str(next_in_turn).lower()} | {games} | {wins} | {found.uneven} |"


def main() -> None:
    """Print the table."""
    for line in rows(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES):
        print(line, flush=True)


if __name__ == "__main__":
    main()
