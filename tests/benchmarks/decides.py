"""What decides Web of Intrigue, by what a host chooses: `python -m tests.benchmarks.decides`.

60 games of twelve greedy bots for each choice; it prints the table of the guide.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.interface import Json
from pbem.play.config import registry
from pbem.play.turn.simulate import Statistics, simulate

GAMES: Final = 60
CHOICES: Final[tuple[dict[str, Json], ...]] = (
    {},
    {"guess_pays": "sixth"},
    {"guess_pays": "eighth"},
    {"guess_pays": "twelfth"},
    {"free_wrong_guesses": 1},
    {"sieve": "none"},
)


def count(games: int, choice: Mapping[str, Json]) -> Statistics:
    """Return what came out of games of greedy bots, with some options chosen."""
    found = registry.find_rules("web-of-intrigue")
    assert found.system is not None, "the rules are shipped"
    rules, seats = found.load(found.shipped_data()), found.system.seat_names(12)
    options, tally = found.options(choice), found.system.tally
    return simulate(rules, seats, options, ("greedy",), games, "decides", lambda done: None, tally)


def rows(games: int = GAMES) -> Iterator[str]:
    """Yield the table: how long games are, what the winners and all live on, who wins, who is known."""
    yield "| chosen | turns | won by the richest in objects | from guesses: winners | all | guesses alike |"
    yield "|---|---|---|---|---|---|"
    for choice in CHOICES:
        found = count(games, choice)
        named = ", ".join(f"`{name}: {value}`" for name, value in choice.items()) or "as shipped"
        richest = found.tables["winners' rank in objects"]["1"]
        won, all = (_guessed(found, name) for name in ("winners' points by source", "points by source"))
        alike = found.tables["guesses made alike"]
        same = alike["seats with the most common guess"] / alike["turns"]
        turns = sum(found.lengths) / games
        yield f"| {named} | {turns:.1f} | {richest} of {games} | {won} | {all} | {same:.1f} of 12 |"


def _guessed(found: Statistics, name: str) -> str:
    return f"{100 * found.tables[name]['guesses'] / found.tables[name].total():.0f}%"


def main() -> None:
    """Print the table."""
    for line in rows(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES):
        print(line, flush=True)


if __name__ == "__main__":
    main()
