"""A whole game through orders files and the command line alone, from the start forms to the end."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from pbem.cli import run_command
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from tests.homes import NOW, TWO, folder_of, home_at, turn_folder

AT = ["--now", NOW.isoformat()]


@pytest.mark.parametrize("option", ["own_tokens=0", "own_tokens=12"])
def test_two_bots_play_a_game_through_orders_files_and_runs_alone(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, players = tmp_path / "home", tmp_path / "players.yaml"
    players.write_text(TWO, encoding="utf-8")
    where = ["--home", str(home)]

    def pbem(*words: str) -> str:
        code = run_command([*words, *where])
        said = capsys.readouterr()
        assert code == 0, said
        return said.out

    assert run_command(["init", str(home)]) == 0
    pbem("new", "rose-king", "rose-1", "--players", str(players), "--set", option, *AT)
    steps = 0
    while (asked := json.loads(pbem("status", "rose-1", "--json"))[0]["asked"]) and steps < 400:
        for seat in asked:
            orders = tmp_path / f"{seat}.yaml"
            orders.write_text(pbem("form", "rose-1", seat, "--suggest", "greedy"), encoding="utf-8")
            pbem("check", str(orders))
            pbem("submit", str(orders))
        (ran,) = json.loads(pbem("run", "--json", *AT))
        assert ran["turn"] is not None
        steps += len(ran["steps"])

    assert ran["outcome"]["reason"]
    assert steps > 20
    report = pbem("report", "rose-1", "white")
    assert "The game is over: " in report
    assert "ORDERS FORM" not in report
    _check_seed(home_at(home))
    turns = SavedGame(home_at(home), "rose-1").turn
    assert f"{turns + 1} turns intact, {turns + 1} recomputed" in pbem("verify", "rose-1")
    assert "the game is over" in pbem("run")


def _check_seed(home: Home) -> None:
    """Check that the seed stands in the last turn's reports only, and is the one committed to."""
    saved = SavedGame(home, "rose-1")
    seed = saved.secret.seed.hex()
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == saved.start.commitment
    for turn in range(saved.turn + 1):
        told = [path for path in turn_folder(folder_of(saved), turn).rglob("*") if path.is_file()]
        holding = {path.name for path in told if seed in "".join(path.read_text(encoding="utf-8").split())}
        ending = {"events.jsonl", "report.json", "report.txt"}
        assert holding == (ending if turn == saved.turn else set())
