"""A home with the shipped sample games, one turn of each resolved."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem.host.office.samples import newest_of, sample_names, sample_orders, whole_samples
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import objects
from pbem.play.reports.reading import report
from pbem.store.folder import FolderStore

BEGUN: Final = "demo.begun"
"""The name of a file that lies in the home until all games are there."""


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
    """Make a home of the samples and run it, game by game; one that was cut off is finished.

    Args:
        folder: The new home; it must not exist or be empty, or hold a demo that was not finished.
        now: The moment.
        jobs: Processes that share the games.
    """
    home = Home(FolderStore(folder))
    if home.store.kind(BEGUN) != "file":
        home = Home(FolderStore.make(folder))
        home.store.lodge(BEGUN, b"")
    games = sample_names()
    made = whole_samples([game for game in games if not home.has(game)], jobs)
    for game in games:
        if not home.has(game):
            home.store.found(game, next(made))
        yield _shown(home, game, now)
    home.store.remove(BEGUN)


def _shown(home: Home, game: str, now: datetime.datetime) -> Shown:
    """Run a sample game, unless that was done before, and say what came of it."""
    if SavedGame(home, game).turn == newest_of(game):
        for name, data in sample_orders(game).items():
            home.store.lodge(name, data)
        run(home, game, now=now)
    saved = SavedGame(home, game)
    labels = [str(one["label"]) for one in objects(saved.record["steps"])]
    count = f"{len(labels)} step{'' if len(labels) == 1 else 's'}"
    summary = f"turn {saved.turn} resolved, {count}: {', '.join(labels)}"
    written = saved.turns.at(saved.turn) / "reports/*/report.txt"
    return Shown(game, summary, str(written), report(home, game, saved.start.seats[0]))
