"""Who wins Game of Powers by place in turn order, with and without points to begin with.

`python -m tests.benchmarks.placed` plays 120 games of greedy bots for each number of players, and each way,
and some against random ones; it prints the tables of the guide.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from statistics import fmean
from typing import Final

from pbem.play.config import registry
from pbem.play.turn.simulate import Statistics, simulate

GAMES: Final = 120
RULES: Final = "game-of-powers"
SEATS: Final = range(2, 6)


def count(seats: int, games: int, *, start_points: bool, skills: tuple[str, ...] = ("greedy",)) -> Statistics:
    """Return what came out of games of bots, whose skills are dealt to the seats in turn."""
    found = registry.find_rules(RULES)
    assert found.system is not None, "the rules are shipped"
    options = found.options({"start_points": start_points})
    names = found.system.seat_names(seats)
    rules = found.load(found.shipped_data())
    return simulate(rules, names, options, skills, games, "places", lambda done: None, found.system.tally)


def row(seats: int, games: int, *, start_points: bool) -> str:
    """Return a row of the table: players, the option, games won by place, what is even, the spread."""
    places = count(seats, games, start_points=start_points).places()
    wins = ", ".join(str(one.wins) for one in places)
    way = str(start_points).lower()
    return f"| {seats} | {way} | {wins} | {places[0].even:.0f}, give or take {places[0].spread:.0f} |"


def rows(games: int = GAMES) -> Iterator[str]:
    """Yield the table's rows."""
    yield "| players | `start_points` | games won by the first, the second and so on | even would be |"
    yield "|---|---|---|---|"
    for seats in SEATS:
        yield from (row(seats, games, start_points=way) for way in (False, True))


def rows_by_players(games: int = GAMES) -> Iterator[str]:
    """Yield a table of what differs with the number of players, in games of greedy bots."""
    yield "| players | turns of each | mean points | of winners: cards | tasks | bonus | trades made |"
    yield "|---|---|---|---|---|---|---|"
    for seats in SEATS:
        found = count(seats, games, start_points=False)
        won, trades = found.tables["winners' points"], found.tables["trades"]
        parts = " | ".join(f"{100 * won[name] / won.total():.0f}%" for name in ("cards", "tasks", "bonus"))
        mean = fmean(points for each in found.scores.values() for points in each)
        turns = fmean(found.lengths) / seats
        made = f"{trades['made']} of {trades['offered']} offered"
        yield f"| {seats} | {turns:.0f} | {mean:.0f} | {parts} | {made} |"


def rows_of_habits(games: int = 60) -> Iterator[str]:
    """Yield a table of how often greedy bots win where every second seat plays at random."""
    yield "| players | games | won by a greedy bot alone or with others |"
    yield "|---|---|---|"
    for seats in SEATS:
        found = count(seats, games, start_points=False, skills=("greedy", "random"))
        yield f"| {seats} | {games} | {games - found.wins_by_skill['random']} |"


def main() -> None:
    """Print the table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    for line in (*rows(games), *rows_by_players(games), *rows_of_habits(min(games, 60))):
        print(line, flush=True)


if __name__ == "__main__":
    main()
