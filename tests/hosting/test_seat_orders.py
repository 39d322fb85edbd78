"""What stands for a seat, whatever its orders have been through: one call tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.people.seatorders import seat_orders
from pbem.host.run.notes import notes_of
from pbem.play.homes.saved import SavedGame
from tests.homes import send
from tests.hosting.games import DAY, GAME, MADE, a_club, pbem
from tests.written import yaml_beside

HISTORIES: Final = yaml_beside(__file__, "seat_orders.yaml")


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_what_stands_for_a_seat_is_told_by_where_its_lines_come_from(
    tmp_path: Path, history: dict[str, Any]
) -> None:
    home = a_club(tmp_path)
    for seat in ("2", "3"):
        send(home, GAME, seat, [{"keep": True, "do": {"move": "stay"}}])
    for week, one in enumerate(history["done"], 1):
        if isinstance(one, str):
            lines: list[Json] = [{"at": f"turn-{turn}", "do": {"move": "stay"}} for turn in one.split()]
            send(home, GAME, "1", lines or "none")
        else:
            assert pbem(home, *one, now=MADE + week * 7 * DAY) == 0

    saved = SavedGame(home, GAME)
    found = seat_orders(saved, notes_of(home, GAME))[Seat("1")]

    assert [found.state, found.owes, found.sender, [*found.later]] == history["stands"]
