"""Bare rules: how many moves of random play each rule system checks and resolves in a second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any, NamedTuple, TypeAlias

from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import AnyRules, Outcome
from pbem.play.config.registry import installed_rules
from pbem.play.config.templates import subject
from tests.benchmarks.pairs import in_turn, timed

ROUNDS = 9
MOVES = 1000
"""As many moves of whole games are played at least, and measured again and again."""


Played: TypeAlias = tuple[Any, Mapping[Seat, Any], Dice]
"""One step of a game that bots played: what it began with, what was ordered, and its dice."""


class Speed(NamedTuple):
    """A row of the table.

    Attributes:
        name: The rules.
        seats: How many seats played.
        checked: Moves a second, each checked on a view that is there, and resolved.
        viewed: Moves a second, the views that they are checked on built too.
        note: How many moves and steps were measured; a step of simultaneous rules has a move of each seat.
    """

    name: str
    seats: int
    checked: float
    viewed: float
    note: str


def speeds() -> Iterator[Speed]:
    """Yield the speed of every installed rule system, with as many seats as it can have."""
    for found in installed_rules():
        if found.system is not None:
            yield _speed(found.name, found.system.seats[-1])


def _speed(name: str, seats: int) -> Speed:
    played = subject(name, seats)
    rules, steps, game = played.rules, list[Played](), 0
    while sum(len(moves) for _, moves, _ in steps) < MOVES:
        steps += _game(rules, played.seats, played.options, f"moves {game}")
        game += 1
    count = sum(len(moves) for _, moves, _ in steps)
    views = [{seat: rules.view(state, seat) for seat in moves} for state, moves, _ in steps]

    def bare() -> None:
        for (state, moves, dice), seen in zip(steps, views, strict=True):
            for seat, move in moves.items():
                rules.check(seen[seat], move)
            rules.resolve(state, moves, dice)

    def whole() -> None:
        for state, moves, dice in steps:
            for seat, move in moves.items():
                rules.check(rules.view(state, seat), move)
            rules.resolve(state, moves, dice)

    pairs = in_turn(lambda: timed(bare), lambda: timed(whole), ROUNDS)
    checked, viewed = (count / median(spent) for spent in zip(*pairs, strict=True))
    return Speed(name, seats, checked, viewed, f"{count} moves of random play in {len(steps)} steps")


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
        moves = {seat: rules.read(order) for seat, order in orders.items()}
        yield state, moves, dice
        state = rules.resolve(state, moves, dice).state
