"""Orders judged for later asks in games of bots: none that was called impossible could have been played."""

from __future__ import annotations

import hashlib

import pytest

from pbem.contract.ahead import AheadWatch
from pbem.contract.subject import Checked, Looks
from pbem.core.dice import Dice
from pbem.core.interface import Outcome
from pbem.play.templates import subject

ENOUGH = 2500
"""So many that were called impossible are compared for each of the rules."""


@pytest.mark.worlds
@pytest.mark.parametrize(
    ("rules", "seats"),
    [("rose-king", 2), ("web-of-power", 3), ("web-of-power-cards", 3), ("game-of-powers", 3)],
)
def test_what_is_called_impossible_is_never_played(
    rules: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found, result, game = subject(rules, seats), Checked(), 0

    while result.never < ENOUGH and not result.breaches:
        game += 1
        key = hashlib.sha256(f"ahead/{game}".encode()).digest()
        watch, skill = AheadWatch(found, result, lines=20), "greedy" if game % 2 else "random"
        state = found.rules.setup(
            found.seats, found.options, {seat: {} for seat in found.seats}, Dice(key, 0)
        )
        number = 0
        while not isinstance(ask := found.rules.ask(state), Outcome):
            number += 1
            dice, looks = Dice(key, number), Looks(found.rules, state)
            orders = {
                seat: found.rules.suggest(looks.view(seat), dice.apart("bot", seat), skill)
                for seat in ask.seats
            }
            moves = {seat: found.rules.read(order) for seat, order in orders.items()}
            watch.watch(looks, ask, moves, dice, f"game {game}, {ask.label}")
            state = found.rules.resolve(state, moves, dice).state

    with capsys.disabled():
        print(
            f"\n{rules}: {game} games, {result.lines_ahead} orders, "
            f"{result.never} impossible, {result.sure} sure"
        )
    assert not result.breaches, result.breaches[:5]
