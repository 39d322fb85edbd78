"""Whole processes against `python -c pass`, and `pbem check` against parsing and validation alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from pbem.edge.app import judge
from pbem.edge.saved import SavedGame
from tests.benchmarks.bare import reader
from tests.benchmarks.homes import ROSE, WEB, sample_home, take_back
from tests.benchmarks.pairs import Row, paired, timed

CHECKS = 5
PBEM = "from pbem.edge.cli import main; main()"


def rows() -> Iterator[Row]:
    """Yield the rows of cold programs and of checking."""
    bare = _process("pass")
    yield paired("pbem --help against python -c pass", _process(PBEM, "--help"), bare, 5)
    with tempfile.TemporaryDirectory() as folder:
        home = sample_home(Path(folder) / "home", {ROSE: ROSE})
        cold = _process(PBEM, "run", ROSE, "--home", str(home.path), "--now", "2026-11-21T20:00:00+00:00")

        def run() -> float:
            spent = cold()
            take_back(home, ROSE)
            return spent

        yield paired("a cold pbem run of one Rose King game against python -c pass", run, bare, 18)
    yield _check()


def _process(code: str, *words: str) -> Callable[[], float]:
    """Return a program to be started anew each time, with compiled modules kept as in any installation."""
    command = [sys.executable, "-c", code, *words]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return lambda: timed(lambda: subprocess.run(command, check=True, capture_output=True, env=kept))


def _check() -> Row:
    """Compare a warm check, forecast included, with the parsing and validation of the same file."""
    with tempfile.TemporaryDirectory() as folder:
        home = sample_home(Path(folder) / "home", {WEB: WEB})
        path = home.orders_folder / WEB / "7.yaml"
        read = reader("web-of-intrigue")

        games: dict[str, SavedGame] = {}

        def check() -> None:
            for _ in range(CHECKS):
                assert not isinstance(judge(home, path, games), list)

        def bare() -> None:
            for _ in range(CHECKS):
                read(path)

        return paired(
            "pbem check of one orders file, warm, against parse and validation",
            lambda: timed(check),
            lambda: timed(bare),
            2,
            note=f"{CHECKS} checks each",
        )
