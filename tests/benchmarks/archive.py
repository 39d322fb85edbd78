"""An archive of many games with named players: an update after a turn, against writing all of it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from pbem.archive.site import write_archive
from pbem.play.homes.home import Home
from tests.benchmarks.homes import in_memory, resolve, sample_home, samples
from tests.benchmarks.pairs import Row, timed
from tests.edge.test_archive_finished import play_out
from tests.homes import a_home, make_home, newest, top, turn_folder

MANY = 1000
UPDATES = 15
NAMES = 150
"""So many of each of the two players of finished games there are."""


def rows() -> Iterator[Row]:
    """Yield the rows of the archive."""
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        home, out = _home(Path(folder), MANY), Path(folder) / "out"
        first = timed(lambda: write_archive(home, out))
        running = [name for name in home.games() if not _is_over(home, name)]
        turns = [_turn(home, name, out) for name in running[: UPDATES + 1]][1:]
        over = [name for name in home.games() if _is_over(home, name)]
        ends = [_end(home, name, out) for name in over[: UPDATES + 1]][1:]
        files = sum(1 for _ in out.rglob("*.*"))
    for what, found in (("one turn", turns), ("the end of one", ends)):
        name = f"an archive of {MANY} games, updated after {what} against written anew"
        update = median(found)
        note = f"{files:,} files; median of {UPDATES} updates, one first writing"
        yield Row(name, update * 1000, first * 1000, update / first, 0.01, note=note)


def _turn(home: Home, name: str, out: Path) -> float:
    resolve(home, name)
    return timed(lambda: write_archive(home, out))


def _end(home: Home, name: str, out: Path) -> float:
    """Take the last turn of a finished game away, and time what the archive takes when it is back."""
    game = top(home) / "games" / name
    last, kept = turn_folder(game, newest(game)), top(home).parent / "last"
    last.rename(kept)
    write_archive(home, out)
    kept.rename(last)
    return timed(lambda: write_archive(home, out))


def _is_over(home: Home, name: str) -> bool:
    return (top(home) / "games" / name / "over").exists()


def _home(folder: Path, games: int) -> Home:
    """Make a home with games of all rules by turns, and finished ones; copies of one share their files."""
    mixed = [sample.game for sample in samples()]
    patterns = sample_home(folder / "patterns", {name: name for name in mixed})
    ended = a_home(folder / "ended")
    over = play_out(ended).name
    home = make_home(folder / "home")
    (top(home) / "home.yaml").write_text("archive: {names: true, punctual: true}\n", encoding="utf-8")
    for number in range(games):
        kind, name = number % (len(mixed) + 1), f"game-{number:04d}"
        if kind == len(mixed):
            _copy(ended, over, home, name)
            _rename(top(home) / "games" / name, number % NAMES)
        else:
            _copy(patterns, mixed[kind], home, name)
    return home


def _copy(patterns: Home, sample: str, home: Home, name: str) -> None:
    shutil.copytree(top(patterns) / "games" / sample, top(home) / "games" / name, copy_function=os.link)
    for path in (top(patterns) / "orders" / sample).iterdir():
        ((top(home) / "orders") / name).mkdir(exist_ok=True)
        text = path.read_text(encoding="utf-8").replace(f"game: {sample}\n", f"game: {name}\n")
        ((top(home) / "orders") / name / path.name).write_text(text, encoding="utf-8")


def _rename(game: Path, number: int) -> None:
    """Give a copy of a finished game players of its own; and say that it is over."""
    (game / "over").touch()
    for path in (game / "game.yaml", *game.glob("turns/*/reports/spectator/report.json")):
        text = path.read_text(encoding="utf-8")
        path.unlink()
        own = text.replace("Ann Lee", f"Ann {number}").replace("Bob Roy", f"Bob {number * 7 % NAMES}")
        path.write_text(own, encoding="utf-8")
