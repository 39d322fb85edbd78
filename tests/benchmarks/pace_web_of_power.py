"""How many runs a game of Web of Power takes if all write the ready lines, and whether they win as often.

    .venv/bin/python -m tests.benchmarks.pace_web_of_power [GAMES]

Each player knows only its view. After each report it writes the greedy bot's order if it is asked, and the
lines of the plan, asked or not. In the second part one such player meets two that are asked at every turn.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection

from pbem.core.book import Line, Orders
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.foresight import Planned, plan_of
from pbem.core.interface import Ask, Label, Outcome
from pbem.core.opening import Opened, Opening
from pbem.core.turn import Policy, Position, advance
from pbem.play.templates import subject
from pbem.rules.web_of_power.state import State

Game = Position[Opened[State] | None]


class Paced:
    """A game, run by run, of players who plan and of players who are asked at each turn.

    Attributes:
        runs: How often the game was run.
        steps: The turns played.
        sources: What answered them.
        outcome: How it ended; None while it goes on.
    """

    def __init__(self, seed: str, asks: int, planners: Collection[Seat] | None = None) -> None:
        found = subject("web-of-power", 3)
        self.rules, self.seats, self.seed = found.rules, found.seats, seed.encode()
        self.opening = Opening(found.rules, found.seats, found.options)
        self.asks, self.planners = asks, found.seats if planners is None else planners
        self.runs, self.steps = 0, 0
        self.sources = Counter[str]()
        self.outcome: Outcome | None = None
        begun = Policy(bots=dict.fromkeys(self.seats, "greedy"), most_steps=1)
        start: Game = Position(None)
        self.position = advance(self.opening, self.seats, start, {}, self.seed, begun).position

    def play(self, most_steps: int = 1000) -> Paced:
        """Play to the end, or so many steps."""
        while self.outcome is None and self.steps < most_steps:
            orders = {seat: self._orders(seat) for seat in self.seats}
            ran = advance(self.opening, self.seats, self.position, orders, self.seed, Policy())
            assert ran.steps, "a player who is asked writes an order that is legal"
            self.runs += 1
            self.steps += len(ran.steps)
            self.position = ran.position
            if isinstance(ran.ask, Outcome):
                self.outcome = ran.ask
        return self

    def _orders(self, seat: Seat) -> Orders:
        ask = self.opening.ask(self.position.game)
        assert isinstance(ask, Ask), "the game goes on"
        view = self.opening.view(self.position.game, seat)
        lines, now = list[Planned](), None
        if seat in ask.seats:
            dice = Dice(self.seed, self.position.steps).apart("player", seat)
            order = self.opening.suggest(view, dice, "greedy")
            lines, now = [Planned(Label(ask.label), order, "")], self.opening.read(order)
        stop_if = {}
        if seat in self.planners and self._may_come(ask, seat):
            plan = plan_of(self.opening, view, now, self.asks)
            lines += plan.lines
            stop_if = dict(plan.stop_if)
        written = (
            Line(number, one.at, one.when, one.keep, one.do) for number, one in enumerate(lines, start=1)
        )
        return Orders(tuple(written), stop_if, fresh=True)

    def _may_come(self, ask: Ask, seat: Seat) -> bool:
        """Tell whether lines of a seat may be needed before it writes again; it writes after each report."""
        others = [one for one in self.seats if one in ask.seats]
        following = self.seats[(self.seats.index(others[0]) + 1) % len(self.seats)]
        return len(self.planners) > 1 or seat == following


def pace(asks: int, games: int) -> tuple[int, int]:
    """Return the runs and the steps of some games whose players all plan so many turns ahead."""
    played = [Paced(f"pace {number}", asks).play() for number in range(games)]
    return sum(one.runs for one in played), sum(one.steps for one in played)


def wins(asks: int, games: int) -> float:
    """Return how many games one player who plans wins against two asked live; a shared win is a part."""
    won = 0.0
    for number in range(games):
        seats = subject("web-of-power", 3).seats
        planner = seats[number % len(seats)]
        outcome = Paced(f"wins {number}", asks, {planner}).play().outcome
        assert outcome is not None, "the game is over"
        won += (planner in outcome.winners) / len(outcome.winners)
    return won


def main() -> None:
    """Print runs a step and wins, for one, two and three turns ahead."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for asks in (1, 2, 3):
        runs, steps = pace(asks, games)
        line = f"web-of-power, asks={asks}: {runs} runs for {steps} steps, {runs / steps:.3f} a step"
        print(f"{line}; wins {wins(asks, games):.1f} of {games}, {games / 3:.1f} expected", flush=True)


if __name__ == "__main__":
    main()
