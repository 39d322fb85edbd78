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


def test_a_turn_that_was_answered_for_the_silent_names_the_command_that_does_so_again(
    tmp_path: Path, capsys: Captured
) -> None:
    home = a_club(tmp_path)
    stay(home, "1")
    due(home, TUESDAY)

    named = commands(home, capsys)

    assert named == [f"run {GAME} --due"] * 3
    assert pbem(home, *named[0].split(), now=TUESDAY + DAY) == 0
    assert SavedGame(home, GAME).turn == 2


def test_who_would_be_answered_for_at_once_can_be_given_time_first(tmp_path: Path, capsys: Captured) -> None:
    home = a_club(tmp_path)
    stay(home, "1")
    due(home, TUESDAY)
    capsys.readouterr()

    pbem(home, "undo", GAME, now=TUESDAY + HOUR)

    told = capsys.readouterr().out
    assert tells(told, "2 (Bob), 3 (Cleo)", "Tuesday 24 November 2026, 20:00 EET", "--to WHEN")


def test_a_reason_that_would_hold_the_run_back_is_overridden_in_the_command(
    tmp_path: Path, capsys: Captured
) -> None:
    home = a_club(tmp_path, by_mail=True)
    for hours in range(120):
        night(home, MADE + hours * HOUR)
    assert pbem(home, "run", GAME, "--due", "--override", "silent", now=TUESDAY + HOUR) == 0
    assert SavedGame(home, GAME).turn == 2

    named = commands(home, capsys)

    assert named == [f"run {GAME} --due --override silent"] * 3
    assert pbem(home, *named[0].split(), now=TUESDAY + DAY) == 0
    assert SavedGame(home, GAME).turn == 2


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


def test_before_the_deadline_it_is_said_whose_orders_it_waits_for(tmp_path: Path, capsys: Captured) -> None:
    home = a_club(tmp_path)
    stay(home, "1")
    due(home, TUESDAY)
    pbem(home, "undo", GAME, now=TUESDAY + HOUR)
    pbem(home, "extend", GAME, "--by", "2d", now=TUESDAY + HOUR)
    capsys.readouterr()

    pbem(home, "status", GAME, now=TUESDAY + HOUR)

    told = capsys.readouterr().out
    assert tells(told, "2 (Bob), 3 (Cleo)")
    assert told.split("): pbem ")[1].startswith(f"run {GAME} --due\n")


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


def test_where_all_orders_count_again_nobody_is_waited_for(tmp_path: Path, capsys: Captured) -> None:
    home = a_club(tmp_path)
    for label in ("turn-1", "turn-2"):
        stay(home, "1", "2", "3", label=label)
        pbem(home, "run", GAME, now=MADE)
    pbem(home, "undo", GAME, now=MADE + HOUR)
    pbem(home, "undo", GAME, "--turn", "2", now=MADE + HOUR)
    capsys.readouterr()

    pbem(home, "run", GAME, now=MADE + HOUR)

    assert tells(capsys.readouterr().out, "turn-2")
