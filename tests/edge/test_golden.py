"""Golden games, played again through orders files and the command line alone, and verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.edge.cli import run_command
from pbem.edge.files import Disk
from pbem.edge.home import Home
from pbem.edge.newgame import make_home
from pbem.edge.saved import SavedGame
from pbem.text.strictyaml import parse
from tests.golden import GAMES, RECIPES, asked, new, told
from tests.homes import NOW, orders_text


def test_every_golden_game_has_its_recipe() -> None:
    assert sorted(path.name for path in GAMES.iterdir()) == sorted(RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_golden_game_is_played_as_it_was(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = make_home(Disk(), tmp_path / "home")
    new(home, name, RECIPES[name])
    for path in sorted((GAMES / name).iterdir()):
        golden = parse(path.read_text(encoding="utf-8")).value
        assert isinstance(golden, dict)
        _play(home, name, golden.pop("orders"), tmp_path)
        assert told(SavedGame(home, name)) == golden, path.name

    saved = SavedGame(home, name)
    assert asked(saved) == []
    capsys.readouterr()
    assert run_command(["verify", name, "--home", str(home.path)]) == 0
    assert f"{saved.turn + 1} turns intact, {saved.turn + 1} recomputed" in capsys.readouterr().out
    assert run_command(["report", name, saved.start.seats[0], "--home", str(home.path)]) == 0
    said = capsys.readouterr().out
    assert "The game is over: " in said
    assert "ORDERS FORM" not in said


def _play(home: Home, name: str, orders: object, folder: Path) -> None:
    """Send orders and run, as players and a moderator do."""
    assert isinstance(orders, dict)
    assert sorted(orders) == sorted(asked(SavedGame(home, name)))
    files = []
    for seat, do in orders.items():
        files.append(folder / f"{seat}.yaml")
        files[-1].write_text(orders_text(name, seat, [{"do": do}]), encoding="utf-8")
    where = ["--home", str(home.path)]
    assert run_command(["submit", *map(str, files), *where]) == 0
    assert run_command(["run", name, *where, "--now", NOW.isoformat()]) == 0
