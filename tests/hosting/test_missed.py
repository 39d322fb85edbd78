"""Missed turns are those of a player: who comes into a seat starts anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import verify
from tests.homes import game_folder
from tests.hosting.games import DAY, FRIDAY, GAME, TUESDAY, a_club, due, pbem, stay

AFTER_TWO: dict[str, Json] = {"after": 2, "then": "greedy"}


def replaced(home: Home) -> None:
    assert pbem(home, "replace", GAME, "3", "--player", "Zoe", now=TUESDAY + DAY) == 0


def by_hand(home: Home) -> None:
    file = game_folder(home, GAME) / "game.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("Cleo", "Zoe"), encoding="utf-8")


@pytest.mark.parametrize("comes", [replaced, by_hand])
def test_a_new_player_has_missed_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], comes: Callable[[Home], None]
) -> None:
    home = a_club(tmp_path, misses=AFTER_TWO)
    stay(home, "1", "2")
    due(home, TUESDAY)

    comes(home)

    capsys.readouterr()
    pbem(home, "status", GAME, now=TUESDAY + DAY)
    assert "missed:" not in capsys.readouterr().out
    stay(home, "1", "2", label="turn-2")
    ran = due(home, FRIDAY)
    assert (ran.missed, ran.handed) == (("3",), ())
    assert SavedGame(home, GAME).players.attendance.missed == {"3": 1}
    assert verify(home, GAME).findings == ()


def test_no_bot_plays_on_for_a_new_player(tmp_path: Path) -> None:
    home = a_club(tmp_path, misses={"after": 1, "then": "greedy"})
    stay(home, "1", "2")
    due(home, TUESDAY)
    assert SavedGame(home, GAME).players.bots == {"3": "greedy"}

    replaced(home)
    stay(home, "1", "2", label="turn-2")

    assert SavedGame(home, GAME).players.bots == {}
    assert due(home, TUESDAY + DAY).waiting == ("3",)


def test_who_is_only_called_otherwise_has_missed_what_was_missed(tmp_path: Path) -> None:
    home = a_club(tmp_path)
    stay(home, "1", "2")
    due(home, TUESDAY)

    assert pbem(home, "seat", GAME, "3", "--name", "Cleopatra", now=TUESDAY + DAY) == 0

    assert SavedGame(home, GAME).players.attendance.missed == {"3": 1}
