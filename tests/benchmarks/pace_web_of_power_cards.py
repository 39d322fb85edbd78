"""How many runs a game of the card game takes when everybody writes ahead, and what that costs in wins.

Run `python -m tests.benchmarks.pace_web_of_power_cards [GAMES]`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Collection
from dataclasses import dataclass

from pbem.core.book import Line, Orders
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Outcome
from pbem.core.turn import Policy, Position, advance
from pbem.play.templates import subject
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.state import State
from pbem.rules.web_of_power_cards.view import View

SEATS = 3


@dataclass(frozen=True, slots=True)
class Pace:
    """What one game took: runs of the host and steps, and who won."""

    runs: int
    steps: int
    winners: Collection[Seat]


def orders_of(rules: WebOfPowerCards, view: View, asks: int, dice: Dice) -> Orders:
    """Return what a player writes who knows its view only: an order for now, and the lines of the plan."""
    lines, now = list[Line](), None
    if view.is_asked():
        do = rules.suggest(view, dice, "greedy")
        now = rules.read(do)
        lines.append(Line(1, None, {}, False, do))
    if asks:
        found = rules.plan(view, now, asks)
        lines += [
            Line(number, one.at, one.when, one.keep, one.do)
            for number, one in enumerate(found.lines, len(lines) + 1)
        ]
        return Orders(tuple(lines), stop_if=found.stop_if, fresh=True)
    return Orders(tuple(lines), fresh=True)


def play(seed: str, asks: int, planners: Collection[int] = range(SEATS), most: int = 1000) -> Pace:
    """Play one game; all write after each report.

    Args:
        seed: The seed.
        asks: For how many of its next asks a planner writes lines.
        planners: The places at the table of those who write ahead; the others answer when they are asked.
        most: Stop after so many steps.
    """
    found = subject("web-of-power-cards", SEATS)
    rules = found.rules
    assert isinstance(rules, WebOfPowerCards), "these are the rules of the card game"
    key = hashlib.sha256(seed.encode()).digest()
    game = rules.setup(found.seats, found.options, {seat: {} for seat in found.seats}, Dice(key, 0))
    position: Position[State] = Position(game)
    runs = 0
    while True:
        ask: Ask | Outcome = rules.ask(position.game)
        if isinstance(ask, Outcome):
            return Pace(runs, position.steps, ask.winners)
        if position.steps >= most:
            return Pace(runs, position.steps, ())
        orders = {
            seat: orders_of(
                rules,
                rules.view(position.game, seat),
                asks if place in planners else 0,
                Dice(key, position.steps).apart("bot", seat),
            )
            for place, seat in enumerate(found.seats)
        }
        ran = advance(rules, found.seats, position, orders, key, Policy())
        assert ran.steps, "somebody plays"
        position, runs = ran.position, runs + 1


def report(games: int) -> None:
    """Print the pace with lines for one, two and three asks, and how often a planner wins."""
    for asks in (1, 2, 3):
        paces = [play(f"pace {number}", asks) for number in range(games)]
        runs, steps = sum(one.runs for one in paces), sum(one.steps for one in paces)
        print(f"asks={asks}: {runs} runs, {steps} steps, {runs / steps:.2f} runs a step", flush=True)
    seats, wins = subject("web-of-power-cards", SEATS).seats, 0.0
    for number in range(games):
        for place, seat in enumerate(seats):
            one = play(f"wins {number}", 1, (place,))
            wins += (seat in one.winners) / max(len(one.winners), 1)
    chance = (games * SEATS * (1 / SEATS) * (1 - 1 / SEATS)) ** 0.5
    print(f"a planner among two who are asked live wins {wins:.1f} of {games * SEATS} games")
    print(f"as often as they: {games}, give or take {chance:.1f}")


if __name__ == "__main__":
    report(int(sys.argv[1]) if sys.argv[1:] else 40)
