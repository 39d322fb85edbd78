"""How many runs a game takes when everybody writes ahead with the ready lines, and what that costs in wins.

Run `python -m tests.benchmarks.pace [RULES ...] [--games N]`. A player knows its view only: after each report
it sends what the greedy bot orders now, if it is asked, and the lines of the plan, asked or not.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pbem.core.book import Line, Orders
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.foresight import plan_of
from pbem.core.interface import Outcome
from pbem.core.turn import Policy, Position, advance
from pbem.play.config.templates import subject

SEATS: Final[Mapping[str, int]] = {
    "rose-king": 2,
    "web-of-power": 3,
    "web-of-power-cards": 3,
    "game-of-powers": 3,
}
"""The sequential games, and how many play."""

AHEAD: Final[Mapping[str, int]] = {name: 2 if seats == 2 else 1 for name, seats in SEATS.items()}
"""For how many of its own asks a player writes, as forms show it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What one game took.

    Attributes:
        runs: How often the host ran it: each time somebody had to be waited for.
        steps: How many asks were answered.
        winners: Who won; nobody if it was not played to its end.
        lines: The lines that were written for later.
    """

    runs: int
    steps: int
    winners: Collection[Seat]
    lines: int


def orders_of(rules: Any, view: Any, is_asked: bool, asks: int, dice: Dice) -> Orders:
    """Return what a player writes: an order for now, and the lines of the plan."""
    lines, now = list[Line](), None
    if is_asked:
        do = rules.suggest(view, dice, "greedy")
        now = rules.read(do)
        lines.append(Line(1, None, {}, False, do))
    found = plan_of(rules, view, now, asks) if asks else None
    for number, one in enumerate(found.lines if found else (), len(lines) + 1):
        lines.append(Line(number, one.at, one.when, one.keep, one.do))
    return Orders(tuple(lines), fresh=True)


def play(name: str, seed: str, asks: int, planners: Collection[int] | None = None, most: int = 1000) -> Pace:
    """Play one game; all write after each report.

    Args:
        name: The rules.
        seed: The seed.
        asks: For how many of its next asks a planner writes lines.
        planners: The places at the table of those who write ahead, None for all; the others answer live.
        most: Stop after so many steps.
    """
    found = subject(name, SEATS[name])
    rules: Any = found.rules
    key = hashlib.sha256(seed.encode()).digest()
    game = rules.setup(found.seats, found.options, {seat: {} for seat in found.seats}, Dice(key, 0))
    position: Position[Any] = Position(game)
    runs = lines = 0
    while not isinstance(ask := rules.ask(position.game), Outcome) and position.steps < most:
        orders = {
            seat: orders_of(
                rules,
                rules.view(position.game, seat),
                seat in ask.seats | ask.optional,
                asks if planners is None or place in planners else 0,
                Dice(key, position.steps).apart("bot", seat),
            )
            for place, seat in enumerate(found.seats)
        }
        ran = advance(rules, found.seats, position, orders, key, Policy())
        assert ran.steps, "somebody plays"
        position, runs = ran.position, runs + 1
        lines += sum(len(one.lines) for one in orders.values()) - len(ask.seats)
    return Pace(runs, position.steps, ask.winners if isinstance(ask, Outcome) else (), lines)


def wins(name: str, games: int) -> Iterator[tuple[float, float]]:
    """Yield for each game and each place what a planner among live players wins, and what is even."""
    seats = subject(name, SEATS[name]).seats
    for number in range(-(-games // len(seats))):
        for place, seat in enumerate(seats):
            one = play(name, f"wins {number}", AHEAD[name], (place,))
            yield (seat in one.winners) / max(len(one.winners), 1), 1 / len(seats)


def report(name: str, games: int) -> None:
    """Print the pace with lines for one, two and three asks, and how often a planner wins."""
    for asks in (1, 2, 3):
        paces = [play(name, f"pace {number}", asks) for number in range(games)]
        runs, steps = sum(one.runs for one in paces), sum(one.steps for one in paces)
        each = sum(one.lines for one in paces) / runs / SEATS[name]
        told = f"{runs / steps:.3f} runs a step ({runs} of {steps}); {each:.1f} lines a form"
        print(f"{name}, {asks} ahead: {told}", flush=True)
    found = [*wins(name, 3 * games)]
    even, chance = sum(one for _, one in found), sum(one * (1 - one) for _, one in found) ** 0.5
    won = f"{sum(one for one, _ in found):.1f} of {len(found)} games won"
    told = f"{won}; even is {even:.0f}, give or take {chance:.1f}"
    print(f"{name}, {AHEAD[name]} ahead against live players: {told}", flush=True)


def main() -> None:
    """Print the pace of the sequential games."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("rules", nargs="*", default=[*SEATS])
    asked.add_argument("--games", type=int, default=40)
    chosen = asked.parse_args()
    for name in chosen.rules:
        report(name, chosen.games)


if __name__ == "__main__":
    main()
