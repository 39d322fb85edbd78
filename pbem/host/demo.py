"""A home with the shipped sample games, one turn of each resolved."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem.host.batch import run
from pbem.host.samples import sample_names, sample_orders, whole_samples
from pbem.play.home import Home
from pbem.play.reading import report
from pbem.play.saved import SavedGame
from pbem.store.folder import FolderStore


@dataclass(frozen=True, slots=True)
class Shown:
    """What the demo did with one sample game.

    Attributes:
        game: The id of the game.
        summary: What happened, one sentence.
        reports: Where its reports lie, as a pattern.
        text: The text report of the first seat.
    """

    game: str
    summary: str
    reports: str
    text: str


def make_demo(folder: Path, now: datetime.datetime, jobs: int = 1) -> Iterator[Shown]:
    """Make a home of the samples and run it, game by game.

    Args:
        folder: The new home; it must not exist or be empty.
        now: The moment.
        jobs: Processes that share the games.
    """
    home, games = Home(FolderStore.make(folder)), sample_names()
    for game, files in zip(games, whole_samples(games, jobs), strict=True):
        home.store.found(game, files)
        for name, data in sample_orders(game).items():
            home.store.lodge(name, data)
        ran = run(home, game, now=now)
        saved = SavedGame(home, game)
        written = saved.turns.at(saved.turn) / "reports/*/report.txt"
        count = f"{len(ran.steps)} step{'' if len(ran.steps) == 1 else 's'}"
        summary = f"turn {ran.turn} resolved, {count}: {', '.join(ran.steps)}"
        first = saved.start.seats[0]
        yield Shown(game, summary, str(written), report(home, game, first))
