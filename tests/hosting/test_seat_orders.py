"""What stands for a seat, whatever its orders have been through: one call tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.people.seatorders import seat_orders
from pbem.host.run.notes import notes_of
from pbem.play.homes.saved import SavedGame
from tests.homes import send
from tests.hosting.games import DAY, GAME, MADE, a_club, pbem

_UNDO: Final = ("undo", GAME)
_RUN: Final = ("run", GAME, "--due")
_TO_DORA: Final = ("replace", GAME, "1", "--player", "Dora")

HISTORIES: Final[dict[str, tuple[list[str | tuple[str, ...]], tuple[str, bool, str, tuple[int, ...]]]]] = {
    "nothing came": ([], ("none", True, "", ())),
    "orders came": (["1"], ("lodged", False, "", ())),
    "they were taken": (["1", _RUN], ("none", True, "", ())),
    "some are left over": (["1 2", _RUN], ("left-over", False, "", ())),
    "their turn was taken back": (["1", _RUN, _UNDO], ("reinstated", False, "", ())),
    "others came before it was": (["1", _RUN, "2", _UNDO], ("lodged", True, "", ())),
    "others came after it was": (["1", _RUN, _UNDO, "1 2"], ("lodged", False, "", ())),
    "orders came after it was": ([_RUN, _UNDO, "1"], ("lodged", False, "", ())),
    "it was run again": (["1", _RUN, _UNDO, _RUN], ("none", True, "", ())),
    "two turns were taken back": (
        ["1", _RUN, "2", _RUN, _UNDO, (*_UNDO, "--turn", "2")],
        ("reinstated", False, "", (3,)),
    ),
    "two turns were, and orders came": (
        ["1", _RUN, "2", _RUN, _UNDO, (*_UNDO, "--turn", "2"), "1"],
        ("lodged", False, "", ()),
    ),
    "the first had none": ([_RUN, "2", _RUN, _UNDO, (*_UNDO, "--turn", "2")], ("none", True, "", (3,))),
    "the seat came to another": (["1", _TO_DORA], ("lodged", False, "Ann", ())),
    "and the turn was taken back": (["1", _RUN, _TO_DORA, _UNDO], ("reinstated", False, "Ann", ())),
    "and other orders came": (["1", _RUN, _TO_DORA, _UNDO, "1 2"], ("lodged", False, "", ())),
    "they were withdrawn": (["1", ""], ("withdrawn", True, "", ())),
}
"""What was done; and state, whether it owes, sender, and later turns.

Orders of seat 1 are the turns that they are for: "1 2"; none withdraw.
"""


@pytest.mark.parametrize("history", HISTORIES)
def test_what_stands_for_a_seat_is_told_by_where_its_lines_come_from(tmp_path: Path, history: str) -> None:
    home = a_club(tmp_path)
    for seat in ("2", "3"):
        send(home, GAME, seat, [{"keep": True, "do": {"move": "stay"}}])
    done, expected = HISTORIES[history]
    for week, one in enumerate(done, 1):
        if isinstance(one, str):
            lines: list[Json] = [{"at": f"turn-{turn}", "do": {"move": "stay"}} for turn in one.split()]
            send(home, GAME, "1", lines or "none")
        else:
            assert pbem(home, *one, now=MADE + week * 7 * DAY) == 0

    saved = SavedGame(home, GAME)
    found = seat_orders(saved, notes_of(home, GAME))[Seat("1")]

    assert (found.state, found.owes, found.sender, found.later) == expected
