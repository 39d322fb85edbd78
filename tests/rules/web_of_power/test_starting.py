"""What the guide says of where the second half begins, played again: who gains, and who has fewer turns."""

from __future__ import annotations

from tests.benchmarks.starting import count


def test_as_the_text_has_it_nobody_has_fewer_turns_than_the_start_player() -> None:
    found = count(5, next_in_turn=False)
    assert found.uneven == found.behind > 0
    assert count(5, next_in_turn=True).uneven == 0
