"""A home with the shipped sample games, one turn of each resolved."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem.host.oneturn import run
from pbem.play.home import Home
from pbem.play.reading import report
from pbem.play.saved import SavedGame
from pbem.store.folder import FolderStore
from pbem.store.shipped import shipped


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


def make_demo(folder: Path, now: datetime.datetime) -> Iterator[Shown]:
    """Make a home of the samples and run it, game by game.

    Args:
        folder: The new home; it must not exist or be empty.
        now: The moment.
    """
    home = Home(FolderStore.make(folder))
    shutil.copytree(shipped("games"), folder / "games", dirs_exist_ok=True)
    shutil.copytree(shipped("orders"), folder / "orders", dirs_exist_ok=True)
    for secret in (folder / "games").glob("*/secret.json"):
        secret.chmod(0o600)
    for game in home.games():
        ran = run(home, game, now=now)
        saved = SavedGame(home, game)
        written = saved.turns.at(saved.turn) / "reports/*/report.txt"
        count = f"{len(ran.steps)} step{'' if len(ran.steps) == 1 else 's'}"
        summary = f"turn {ran.turn} resolved, {count}: {', '.join(ran.steps)}"
        first = saved.start.seats[0]
        yield Shown(game, summary, str(written), report(home, game, first))
