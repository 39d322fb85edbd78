"""What costs much: what a command loads when it starts, and what is looked at once."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections import Counter
from pathlib import Path
from unittest import mock

import pytest

from pbem.core.events import Seat
from pbem.host.run.batch import _unpacked, run
from pbem.play.homes.saved import SavedGame
from pbem.rules.rose_king.rules import RoseKing
from pbem.text.mending.names import names_in
from tests.benchmarks.homes import NOW, sample_home
from tests.homes import check_file, top

_PROGRAM = """
import json, sys
before = set(sys.modules)
from pbem.cli import run_command
code = run_command(sys.argv[1:])
loaded = sorted(set(sys.modules) - before)
print("\\n" + json.dumps([code, loaded]))
"""

_ASKED = """
try:
    code = run_command([])
except SystemExit as ended:
    code = ended.code
"""


def _loaded(*words: str, program: str = _PROGRAM) -> list[str]:
    """Return the modules that a command loads besides those that any program has."""
    ended = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=False
    )
    loaded: list[str]
    code, loaded = json.loads(ended.stdout.rsplit("\n", 2)[1])
    assert code == 0, ended.stderr
    return loaded


HEAVY = {
    "help": ("click", "yaml", "jinja2", "jsonschema", "email", "typing", "re", "dataclasses", "pathlib"),
    "run": (
        *("jsonschema", "email", "sqlite3", "rich", "html", "pbem.contract", "pbem.mail", "pbem.archive"),
        *("pbem.work", "pbem.host.people", "pbem.play.submissions.lodging", "pbem.text.judging"),
        *("pbem.text.mending", "pbem.cli.orders"),
        *("pbem.cli.moderation.host", "importlib.resources", "importlib.metadata"),
        "traceback",
    ),
    "check": (
        *("jsonschema", "sqlite3", "rich", "jinja2", "pbem.contract", "pbem.archive", "pbem.work"),
        *("pbem.host", "pbem.cli.moderation.turns", "pbem.cli.moderation.host"),
        *("importlib.resources", "importlib.metadata"),
    ),
}
"""Packages and modules that a command must do without."""


def _kept_out(loaded: list[str], command: str) -> list[str]:
    return [
        name
        for name in loaded
        if name.startswith(tuple(f"{heavy}." for heavy in HEAVY[command])) or name in HEAVY[command]
    ]


def _is_little(loaded: list[str]) -> bool:
    """Tell whether a command loads few modules of others, and no more than a part of ours.

    Whoever loads more of others changes the number here, and knows why. Ours are counted roughly: a module
    that is cut in two costs next to nothing, a layer that is not needed does.
    """
    ours = sum(name.partition(".")[0] == "pbem" for name in loaded)
    return len(loaded) - ours <= 136 and ours <= 200


def test_what_a_shell_asks_loads_little(tmp_path: Path) -> None:
    home = sample_home(tmp_path / "home", {"rose-1": "rose-1"})
    surroundings = {
        "_PBEM_COMPLETE": "bash_complete",
        "COMP_WORDS": f"pbem report --home {top(home)} rose-1 ",
        "COMP_CWORD": "5",
    }
    program = _PROGRAM.replace("code = run_command(sys.argv[1:])", _ASKED)

    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=surroundings
    )

    said, told = ended.stdout.rsplit("\n", 2)[:2]
    code, loaded = json.loads(told)
    assert (code, said.split()) == (0, ["plain,red", "plain,spectator", "plain,white"])
    assert [name for name in loaded if name.partition(".")[0] in ("yaml", "jinja2", "sqlite3", "rich")] == []
    assert [name for name in loaded if name.startswith(("pbem.play", "pbem.host", "pbem.mail"))] == []


@pytest.mark.parametrize("argument", ["--help", "-h", "help", "--version"])
def test_the_help_loads_next_to_nothing(argument: str) -> None:
    loaded = _loaded(argument)

    assert _kept_out(loaded, "help") == []
    assert len(loaded) <= 6, loaded


@pytest.mark.parametrize(("command", "game"), [("run", "rose-1"), ("run", "wop-1"), ("check", "rose-1")])
def test_a_command_loads_what_it_needs(tmp_path: Path, command: str, game: str) -> None:
    home = sample_home(tmp_path / "home", {game: game})
    given = game if command == "run" else str(top(home) / "orders" / game / "red.yaml")

    loaded = _loaded(command, given, "--home", str(top(home)))

    assert _kept_out(loaded, command) == []
    assert _is_little(loaded), loaded


def test_several_files_of_a_seat_are_checked_with_one_look_at_its_game(tmp_path: Path) -> None:
    home = sample_home(tmp_path / "home", {"rose-1": "rose-1"})
    path, opened = top(home) / "orders/rose-1/red.yaml", dict[str, SavedGame]()

    with mock.patch("pbem.play.submissions.meaning.names_in", wraps=names_in) as look:
        found = [check_file(home, path, opened) for _ in range(3)]

    assert not any(isinstance(one, list) for one in found)
    assert look.call_count == 1
    assert [*opened["rose-1"].known] == ["red"]


def test_a_run_makes_no_view_of_a_seat_twice(tmp_path: Path) -> None:
    home, seen = sample_home(tmp_path / "home", {"rose-1": "rose-1"}), Counter[tuple[int, Seat | None]]()
    kept, real = [], RoseKing.view

    def view(rules: RoseKing, state: object, seat: Seat | None) -> object:
        kept.append(state)  # so that no other state gets its number
        seen[id(state), seat] += 1
        return real(rules, state, seat)  # type: ignore[arg-type]

    with mock.patch.object(RoseKing, "view", view):
        assert run(home, "rose-1", now=NOW).turn

    assert seen
    assert set(seen.values()) == {1}


def test_the_games_that_a_process_is_given_share_one_home() -> None:
    packed = pickle.dumps(str.upper)

    assert _unpacked(packed) is _unpacked(bytes([*packed]))
