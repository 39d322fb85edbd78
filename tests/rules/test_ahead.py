"""Orders judged for later asks in games of bots: none that was called impossible could have been played."""

from __future__ import annotations

import pytest

from tests.benchmarks.never import judged, row
from tests.benchmarks.pace import SEATS

ENOUGH = 2500
"""So many that were called impossible are compared for each of the rules."""


@pytest.mark.worlds
@pytest.mark.parametrize("rules", SEATS)
def test_what_is_called_impossible_is_never_played(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = judged(rules, ENOUGH)

    with capsys.disabled():
        print(f"\n{row(rules, result)}")
    assert not result.breaches, result.breaches[:5]
    assert result.wrongly_never == result.wrongly_sure == 0
