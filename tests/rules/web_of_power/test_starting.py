"""What the guide says of where the second half begins, played again: who gains, and who has fewer turns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.starting import GAMES, count

GUIDE = Path(__file__).parents[3] / "docs/web-of-power/guide.md"


def test_as_the_text_has_it_nobody_has_fewer_turns_than_the_start_player() -> None:
    found = count(12, next_in_turn=False)
    assert found.uneven == found.behind > 0
    assert count(12, next_in_turn=True).uneven == 0


@pytest.mark.worlds
@pytest.mark.parametrize("next_in_turn", [False, True])
def test_the_guide_has_the_figures_that_the_games_give(next_in_turn: bool) -> None:
    found = count(GAMES, next_in_turn=next_in_turn)
    cells = [str(next_in_turn).lower(), found.games, *(found.wins[place] for place in range(3)), found.uneven]
    assert f"| {' | '.join(map(str, cells))} |\n" in GUIDE.read_text(encoding="utf-8")
    assert found.uneven == found.behind
