"""Whole processes against `python -c pass`, and `pbem check` against parsing and validation alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pbem.play.homes.saved import SavedGame
from tests.benchmarks.bare import reader
from tests.benchmarks.homes import NOW, Sample, sample_home, samples, take_back
from tests.benchmarks.pairs import Row, paired, timed
from tests.homes import check_file, top

CHECKS = 5
BOUNDS = {2: 18, 3: 25, 4: 25, 5: 25}
"""How many times as long as nothing a cold run of one game may take, by its seats; larger games have none."""
PBEM = "from pbem.cli import main; main()"


def rows() -> Iterator[Row]:
    """Yield the rows of cold programs and of checking."""
    bare = process("pass")
    yield paired("pbem --help against python -c pass", process(PBEM, "--help"), bare, 5)
    for sample in samples():
        if sample.seats in BOUNDS:
            yield _cold_run(sample, bare)
    for sample in samples():
        yield _check(sample)


def _cold_run(sample: Sample, bare: Callable[[], float]) -> Row:
    """Compare a whole run of one game with a program that does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        home = sample_home(Path(folder) / "home", {sample.game: sample.game})
        cold = process(PBEM, "run", sample.game, "--home", str(top(home)), "--now", NOW.isoformat())

        def run() -> float:
            spent = cold()
            take_back(home, sample.game)
            return spent

        title = f"{sample.title}: a cold pbem run against python -c pass"
        return paired(title, run, bare, BOUNDS[sample.seats])


def process(code: str, *words: str, said: str = "", given: bytes = b"") -> Callable[[], float]:
    """Return a program to be started anew each time.

    Args:
        code: The program.
        words: Its arguments.
        said: What it must say.
        given: Its standard input.
    """
    command, kept = [sys.executable, "-c", code, *words], surroundings()

    def run() -> float:
        start = time.perf_counter()
        ended = subprocess.run(command, input=given, check=True, capture_output=True, env=kept)
        spent = time.perf_counter() - start
        assert said.encode() in ended.stdout, ended
        return spent

    return run


def peak(*words: str) -> float:
    """Return the most memory that `pbem` ever held while it carried out a command, in MiB."""
    command = [sys.executable, "-c", PBEM, *words]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=surroundings())
    _, status, usage = os.wait4(started.pid, 0)
    assert status == 0
    return usage.ru_maxrss / 1024


def surroundings() -> dict[str, str]:
    """Return surroundings in which compiled modules are kept, as in any installation."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _check(sample: Sample) -> Row:
    """Compare a warm check, forecast included, with the parsing and validation of the same file."""
    with tempfile.TemporaryDirectory() as folder:
        home = sample_home(Path(folder) / "home", {sample.game: sample.game})
        path = max(((top(home) / "orders") / sample.game).iterdir(), key=lambda file: file.stat().st_size)
        read = reader(sample.rules)
        games: dict[str, SavedGame] = {}

        def check() -> None:
            for _ in range(CHECKS):
                assert not isinstance(check_file(home, path, games), list)

        def bare() -> None:
            for _ in range(CHECKS):
                read(path)

        return paired(
            f"{sample.title}: pbem check of one orders file, warm, against parse and validation",
            lambda: timed(check),
            lambda: timed(bare),
            2,
            note=f"{CHECKS} checks each",
        )
