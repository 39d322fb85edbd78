"""Homes and games for tests: a fixed seed, a fixed clock, and orders in a line."""

from __future__ import annotations

import atexit
import datetime
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.oneturn import run
from pbem.host.samples import whole_samples
from pbem.play.home import Home
from pbem.play.newgame import make_home, new_game
from pbem.play.running import Receipt, submit
from pbem.play.saved import SavedGame
from pbem.store.disk import Disk
from pbem.text.strictyaml import dump

SEED = bytes(range(32))
NOW = datetime.datetime(2026, 11, 21, 20, 0, tzinfo=datetime.UTC)

SHARED = "PBEM_TEST_SAMPLES"
"""The variable that names the folder where all processes of a test session keep the samples."""

TWO = "seats:\n  red: {player: Ann}\n  white: {player: Bob}\n"


def a_home(path: Path) -> Home:
    """Return a new empty home."""
    return make_home(Disk(), path / "home")


@cache
def sample_games() -> Path:
    """Return a folder with the sample games and their reports; copy what you change.

    They are made once for all processes of a test session, which `tests.conftest` gives a folder.
    """
    folder = Path(os.environ.get(SHARED) or tempfile.mkdtemp(prefix="pbem-samples-"))
    if SHARED not in os.environ:
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            shutil.rmtree(folder / "home", ignore_errors=True)
            for _ in whole_samples(Disk(), a_home(folder)):
                pass
            (folder / "made").touch()
    return folder / "home" / "games"


def a_game(
    home: Home,
    name: str = "rose-1",
    *,
    rules: str = "rose-king",
    table: str = TWO,
    options: Mapping[str, Json] | None = None,
    deal: bool = True,
    seed: bytes = SEED,
) -> SavedGame:
    """Return a new game with a known seed, of The Rose King and dealt unless said otherwise."""
    players = home.path / f"{name}.players.yaml"
    players.write_text(table, encoding="utf-8")
    new_game(Disk(), home, rules, name, players, options or {}, now=NOW, seed=seed)
    players.unlink()
    if deal:
        run(Disk(), home, name, now=NOW, deal=True)
    return SavedGame(home, name)


def table_of(seats: int, **more: Json) -> str:
    """Return a table of seats "1", "2" and so on; what is given besides is the same for every seat."""
    return dump({"seats": {str(n): {"player": f"Player {n}", **more} for n in range(1, seats + 1)}})


def orders_text(game: str, seat: str, lines: list[Json] | str, **more: Json) -> str:
    """Return an orders file; its lines may be the word `none`."""
    return dump({"game": game, "seat": seat, "orders": lines, **more})


def send(home: Home, game: str, seat: str, lines: list[Json] | str, **more: Json) -> Receipt:
    """Submit orders that must be accepted."""
    path = home.path / f"{game}.{seat}.sent.yaml"
    path.write_text(orders_text(game, seat, lines, **more), encoding="utf-8")
    answer = submit(Disk(), home, path)
    path.unlink()
    assert isinstance(answer, Receipt), answer
    return answer


def first_choice(saved: SavedGame, seat: str) -> Json:
    """Return the first legal order of the seat that is asked now."""
    view = saved.opening.view(saved.position.game, Seat(seat))
    return saved.opening.choices(view).menus[0].items[0].order


def tree(folder: Path) -> dict[str, str]:
    """Return the hash of every file below a folder, by its relative path; folders map to "folder"."""
    return {
        str(path.relative_to(folder)): "folder"
        if path.is_dir()
        else hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
    }
