"""Web of Intrigue keeps the contract, at small tables and at the full one."""

from __future__ import annotations

import pytest

from pbem.contract import check
from pbem.core.interface import Json
from pbem.edge.templates import subject
from pbem.rules.web_of_intrigue.events import KINDS

TABLES: list[tuple[int, int, dict[str, Json]]] = [
    (3, 12, {}),
    (7, 5, {}),
    (4, 6, {"vp": "snapshot", "turns": 13}),
    (4, 6, {"target": 250, "reveal_reach": "diamond"}),
]


@pytest.mark.parametrize(("seats", "games", "options"), TABLES, ids=str)
def test_nobody_can_tell_worlds_apart(
    seats: int, games: int, options: dict[str, Json], capsys: pytest.CaptureFixture[str]
) -> None:
    result = check(subject("web-of-intrigue", seats, **options), games=games)

    with capsys.disabled():
        print(f"\nweb-of-intrigue, {seats} seats, {options}: {result}")
    assert not result.breaches, result
    assert result.worlds_kept > 300
    assert result.planted_found == 2
    assert result.events.keys() >= {kind.__name__ for kind in KINDS}
