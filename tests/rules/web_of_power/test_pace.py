"""Players who write the ready lines need few runs."""

from __future__ import annotations

import pytest

from tests.benchmarks.pace_web_of_power import Paced

MOST = 0.30
"""So many runs a step at most."""


@pytest.mark.parametrize(("seed", "runs"), [("hold 1", 8), ("hold 2", 7)])
def test_players_who_plan_one_turn_ahead_need_few_runs(seed: str, runs: int) -> None:
    game = Paced(seed, asks=1).play(most_steps=28)

    assert game.runs == runs
    assert game.runs <= MOST * game.steps
