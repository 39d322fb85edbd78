"""The shipped sample games in a home: copied as they are saved, and their reports made again turn by turn."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pbem.core.book import Orders
from pbem.core.events import Recorded, Seat
from pbem.core.interface import Json
from pbem.core.opening import Opened
from pbem.core.turn import Position
from pbem.host.deadlines import promised
from pbem.play import saves
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.play.turnfiles import sealed
from pbem.play.verify import play_again
from pbem.store.disk import Disk
from pbem.store.shipped import shipped


def whole_samples(disk: Disk, home: Home, jobs: int = 1) -> Iterator[str]:
    """Copy the sample games and their orders to an empty home, and yield each game when it has its reports.

    Args:
        disk: The door to the disk.
        home: The home.
        jobs: Processes that share the games, which have nothing in common.

    Raises:
        AssertionError: A sample is not what this version would make.
    """
    shutil.copytree(shipped("games"), home.games_folder, dirs_exist_ok=True)
    shutil.copytree(shipped("orders"), home.orders_folder, dirs_exist_ok=True)
    for secret in home.games_folder.glob("*/secret.json"):
        secret.chmod(0o600)
    one = partial(_make_whole, disk, home)
    yield from _shared(one, home.games(), jobs) if jobs > 1 else map(one, home.games())


def _shared(one: partial[str], games: list[str], jobs: int) -> Iterator[str]:
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(min(jobs, len(games))) as pool:
        yield from pool.map(one, games)


def _make_whole(disk: Disk, home: Home, game: str) -> str:
    """Make the reports of every turn of a sample; each turn needs those of the turn before it."""
    for turn in saves.turns(home.game(game)):
        _make_reports(disk, home, game, turn)
    return game


def _make_reports(disk: Disk, home: Home, game: str, turn: int) -> None:
    """Make the reports of one turn, and write them if they are those that the turn was sealed with."""
    before = SavedGame(home, game, at_turn=max(turn - 1, 0))
    folder = saves.turn_folder(before.folder, turn)
    record = saves.load_record(before.folder, turn)
    position, orders, events = _outcome(before, turn, record)
    reports = before.reports(turn, position, orders, events, promised(record))
    files = {name: (folder / name).read_bytes() for name in _hashes(record, "files")}
    made = sealed(before, turn, record, files, reports)
    if made["turn.json"] != (folder / "turn.json").read_bytes():
        raise AssertionError(
            f"{game}, turn {turn}: {_difference(record, made)}; `make samples` makes it anew"
        )
    pages = {folder / name: data for name, data in made.items() if name.startswith("reports/")}
    for place in sorted({path.parent for path in pages}):
        disk.make_folder(place)
    for path, data in pages.items():
        disk.write(path, data)


def _outcome(
    before: SavedGame, turn: int, record: dict[str, Json]
) -> tuple[Position[Opened[Any] | None], Mapping[Seat, Orders], tuple[Recorded, ...]]:
    """Return position, pending orders and events of a turn; before the deal nothing has happened."""
    if turn == 0:
        return before.position, {}, ()
    run = play_again(before, saves.turn_folder(before.folder, turn), record)
    return run.position, run.orders, run.events


def _difference(record: Mapping[str, Json], made: Mapping[str, bytes]) -> str:
    """Say which file of a turn is not the one that its record names."""
    anew = json.loads(made["turn.json"])
    for part in ("files", "reports"):
        recorded, found = _hashes(record, part), _hashes(anew, part)
        for name in sorted(recorded.keys() | found.keys()):
            if recorded.get(name) != found.get(name):
                return f"{name} comes out otherwise than its turn.json says"
    return "its turn.json comes out otherwise"


def _hashes(record: Mapping[str, Json], part: str) -> dict[str, Json]:
    hashes = record[part]
    assert isinstance(hashes, dict), "a turn records a hash for each file"
    return hashes
