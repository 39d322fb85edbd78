"""A night job with nothing to do over many games: what it costs at all, and what each game adds."""

from __future__ import annotations

import datetime
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pbem.play.homes.home import Home
from tests.benchmarks.cold import PBEM, process
from tests.benchmarks.homes import NOW, sample_home, samples
from tests.benchmarks.pairs import Row, paired, timed
from tests.homes import top

MANY, SOME = 10_000, 1_000
PAIRS = 10
MINUTE = datetime.timedelta(minutes=1)
STATS = 10
"""A game whose seats have sent orders has about so many files and folders that can change."""


def rows() -> Iterator[Row]:
    """Yield the rows of idle nights."""
    bare = process("pass")
    with tempfile.TemporaryDirectory() as folder:
        for games in (SOME, MANY):
            home = _resting_home(Path(folder) / str(games), games)
            yield paired(
                f"an idle pbem run --due over {games} games against python -c pass",
                _night(home),
                bare,
                20 if games == SOME else 60,
                rounds=PAIRS,
                note="a second or less" if games == MANY else "",
            )
        yield paired(
            f"the same over {MANY} games against {STATS} looks at a file for each",
            _night(home),
            _looks(home),
            8,
            rounds=PAIRS,
        )


def _resting_home(folder: Path, games: int) -> Home:
    """Make a home in which every game rests; a seat of each has sent no orders.

    Nobody opens a game here, so games of the same rules share the folder of their turns.
    """
    mixed = samples()
    home = sample_home(folder, {sample.game: sample.game for sample in mixed}, slim=True)
    root = top(home)
    for sample in mixed:
        next(iter(sorted((root / "orders" / sample.game).iterdir()))).unlink()
    for number in range(games - len(mixed)):
        source, name = mixed[number % len(mixed)].game, f"game-{number:05d}"
        (root / "games" / name).mkdir(mode=0o700)
        for file in ("game.yaml", "secret.json"):
            shutil.copy(root / "games" / source / file, root / "games" / name / file)
        (root / "games" / name / "turns").symlink_to(root / "games" / source / "turns")
        shutil.copytree(root / "orders" / source, root / "orders" / name)
    time.sleep(2.1)  # what was changed just now does not rest
    with home.journal():  # opened once for all of them
        for name in home.games():
            home.store.let_rest(name, home.store.seen(name), NOW + 60 * MINUTE)
    return home


def _night(home: Home) -> Callable[[], float]:
    """Return a night job, cold."""
    words = ("run", "--due", "--home", str(top(home)), "--now", NOW.isoformat())
    return process(PBEM, *words, said=f"{len(home.games())} games rest")


def _looks(home: Home) -> Callable[[], float]:
    """Return a few looks at a file for each game."""
    paths = [f"{top(home)}/games/{name}/game.yaml" for name in home.games()]

    def look() -> None:
        for path in paths:
            for _ in range(STATS):
                os.stat(path)  # noqa: PTH116 - the least that a look can cost

    return lambda: timed(look)
