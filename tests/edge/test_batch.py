"""Many games in one run: those that fail are set aside as they were, and the others run."""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Step
from pbem.core.opening import DealtGame
from pbem.host.run.batch import run as plain_run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.turn.running import RunOutcome
from pbem.rules.rose_king.rules import RoseKing
from pbem.rules.rose_king.state import Move, State
from pbem.store.errors import GateClosedError
from tests.facts import tells
from tests.homes import a_game, a_home, home_at, orders_path, send, top, tree, turn_folder, turns

NOW = "2026-11-22T20:00:00+00:00"

plain_resolve = RoseKing.resolve


def resolve(self: RoseKing, state: State, moves: Mapping[Seat, Move], dice: Dice) -> Step[State]:
    """Resolve, but crash where each seat has its own tokens, with secrets in the message."""
    if state.supply is None:
        raise RuntimeError(f"no such thing: {dice.key.hex()} {state.pile}")
    return plain_resolve(self, state, moves, dice)


def a_waiting_game(home: Home, name: str) -> None:
    """Add a game at turn 1 whose next step can be run."""
    a_game(home, name, options={"own_tokens": 26} if name.startswith("crashing") else {})
    send(home, name, "red", [{"at": "red-1", "do": {"play": "N2"}}])
    if name.startswith("damaged"):
        path = turn_folder((top(home) / "games") / name, 1) / "state.json"
        path.write_bytes(path.read_bytes()[:200])
    if name.startswith("gated"):
        orders_path(home, name, Seat("white")).write_text(f"game: {name}\n", encoding="utf-8")


def a_run(home: Home, *more: str) -> int:
    return run_command(["run", "--now", NOW, "--home", str(top(home)), *more])


def states(home: Home) -> dict[str, dict[str, str]]:
    """Return what every game is made of, its orders included."""
    return {
        name: {**tree((top(home) / "games") / name), **tree((top(home) / "orders") / name)}
        for name in home.games()
    }


def test_a_game_that_fails_is_set_aside_untouched_and_the_others_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    for name in ("a", "crashing", "damaged", "gated", "z"):
        a_waiting_game(home, name)
    before = states(home)
    monkeypatch.setattr(RoseKing, "resolve", resolve)

    code = a_run(home)

    after, told = states(home), capsys.readouterr()
    assert {name for name in after if after[name] != before[name]} == {"a", "z"}
    heads = [line for line in told.out.splitlines() if not line.startswith(" ")]
    assert [line.partition(":")[0] for line in heads] == ["a", "z"]
    _crash, _damage, _gate, mend, total = told.err.splitlines()
    assert tells(mend, "gated: ", "pbem run gated --override bad-orders")
    assert tells(total, "2", "3")
    assert code == 4
    assert "Traceback" not in told.err
    a_run(home, "--traceback")
    assert "Traceback" in capsys.readouterr().err


def test_what_a_run_says_holds_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    names = ("a", "crashing", "damaged", "gated", "z")
    for name in names:
        a_waiting_game(home, name)
    saved = SavedGame(home, "a")
    game = saved.position.game
    assert isinstance(game, DealtGame)
    key = Dice(saved.secret.seed, 0).with_luck(game.luck).key
    keys = [key for name in names for key in SavedGame(home, name).secret.keys.values()]
    secrets = [saved.secret.seed.hex(), key.hex(), *keys, *game.state.pile]
    monkeypatch.setattr(RoseKing, "resolve", resolve)

    a_run(home, "--json")
    a_run(home, "crashing", "damaged", "gated")

    told = capsys.readouterr()
    words = set(re.findall(r"[\w-]+", told.out + told.err))
    assert words & set(secrets) == set()
    assert not any(one in told.out + told.err for one in secrets if len(one) > 8)


def test_two_processes_do_what_one_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = a_home(tmp_path)
    for name in ("a", "damaged-b", "c", "gated-d", "e"):
        a_waiting_game(home, name)
    shutil.copytree(top(home), tmp_path / "copy")
    made, said = [], []
    for jobs, path in (("1", top(home)), ("2", tmp_path / "copy")):
        home = home_at(path)
        capsys.readouterr()
        code = a_run(home, "--json", "--jobs", jobs)
        made.append((code, states(home)))
        said.append(json.loads(capsys.readouterr().out.replace(str(top(home)), "HOME")))

    assert made[0] == made[1]
    assert said[0] == said[1]
    assert [one["game"] for one in said[1]] == ["a", "c", "damaged-b", "e", "gated-d"]


def killed_at_c(home: Home, game: str, **policy: Any) -> RunOutcome:
    """Run a game, but die in the middle of game c, as an operating system short of memory would have it."""
    if game == "c":
        os.kill(os.getpid(), signal.SIGKILL)
    return plain_run(home, game, **policy)


def test_a_process_that_is_killed_costs_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = a_home(tmp_path)
    for name in "abcd":
        a_waiting_game(home, name)
    with monkeypatch.context() as patched:
        patched.setattr("pbem.host.run.batch.run", killed_at_c)
        assert a_run(home, "--jobs", "2") == 4
    assert tells(capsys.readouterr().err)

    assert a_run(home) == 0

    assert [len(turns((top(home) / "games") / name)) for name in "abcd"] == [3, 3, 3, 3]


@pytest.mark.parametrize("orders", ["made", "silent"])
def test_whatever_a_run_reads_of_its_game_it_reads_while_nobody_can_take_a_turn_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, orders: str
) -> None:
    home = a_home(tmp_path)
    a_game(home, "a")
    if orders == "made":
        a_waiting_game(home, "b")
    game = "b" if orders == "made" else "a"
    opened: list[bool] = []
    opens = SavedGame.__init__

    def open_watched(saved: SavedGame, *arguments: Any, **more: Any) -> None:
        try:
            with home_at(top(home)).held(game):
                opened.append(False)
        except GateClosedError:
            opened.append(True)
        opens(saved, *arguments, **more)

    monkeypatch.setattr(SavedGame, "__init__", open_watched)
    plain_run(home, game, now=datetime.datetime.fromisoformat(NOW), due=orders == "silent")
    assert opened
    assert all(opened)
