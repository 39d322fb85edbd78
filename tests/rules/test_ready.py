"""Ready lines of simulated games: what sets two of them apart can be read on the page."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.foresight import plan_of
from pbem.core.interface import Outcome
from pbem.core.turn import Policy, Position, advance
from tests.benchmarks.pace import AHEAD, SEATS, orders_of
from tests.subjects import subject

STEPS = [6, pytest.param(24, marks=pytest.mark.worlds)]


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", SEATS)
def test_no_two_ready_lines_of_one_ask_read_alike(name: str, steps: int) -> None:
    found = subject(name, SEATS[name])
    rules: Any = found.rules
    key = hashlib.sha256(b"alike").digest()
    game = rules.setup(found.seats, found.options, {seat: {} for seat in found.seats}, Dice(key, 0))
    position: Position[Any] = Position(game)
    lines, alike = 0, list[object]()
    while not isinstance(ask := rules.ask(position.game), Outcome) and position.steps < steps:
        orders = {}
        for seat in found.seats:
            view = rules.view(position.game, seat)
            is_asked = seat in ask.seats | ask.optional
            orders[seat] = orders_of(rules, view, is_asked, 0, Dice(key, position.steps).apart("bot", seat))
            plan = plan_of(rules, view, None, AHEAD[name] + 1)
            read = [(line.at, line.note, str(line.do)) for line in plan.lines]
            lines += len(read)
            alike += [line for line in plan.lines if read.count((line.at, line.note, str(line.do))) > 1]
        position = advance(rules, found.seats, position, orders, key, Policy()).position
    assert lines > 100
    assert alike == []
