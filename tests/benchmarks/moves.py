"""Bare rules: how many moves of random play each rule system checks and resolves in a second."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Outcome
from pbem.play.config.registry import installed
from pbem.play.config.templates import subject
from tests.benchmarks.pairs import timed

ROUNDS = 9
MOVES = 1000
"""As many moves of whole games are played at least, and measured again and again."""


@dataclass(frozen=True, slots=True)
class Played:
    """One step of a game that bots played: what it began with, and what was ordered."""

    state: Any
    moves: Mapping[Seat, Any]
    dice: Dice


@dataclass(frozen=True, slots=True)
class Speed:
    """A row of the table.

    Attributes:
        name: The rules.
        seats: How many seats played.
        checked: Moves a second, each checked on a view that is there, and resolved.
        viewed: Moves a second, the views that they are checked on built too.
        steps: How many steps were measured in every round.
        moves: How many moves; a step of simultaneous rules has one of each seat.
    """

    name: str
    seats: int
    checked: float
    viewed: float
    steps: int
    moves: int


def speeds() -> Iterator[Speed]:
    """Yield the speed of every installed rule system, with as many seats as it can have."""
    for found in installed():
        if found.system is not None:
            yield _speed(found.name, found.system.seats[-1])


def _speed(name: str, seats: int) -> Speed:
    played = subject(name, seats)
    rules, steps, game = played.rules, list[Played](), 0
    while sum(len(step.moves) for step in steps) < MOVES:
        steps += _game(rules, played.seats, played.options, f"moves {game}")
        game += 1
    moves = sum(len(step.moves) for step in steps)
    views = [{seat: rules.view(step.state, seat) for seat in step.moves} for step in steps]

    def bare() -> None:
        for step, seen in zip(steps, views, strict=True):
            for seat, move in step.moves.items():
                rules.check(seen[seat], move)
            rules.resolve(step.state, step.moves, step.dice)

    def whole() -> None:
        for step in steps:
            for seat, move in step.moves.items():
                rules.check(rules.view(step.state, seat), move)
            rules.resolve(step.state, step.moves, step.dice)

    bares, wholes = list[float](), list[float]()
    for _ in range(ROUNDS):
        gc.collect()
        bares.append(timed(bare))
        wholes.append(timed(whole))
    return Speed(name, seats, moves / median(bares), moves / median(wholes), len(steps), moves)


def _game(
    rules: AnyRules, seats: tuple[Seat, ...], options: Mapping[str, Any], seed: str
) -> Iterator[Played]:
    """Play a game of random bots to its end."""
    state, number = rules.setup(seats, options, {}, Dice(seed.encode(), 0)), 0
    while not isinstance(ask := rules.ask(state), Outcome):
        number += 1
        dice = Dice(seed.encode(), number)
        orders = {
            seat: bot_order(rules, state, seat, dice.apart("bot", seat), "random")
            for seat in seats
            if seat in ask.seats
        }
        step = Played(state, {seat: rules.read(order) for seat, order in orders.items()}, dice)
        yield step
        state = rules.resolve(state, step.moves, dice).state
