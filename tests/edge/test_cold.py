"""What a command loads when it starts: it cannot grow unnoticed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.homes import sample_home
from tests.homes import top

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
        *("pbem.work", "pbem.play.submissions.lodging", "pbem.text.judging"),
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


@pytest.mark.parametrize("game", ["rose-1", "wop-1"])
def test_a_run_loads_what_it_needs(tmp_path: Path, game: str) -> None:
    home = sample_home(tmp_path / "home", {game: game})

    loaded = _loaded("run", game, "--home", str(top(home)))

    assert _kept_out(loaded, "run") == []
    assert _is_little(loaded), loaded


def test_a_check_loads_what_it_needs(tmp_path: Path) -> None:
    home = sample_home(tmp_path / "home", {"rose-1": "rose-1"})

    loaded = _loaded("check", str(top(home) / "orders" / "rose-1" / "red.yaml"), "--home", str(top(home)))

    assert _kept_out(loaded, "check") == []
    assert _is_little(loaded), loaded
