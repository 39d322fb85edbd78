"""Homes with sample games, as many as are wanted, ready to be run again and again."""

from __future__ import annotations

import datetime
import json
import os
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pbem.host.run.batch import run
from pbem.play.config.registry import installed_rules
from pbem.play.homes.home import Home
from pbem.play.homes.integrity import NOTE
from pbem.store.disk import Disk
from pbem.store.opening import shipped_folder
from tests.homes import home_at, make_home, newest, sample_games, top, turn_folder

NOW = datetime.datetime(2026, 11, 21, 20, 0, tzinfo=datetime.UTC)
WEB = "web-1"


@dataclass(frozen=True, slots=True)
class Sample:
    """A shipped game of some rules, with orders for its next turn.

    Attributes:
        rules: The rules.
        game: The id of the game.
        seats: How many seats it has.
    """

    rules: str
    game: str
    seats: int

    @property
    def title(self) -> str:
        """The rules and the number of seats, for the names of rows."""
        return f"{self.rules}, {self.seats} seats"


def samples() -> list[Sample]:
    """Return the first sample game of each rule system that comes with pbem.

    Raises:
        ValueError: One of them has no sample, so that nothing of it would be measured.
    """
    found: dict[str, Sample] = {}
    for folder in sorted(shipped_folder("games").iterdir()):
        start = json.loads((turn_folder(folder, 0) / "start.json").read_text(encoding="utf-8"))
        found.setdefault(start["rules"], Sample(start["rules"], folder.name, len(start["seats"])))
    ours = [one.name for one in installed_rules() if one.origin.startswith("pbem ")]
    if missing := [name for name in ours if name not in found]:
        raise ValueError(f"expected a sample game of {', '.join(ours)}, got none of {', '.join(missing)}")
    return [found[name] for name in ours]


class NoSync(Disk):
    """A disk that makes nothing durable."""

    def sync_file(self, path: Path) -> None:
        """Leave it to the system."""

    def sync_tree(self, folder: Path) -> None:
        """Leave it to the system."""

    def sync_names(self, folder: Path) -> None:
        """Leave it to the system."""


def in_memory() -> Path | None:
    """Return a folder in memory, where processor time is measured and not the disk; None without one."""
    folder = Path("/dev/shm")
    return folder if os.access(folder, os.W_OK) else None


def sample_home(folder: Path, games: dict[str, str], *, slim: bool = False) -> Home:
    """Make a home with copies of sample games and their orders.

    Args:
        folder: Where.
        games: The sample of each game, by the name of the copy.
        slim: Copy what a run reads: the first and the newest turn, and the records of those between them.
    """
    home = make_home(folder)
    for name, sample in games.items():
        source = sample_games() / sample
        kept = {turn_folder(source, number).name for number in (0, newest(source))} if slim else None
        skip = partial(_others, kept) if kept else None
        shutil.copytree(source, (top(home) / "games") / name, ignore=skip)
        ((top(home) / "orders") / name).mkdir(parents=True)
        for path in (shipped_folder("orders") / sample).iterdir():
            text = path.read_text(encoding="utf-8").replace(f"game: {sample}\n", f"game: {name}\n")
            ((top(home) / "orders") / name / path.name).write_text(text, encoding="utf-8")
        _rename((top(home) / "games") / name, name)
    return home


def _others(kept: Collection[str], folder: str, names: list[str]) -> list[str]:
    """Return what is left out of a turn that is not kept, for `shutil.copytree`."""
    turn = Path(folder)
    is_left = turn.parent.name == "turns" and turn.name not in kept
    return [name for name in names if name != "turn.json"] if is_left else []


def _rename(game: Path, name: str) -> None:
    """Give a copy of a sample its own name where its files say it; its chain of roots is not looked at."""
    secret = game / "secret.json"
    secret.chmod(0o600)
    if "game" in (value := json.loads(secret.read_text(encoding="utf-8"))):
        secret.write_text(json.dumps({**value, "game": name}), encoding="utf-8")


def resolve(home: Home, name: str, disk: Disk | None = None) -> Path:
    """Resolve one turn, and return its folder."""
    ran = run(home if disk is None else home_at(top(home), disk), name, now=NOW)
    assert ran.turn is not None, f"{name} had nothing to resolve"
    return turn_folder((top(home) / "games") / name, ran.turn)


def take_back(home: Home, name: str) -> None:
    """Remove the newest turn as if it had never been."""
    folder = (top(home) / "games") / name
    shutil.rmtree(turn_folder(folder, newest(folder)))
    (folder / NOTE).unlink(missing_ok=True)  # else the turn would be missed


def size_of(folder: Path) -> tuple[int, int]:
    """Return the files and bytes below a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return len(files), sum(path.stat().st_size for path in files)
