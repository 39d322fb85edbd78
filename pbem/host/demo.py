"""A home with the shipped sample games, one turn of each resolved."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem.host.oneturn import run
from pbem.host.samples import whole_samples
from pbem.play.newgame import make_home
from pbem.play.reading import report
from pbem.play.saved import SavedGame
from pbem.play.saves import turn_folder
from pbem.store.disk import Disk


@dataclass(frozen=True, slots=True)
class Shown:
    """What the demo did with one sample game.

    Attributes:
        game: The id of the game.
        summary: What happened, one sentence.
        reports: Where its reports lie, as a pattern of paths.
        text: The text report of the first seat.
    """

    game: str
    summary: str
    reports: Path
    text: str


def make_demo(folder: Path, now: datetime.datetime, jobs: int = 1) -> Iterator[Shown]:
    """Make a home of the samples and run it, game by game.

    Args:
        folder: The new home; it must not exist or be empty.
        now: The moment.
        jobs: Processes that share the games.
    """
    disk = Disk()
    home = make_home(disk, folder)
    for game in whole_samples(disk, home, jobs):
        ran = run(disk, home, game, now=now)
        saved = SavedGame(home, game)
        written = turn_folder(saved.folder, saved.turn) / "reports"
        count = f"{len(ran.steps)} step{'' if len(ran.steps) == 1 else 's'}"
        summary = f"turn {ran.turn} resolved, {count}: {', '.join(ran.steps)}"
        first = saved.start.seats[0]
        yield Shown(game, summary, written / "*" / "report.txt", report(home, game, first))
