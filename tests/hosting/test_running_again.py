"""A turn that was taken back, and the command that runs it: the one that is named is the one that does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from tests.facts import tells
from tests.hosting.games import DAY, GAME, HOUR, MADE, TUESDAY, a_club, due, night, pbem, stay

Captured = pytest.CaptureFixture[str]


def commands(home: Home, out: Captured) -> list[str]:
    """Take the newest turn back, and return the commands that undo, status and the night job name."""
    out.readouterr()
    told = []
    for words in (["undo", GAME], ["status", GAME]):
        assert pbem(home, *words, now=TUESDAY + DAY) == 0
        told.append(out.readouterr().out)
    assert night(home, TUESDAY + DAY) == 0
    told.append(out.readouterr().out)
    return [text.split(": pbem ")[1].splitlines()[0] for text in told]


def test_a_run_of_all_games_leaves_alone_a_turn_that_was_taken_back(tmp_path: Path, capsys: Captured) -> None:
    home = a_club(tmp_path)
    stay(home, "1", "2", "3")
    pbem(home, "run", GAME, now=MADE + HOUR)
    pbem(home, "undo", GAME, now=MADE + 2 * HOUR)
    capsys.readouterr()

    assert pbem(home, "run", now=MADE + 3 * HOUR) == 0

    told = capsys.readouterr().out
    assert tells(told, GAME, "2")
    assert SavedGame(home, GAME).turn == 1


def test_where_nobody_answers_for_the_silent_their_orders_are_waited_for(
    tmp_path: Path, capsys: Captured
) -> None:
    home = a_club(tmp_path, silent="wait")
    stay(home, "1", "2", "3")
    due(home, TUESDAY)
    stay(home, "1", label="turn-2")

    named = commands(home, capsys)

    assert named == [f"run {GAME}"] * 3
    pbem(home, "status", GAME, now=TUESDAY + DAY)
    assert tells(capsys.readouterr().out, "1 (Ann)")
