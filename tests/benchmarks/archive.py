"""An archive of many games: bringing it up to date after one turn, against writing all of it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from pbem.archive.site import write_archive
from pbem.play.home import Home
from tests.benchmarks.homes import in_memory, resolve, sample_home, samples
from tests.benchmarks.pairs import Row, timed
from tests.homes import make_home, top

MANY = 1000
UPDATES = 15


def rows() -> Iterator[Row]:
    """Yield the row of the archive."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        home, out = _home(Path(folder), MANY), Path(folder) / "out"
        first = timed(lambda: write_archive(home, out))
        updates = [_update(home, name, out) for name in home.games()[: UPDATES + 1]][1:]
        files = sum(1 for _ in out.rglob("*.*"))
    name = f"an archive of {MANY} games, updated after one turn against written anew"
    update = median(updates)
    note = f"{files:,} files; median of {UPDATES} updates, one first writing"
    yield Row(name, update * 1000, first * 1000, update / first, 0.05, note=note)


def _update(home: Home, name: str, out: Path) -> float:
    resolve(home, name)
    return timed(lambda: write_archive(home, out))


def _home(folder: Path, games: int) -> Home:
    """Make a home with games of all rule systems by turns; copies of one sample share their files."""
    mixed = [sample.game for sample in samples()]
    patterns = sample_home(folder / "patterns", {name: name for name in mixed})
    home = make_home(folder / "home")
    for number in range(games):
        name, sample = f"game-{number:04d}", mixed[number % len(mixed)]
        shutil.copytree(
            (top(patterns) / "games") / sample, (top(home) / "games") / name, copy_function=os.link
        )
        for path in ((top(patterns) / "orders") / sample).iterdir():
            ((top(home) / "orders") / name).mkdir(exist_ok=True)
            text = path.read_text(encoding="utf-8").replace(f"game: {sample}\n", f"game: {name}\n")
            ((top(home) / "orders") / name / path.name).write_text(text, encoding="utf-8")
    return home
