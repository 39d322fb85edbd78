"""The shipped sample games, whole, and a home with them, one turn of each resolved."""

from __future__ import annotations

import datetime
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Any, Final

from pbem.core.interface import Json
from pbem.core.opening import Begun
from pbem.core.turn import Run
from pbem.host.run.batch import run
from pbem.play.config.gamefile import promised
from pbem.play.homes import saves
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import objects_in
from pbem.play.homes.verify import play_again, remake_reports
from pbem.play.reports.reading import report
from pbem.play.turn.moments import public_steps, steps_text
from pbem.play.turn.turnfiles import seal_turn
from pbem.store.folder import FolderStore
from pbem.store.interface import turn_name
from pbem.store.memory import MemoryStore
from pbem.store.opening import shipped_folder

Files = dict[str, bytes]


def sample_names() -> list[str]:
    """Return the ids of the sample games, in order."""
    return sorted(path.name for path in shipped_folder("games").iterdir())


def newest_sample_turn(game: str) -> int:
    """Return the number of a sample game's newest turn."""
    return max(int(path.name) for path in (shipped_folder("games") / game / "turns").iterdir())


def sample_orders(game: str) -> Files:
    """Return the orders that a sample game's players have sent, by their names in a home."""
    return _read_folder(shipped_folder("orders") / game, f"orders/{game}")


def whole_samples(games: Sequence[str], jobs: int = 1) -> Iterator[Files]:
    """Yield every file of each of these sample games, by its path in the game.

    Args:
        games: The ids of the games.
        jobs: Processes that share the games, which have nothing in common.
    """
    if jobs < 2 or len(games) < 2:
        yield from map(_sample_files, games)
        return
    with worker_pool(min(jobs, len(games))) as pool:
        yield from pool.map(_sample_files, games)


def worker_pool(jobs: int) -> ProcessPoolExecutor:
    """Return so many processes that share work, and end when this one is killed."""
    return ProcessPoolExecutor(jobs, initializer=_end_with_the_parent)


def _end_with_the_parent() -> None:
    """Let this process end as soon as its parent has, be it before this is called."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """End this process when its parent has ended: only then is the parent's end of their pipe closed."""
    parent = parent_process()
    assert parent is not None, "only a process that another one started is asked to end with it"
    connection.wait([parent.sentinel])
    os._exit(1)


def _sample_files(game: str) -> Files:
    """Return the files of a sample; each turn needs the reports of the turn before it."""
    store = MemoryStore(_read_folder(shipped_folder("games") / game, f"games/{game}"))
    previous: Json = ""
    for turn in store.turns(game):
        for name, data in _turn(Home(store), game, turn, previous).items():
            store.lodge(f"{turn_name(game, turn)}/{name}", data)
        previous = saves.load_record(store.at(turn_name(game, turn)))["root"]
    start = f"games/{game}/"
    return {name.removeprefix(start): data for name, data in store.files.items()}


def _turn(home: Home, game: str, turn: int, previous: Json) -> Files:
    """Return the files of one turn, sealed with the reports that this version makes."""
    before = SavedGame(home, game, at_turn=max(turn - 1, 0))
    place = before.turns.at(turn)
    record = saves.load_record(place)
    run = play_again(before, place, record) if turn else _empty_run(before)
    steps = steps_text(before, public_steps(before, turn, run))
    reports = remake_reports(
        before, place, record, turn, (run.position, run.orders, run.events), promised(record)
    )
    files = record["files"]
    assert isinstance(files, dict), "a turn records a hash for each file"
    kept = {name: (place / name).read_bytes() for name in files}
    return seal_turn(before, turn, {**record, "previous": previous}, kept, reports, steps)


def _empty_run(first: SavedGame) -> Run[Begun[Any]]:
    """Return what turn 0 comes to: before the deal nothing has happened."""
    return Run(first.position, (), (), {}, first.ask, frozenset())


def _read_folder(folder: Path, name: str) -> Files:
    """Return the files below a folder, by their names below another name."""
    return {
        f"{name}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


BEGUN: Final = "demo.begun"
"""The name of a file that lies in the home until all games are there."""


@dataclass(frozen=True, slots=True)
class SampleResult:
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


def make_demo(folder: Path, now: datetime.datetime, jobs: int = 1) -> Iterator[SampleResult]:
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
        yield _run_sample(home, game, now)
    home.store.remove(BEGUN)


def _run_sample(home: Home, game: str, now: datetime.datetime) -> SampleResult:
    """Run a sample game, unless that was done before, and say what came of it."""
    if SavedGame(home, game).turn == newest_sample_turn(game):
        for name, data in sample_orders(game).items():
            home.store.lodge(name, data)
        run(home, game, now=now)
    saved = SavedGame(home, game)
    labels = [str(one["label"]) for one in objects_in(saved.record["steps"])]
    count = f"{len(labels)} step{'' if len(labels) == 1 else 's'}"
    summary = f"turn {saved.turn} resolved, {count}: {', '.join(labels)}"
    written = saved.turns.at(saved.turn) / "reports/*/report.txt"
    return SampleResult(game, summary, str(written), report(home, game, saved.start.seats[0]))
