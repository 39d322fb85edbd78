"""Missed turns are those of a player: who comes into a seat starts anew."""

from __future__ import annotations

from pathlib import Path

from pbem.play.homes.saved import SavedGame
from tests.hosting.games import DAY, GAME, TUESDAY, a_club, due, pbem, stay


def test_who_is_only_called_otherwise_has_missed_what_was_missed(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    stay(home, "1", "2")
    due(home, TUESDAY)

    assert pbem(home, "seat", GAME, "3", "--name", "Cleopatra", now=TUESDAY + DAY) == 0

    assert SavedGame(home, GAME).players.attendance.missed == {"3": 1}
