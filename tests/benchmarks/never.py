"""How orders for later asks are judged in games of bots, and what became of them when the ask came."""

from __future__ import annotations

import hashlib

from pbem.contract.playing import LookaheadChecker
from pbem.contract.subject import Checked, PositionViews, Subject
from pbem.core.bots import bot_order
from pbem.core.dice import Dice
from pbem.core.interface import Outcome
from pbem.play.config.templates import subject
from tests.benchmarks.pace import SEATS


def judged(name: str, never: int, lines: int = 0) -> Checked:
    """Play games until enough orders were judged and their asks came, or one was wrong.

    Args:
        name: The rules.
        never: So many that were called impossible are compared at least.
        lines: So many are judged at least.
    """
    found, result = subject(name, SEATS[name]), Checked()
    while (result.never < never or result.lines_ahead < lines) and not result.breaches:
        result.games += 1
        play(found, result)
    return result


def play(found: Subject, result: Checked) -> None:
    """Play one game by bots, and judge 20 orders at each step."""
    key = hashlib.sha256(f"ahead/{result.games}".encode()).digest()
    watch = LookaheadChecker(found, result, lines=20, as_shown=True)
    skill = "greedy" if result.games % 2 else "random"
    state = found.rules.setup(found.seats, found.options, {seat: {} for seat in found.seats}, Dice(key, 0))
    number = 0
    while not isinstance(ask := found.rules.ask(state), Outcome):
        number += 1
        dice, looks = Dice(key, number), PositionViews(found.rules, state)
        orders = {
            seat: bot_order(found.rules, state, seat, dice.apart("bot", seat), skill) for seat in ask.seats
        }
        moves = {seat: found.rules.read(order) for seat, order in orders.items()}
        watch.watch(looks, ask, moves, dice, f"game {result.games}, {ask.label}")
        state = found.rules.resolve(state, moves, dice).state
