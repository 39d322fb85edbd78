"""The file of players that a host fills in makes a game as it stands, and with each line that it offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.registry import installed
from pbem.play.saved import SavedGame
from tests.homes import a_home, top

CASES = [(one.name, count) for one in installed() if one.system is not None for count in one.system.seats]


@pytest.mark.parametrize(("rules", "seats"), CASES)
def test_a_file_of_players_makes_a_game_as_it_stands_and_with_all_that_it_offers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: str, seats: int
) -> None:
    home = a_home(tmp_path)
    assert run_command(["new", rules, "--example", "--seats", str(seats)]) == 0
    text = capsys.readouterr().out
    head, offered = text.split("# Take the # away from what you want.\n")
    assert max(map(len, text.splitlines())) <= 110
    whole = head + "\n".join(line.removeprefix("# ") for line in offered.splitlines()) + "\n"
    assert whole.count("\n") > offered.count("\n") >= 5

    for game, table in (("plain", text), ("whole", whole)):
        file = tmp_path / f"{game}.yaml"
        file.write_text(table, encoding="utf-8")
        words = ["new", rules, game, "--players", str(file), "--home", str(top(home))]
        assert run_command(words) == 0, capsys.readouterr().err
        assert len(SavedGame(home, game).table.addresses) == seats
    assert SavedGame(home, "whole").table.key


def test_without_a_file_the_way_to_one_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["new", "rose-king"], ["new", "rose-king", "roses"]):
        assert run_command(words) == 2
        assert "pbem new rose-king --example > players.yaml" in " ".join(capsys.readouterr().err.split())
    assert run_command(["new", "rose-king", "--example", "--seats", "3"]) == 2
    assert "rose-king is not played with 3 seats" in capsys.readouterr().err
    assert run_command(["new", "rose-king", "roses", "--players", "x.yaml", "--seats", "2"]) == 2


def test_a_new_home_tells_the_next_steps_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "home"

    assert run_command(["init", str(folder)]) == 0

    told = capsys.readouterr().out
    steps = [told.index(one) for one in ("is a home now", "--example > players.yaml", f"--home {folder}")]
    assert steps == sorted(steps)
