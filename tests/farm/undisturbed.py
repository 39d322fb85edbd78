"""The same orders in a folder home that nobody disturbs: the same turns, to the byte."""

from __future__ import annotations

import datetime
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from pbem.host.batch import run
from pbem.play.home import Home
from pbem.play.saves import load_record
from pbem.store.folder import FolderStore
from pbem.store.opening import open_store
from pbem.store.place import turn_name

PROCESSES = 2


def differences(url: str, folder: Path, games: list[str]) -> list[str]:
    """Play games of a home again in a new folder home, and return what came out otherwise.

    Args:
        url: The home.
        folder: Where the folder home is made.
        games: The games.
    """
    made = FolderStore.make(folder)
    made.lodge("home.yaml", open_store(url).read("home.yaml"))
    again = partial(_played_again, url, folder)
    with ProcessPoolExecutor(PROCESSES) as pool:
        return [one for found in pool.map(again, games) for one in found]


def _played_again(url: str, folder: Path, game: str) -> list[str]:
    """Give a folder home the game as it was made, and for each turn the orders that it took."""
    source, target = Home(open_store(url)), Home(FolderStore(folder))
    place = source.game(game)
    first = {name: (place / name).read_bytes() for name in place.below() if _is_first(name)}
    target.store.found(game, first)
    found = []
    for turn in source.store.turns(game)[1:]:
        name = turn_name(game, turn)
        for one in source.store.below(f"{name}/orders"):
            target.store.lodge(f"orders/{game}/{one}", source.store.read(f"{name}/orders/{one}"))
        record = load_record(source.turns(game).at(turn))
        run(target, game, now=datetime.datetime.fromisoformat(str(record["at"])), attended=False)
        names = {*source.store.below(name)} | {*target.store.below(name)}
        found += [
            f"{name}/{one} differs"
            for one in sorted(names)
            if _content(source, f"{name}/{one}") != _content(target, f"{name}/{one}")
        ]
    return found


def _is_first(name: str) -> bool:
    return not name.startswith("turns/") or name.startswith("turns/0000/")


def _content(home: Home, name: str) -> bytes | None:
    return home.store.read(name) if home.store.kind(name) == "file" else None
