"""The file of players that a host fills in makes a game as it stands, and with each line that it offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.config.registry import installed
from pbem.play.homes.saved import SavedGame
from tests.homes import a_home, top

CASES = [(one.name, count) for one in installed() if one.system is not None for count in one.system.seats]


@pytest.mark.parametrize(("rules", "seats"), CASES)
def test_a_file_of_players_makes_a_game_as_it_stands_and_with_all_that_it_offers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: str, seats: int
) -> None:
    home = a_home(tmp_path)
    assert run_command(["new", rules, "--example", "--seats", str(seats)]) == 0
    text = capsys.readouterr().out
    lines = text.splitlines()
    end = max(number for number, line in enumerate(lines, 1) if not line.startswith("#"))
    offered = [line.removeprefix("# ") for line in lines[end + 1 :]]  # below a line that says what they are
    whole = "\n".join([*lines[:end], *offered, ""])
    assert len(offered) >= 5

    for game, table in (("plain", text), ("whole", whole)):
        file = tmp_path / f"{game}.yaml"
        file.write_text(table, encoding="utf-8")
        words = ["new", rules, game, "--players", str(file), "--home", str(top(home))]
        assert run_command(words) == 0, capsys.readouterr().err
        assert len(SavedGame(home, game).table.addresses) == seats
    whole_game = SavedGame(home, "whole").table
    assert whole_game.key
    assert whole_game.deadline


def test_a_deadline_that_has_passed_when_a_game_is_made_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, file = a_home(tmp_path), tmp_path / "players.yaml"
    seats = "seats:\n  red: {player: Ann}\n  white: {player: Bob}\n"
    words = ["--players", str(file), "--home", str(top(home)), "--now", "2026-11-20T12:00:00+01:00"]

    for game, year in (("last", 2025), ("this", 2026)):
        file.write_text(f"{seats}deadline: {year}-12-01T20:00:00+01:00\n", encoding="utf-8")
        assert run_command(["new", "rose-king", game, *words]) == 0
        told = "Monday 01 December 2025, 20:00 UTC+01:00"
        assert (told in capsys.readouterr().err) == (game == "last")
