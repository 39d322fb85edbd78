"""Players who write the ready lines after each report need few runs."""

from __future__ import annotations

import pytest

from tests.benchmarks.pace import AHEAD, SEATS, play

RUNS = {"rose-king": 8, "web-of-power": 7, "web-of-power-cards": 8, "game-of-powers": 8}
"""The runs in which the first steps of one game are played; without lines it is one a step."""

STEPS = {"rose-king": 37, "web-of-power": 27, "web-of-power-cards": 32, "game-of-powers": 37}

MOST = {"rose-king": 0.3, "web-of-power": 0.3, "web-of-power-cards": 0.3, "game-of-powers": 0.25}
"""Runs a step."""


@pytest.mark.parametrize("name", SEATS)
def test_with_the_ready_lines_a_game_takes_few_runs(name: str) -> None:
    game = play(name, "hold", AHEAD[name], most=STEPS[name] - 3)

    assert (game.runs, game.steps) == (RUNS[name], STEPS[name])
    assert game.runs <= MOST[name] * game.steps
