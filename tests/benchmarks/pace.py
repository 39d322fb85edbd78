"""How many runs a game takes when everybody writes ahead with the ready lines.

A player knows its view only: after each report it sends what the greedy bot orders now, if it is asked, and
the lines of the plan, asked or not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pbem.core.book import Line, Orders
from pbem.core.dice import Dice
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


class Pace(NamedTuple):
    """What one game took.

    Attributes:
        runs: How often the host ran it: each time somebody had to be waited for.
        steps: How many asks were answered.
    """

    runs: int
    steps: int


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


def play(name: str, seed: str, asks: int, most: int) -> Pace:
    """Play so many steps of one game; all write after each report, for so many of their next asks."""
    found = subject(name, SEATS[name])
    rules: Any = found.rules
    key = hashlib.sha256(seed.encode()).digest()
    game = rules.setup(found.seats, found.options, {seat: {} for seat in found.seats}, Dice(key, 0))
    position: Position[Any] = Position(game)
    runs = 0
    while not isinstance(ask := rules.ask(position.game), Outcome) and position.steps < most:
        orders = {
            seat: orders_of(
                rules,
                rules.view(position.game, seat),
                seat in ask.seats | ask.optional,
                asks,
                Dice(key, position.steps).apart("bot", seat),
            )
            for seat in found.seats
        }
        ran = advance(rules, found.seats, position, orders, key, Policy())
        assert ran.steps, "somebody plays"
        position, runs = ran.position, runs + 1
    return Pace(runs, position.steps)
