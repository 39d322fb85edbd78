"""The shipped sample games, whole: they are shipped as saved, and their reports are made turn by turn."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.core.interface import Json
from pbem.core.opening import Begun
from pbem.core.turn import Run
from pbem.play import saves
from pbem.play.home import Home
from pbem.play.nextdeadline import promised
from pbem.play.publicsteps import public_steps, steps_text
from pbem.play.saved import SavedGame
from pbem.play.turnfiles import sealed
from pbem.play.verify import play_again, reports_again
from pbem.store.memory import MemoryStore
from pbem.store.place import turn_name
from pbem.store.shipped import shipped

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Files = dict[str, bytes]


def sample_names() -> list[str]:
    """Return the ids of the sample games, in order."""
    return sorted(path.name for path in shipped("games").iterdir())


def newest_of(game: str) -> int:
    """Return the number of a sample game's newest turn."""
    return max(int(path.name) for path in (shipped("games") / game / "turns").iterdir())


def sample_orders(game: str) -> Files:
    """Return the orders that a sample game's players have sent, by their names in a home."""
    return _read(shipped("orders") / game, f"orders/{game}")


def whole_samples(games: Sequence[str], jobs: int = 1) -> Iterator[Files]:
    """Yield every file of each of these sample games, by its path in the game.

    Args:
        games: The ids of the games.
        jobs: Processes that share the games, which have nothing in common.
    """
    if jobs < 2 or len(games) < 2:
        yield from map(_whole, games)
        return
    with shared_by(min(jobs, len(games))) as pool:
        yield from pool.map(_whole, games)


def shared_by(jobs: int) -> ProcessPoolExecutor:
    """Return so many processes that share work, and end when this one is killed."""
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(jobs, initializer=_end_with, initargs=(os.getpid(),))


def _end_with(parent: int) -> None:
    """Let this process be killed as soon as its parent ends (Linux; prctl(2), PR_SET_PDEATHSIG)."""
    import ctypes
    import signal

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))
    if parent != os.getppid() and os.getppid() == 1:
        os._exit(1)  # it had ended before


def _whole(game: str) -> Files:
    """Return the files of a sample; each turn needs the reports of the turn before it."""
    store = MemoryStore(_read(shipped("games") / game, f"games/{game}"))
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
    run = play_again(before, place, record) if turn else _nothing(before)
    steps = steps_text(before, public_steps(before, turn, run))
    reports = reports_again(
        before, place, record, turn, (run.position, run.orders, run.events), promised(record)
    )
    files = record["files"]
    assert isinstance(files, dict), "a turn records a hash for each file"
    kept = {name: (place / name).read_bytes() for name in files}
    return sealed(before, turn, {**record, "previous": previous}, kept, reports, steps)


def _nothing(first: SavedGame) -> Run[Begun[Any]]:
    """Return what turn 0 comes to: before the deal nothing has happened."""
    return Run(first.position, (), (), {}, first.ask, frozenset())


def _read(folder: Path, name: str) -> Files:
    """Return the files below a folder, by their names below another name."""
    return {
        f"{name}/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
