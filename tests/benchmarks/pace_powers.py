"""Game of Powers played ahead: how many runs a step takes with the planner's lines, and what that costs."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from typing import Any

from pbem.core.book import Line, Orders
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Label, Outcome
from pbem.core.opening import Opening
from pbem.core.turn import Policy, Position, advance
from pbem.play.templates import subject


@dataclass(frozen=True, slots=True)
class Pace:
    """What came of a game.

    Attributes:
        runs: How many runs it took.
        steps: How many steps.
        winners: Who won; nobody if it was not played to its end.
    """

    runs: int
    steps: int
    winners: tuple[Seat, ...]


def lines(rules: Opening[Any, Any, Any], position: Position[Any], seat: Seat, asks: int) -> tuple[Line, ...]:
    """Return what a player writes after a report: the greedy order if it is asked, and lines for later."""
    ask, view = rules.ask(position.game), rules.view(position.game, seat)
    assert isinstance(ask, Ask)
    written: list[tuple[Label | None, dict[str, Json], bool, Json]] = []
    now: Json = None
    if seat in ask.seats:
        now = rules.suggest(view, Dice(b"own choice", position.steps).apart("bot", seat), "greedy")
        written.append((ask.label, {}, False, now))
    if asks:
        plan = rules.plan(view, rules.read(now) if now is not None else None, asks)
        written += [(one.at, dict(one.when), one.keep, one.do) for one in plan.lines]
    return tuple(
        Line(number, at, when, keep, do) for number, (at, when, keep, do) in enumerate(written[:200], 1)
    )


def play(seed: str, seats: int, asks: dict[Seat, int], most_steps: int = 10_000) -> Pace:
    """Play a game in which every seat knows its own view only and writes so many own turns ahead."""
    found = subject("game-of-powers", seats)
    rules: Opening[Any, Any, Any] = Opening(found.rules, found.seats, found.options)
    key = hashlib.sha256(seed.encode()).digest()
    luck = {
        seat: Orders((Line(1, Label("start"), {}, keep=False, do={"luck": seat}),), fresh=True)
        for seat in found.seats
    }
    start: Position[Any] = Position(None)
    run = advance(rules, found.seats, start, luck, key, Policy())
    runs = steps = 0
    while isinstance(run.ask, Ask) and steps < most_steps:
        orders = {
            seat: Orders(lines(rules, run.position, seat, asks[seat]), fresh=True) for seat in found.seats
        }
        run = advance(rules, found.seats, run.position, orders, key, Policy())
        assert run.steps, f"nobody goes on at {run.ask}"
        runs, steps = runs + 1, steps + len(run.steps)
    return Pace(runs, steps, run.ask.winners if isinstance(run.ask, Outcome) else ())


def pace(games: int, seats: int, asks: int) -> float:
    """Return how many runs a step takes if all write so many own turns ahead."""
    names = subject("game-of-powers", seats).seats
    found = [play(f"pace/{number}", seats, dict.fromkeys(names, asks)) for number in range(games)]
    return sum(one.runs for one in found) / sum(one.steps for one in found)


def wins(games: int, asks: int) -> tuple[float, int]:
    """Return the victories of a seat that writes ahead over one asked live; a shared one counts half."""
    first, second = subject("game-of-powers", 2).seats
    won = 0.0
    for number in range(games):
        ahead, live = (first, second) if number % 2 else (second, first)
        winners = play(f"wins/{number // 2}", 2, {ahead: asks, live: 0}).winners
        won += (ahead in winners) / len(winners)
    return won, games


def main() -> None:
    """Print the pace and the victories for one, two and three own turns ahead."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for asks in (1, 2, 3):
        three, five = pace(games, 3, asks), pace(games // 4, 5, asks)
        won, of = wins(games, asks)
        print(
            f"{asks} ahead: {three:.3f} runs a step of three seats, {five:.3f} of five; {won:g} of {of} won"
        )


if __name__ == "__main__":
    main()
