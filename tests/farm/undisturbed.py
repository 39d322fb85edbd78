"""The same orders in a folder home that nobody disturbs: the same turns, to the byte."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from pbem.core.interface import Outcome
from pbem.host.run.batch import run
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import load_record
from pbem.play.homes.verify import verify
from pbem.store.folder import FolderStore
from pbem.store.interface import turn_name
from pbem.store.opening import open_store

PROCESSES: Final = 2


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found of a game.

    Attributes:
        game: The game.
        turns: How many turns it has.
        is_over: Whether it is over.
        findings: What verification found.
        differences: Files that came out otherwise in a folder home.
    """

    game: str
    turns: int
    is_over: bool
    findings: tuple[str, ...]
    differences: tuple[str, ...]


def look_at(url: str, folder: Path, games: list[str]) -> list[Looked]:
    """Verify games of a home, and play them again in a new folder home.

    Args:
        url: The home.
        folder: Where the folder home is made.
        games: The games.
    """
    made = FolderStore.make(folder)
    made.lodge("home.yaml", open_store(url).read("home.yaml"))
    with ProcessPoolExecutor(PROCESSES) as pool:
        return list(pool.map(partial(_looked, url, folder), games))


def _looked(url: str, folder: Path, game: str) -> Looked:
    source, target = Home(open_store(url)), Home(FolderStore(folder))
    found = verify(source, game)
    findings = [*map(str, found.findings), *found.skipped]
    findings += ["not all turns were recomputed"] if found.recomputed < found.turns else []
    is_over = isinstance(SavedGame(source, game).ask, Outcome)
    return Looked(game, found.turns, is_over, tuple(findings), tuple(_played_again(source, target, game)))


def _played_again(source: Home, target: Home, game: str) -> Iterator[str]:
    """Give a folder home the game as it was made, and each turn's orders; yield what comes out otherwise."""
    place = source.game(game)
    first = [name for name in place.below() if name.startswith("turns/0000/") or "/" not in name]
    target.store.found(game, {name: (place / name).read_bytes() for name in first})
    for turn in source.store.turns(game)[1:]:
        name = turn_name(game, turn)
        for one in source.store.below(f"{name}/orders"):
            target.store.lodge(f"orders/{game}/{one}", source.store.read(f"{name}/orders/{one}"))
        moment = datetime.datetime.fromisoformat(str(load_record(source.turns(game).at(turn))["at"]))
        run(target, game, now=moment, attended=False)
        for one in sorted({*source.store.below(name)} | {*target.store.below(name)}):
            if _content(source, f"{name}/{one}") != _content(target, f"{name}/{one}"):
                yield f"{name}/{one}"


def _content(home: Home, name: str) -> bytes | None:
    return home.store.read(name) if home.store.kind(name) == "file" else None
