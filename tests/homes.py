"""Homes and games for tests: a fixed seed, a fixed clock, and orders in a line."""

from __future__ import annotations

import atexit
import datetime
import fcntl
import hashlib
import os
import pickle
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.office.samples import make_demo, sample_names, whole_samples
from pbem.host.run.batch import run
from pbem.play.config.newgame import new_game
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import read_json
from pbem.play.submissions.lodging import check_submission, lodge
from pbem.play.submissions.receipts import JudgedOrders, PressReceipt, Receipt
from pbem.store.disk import Disk
from pbem.store.folder import FolderStore
from pbem.store.interface import Change
from pbem.store.journal import Journal
from pbem.store.mailout import QueuedMail
from pbem.store.postgresql.postgres import PostgresStore
from pbem.text.orders import Fault
from pbem.text.strictyaml import dump

T = TypeVar("T")

SEED = bytes(range(32))
NOW = datetime.datetime(2026, 11, 21, 20, 0, tzinfo=datetime.UTC)

SHARED = "PBEM_TEST_SAMPLES"
"""The variable that names the folder of what all processes of a test session share."""

PATCHED: set[str] = set()
"""The test that runs, if it may have changed something of the program: games are made anew for it."""

TWO = "seats:\n  red: {player: Ann}\n  white: {player: Bob}\n"


def home_at(path: Path, disk: Disk | None = None) -> Home:
    """Return the home that a folder is, behind a disk of the test's if one is given."""
    return Home(FolderStore(path, disk))


@cache
def _shared() -> Path:
    """Return the folder of what the processes share; without a session it goes with this process."""
    if SHARED in os.environ:
        return Path(os.environ[SHARED])
    folder = Path(tempfile.mkdtemp(prefix="pbem-samples-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that one process of a test session makes, and no other again; copy what you change.

    Args:
        name: What it is called; the same name is the same folder.
        make: What fills an empty folder.
    """
    whole, begun = _shared() / name, _shared() / f"{name}.begun"
    if not whole.exists():
        with (_shared() / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not whole.exists():
                shutil.rmtree(begun, ignore_errors=True)
                begun.mkdir()
                make(begun)
                begun.rename(whole)
    return whole


def worked_out_once(name: str, work: Callable[[], T]) -> T:
    """Return what one process of a test session works out for all; each caller has a copy of its own.

    Args:
        name: What it is called; the same name is the same value.
        work: What works it out; pickle must know its parts.
    """

    def make(folder: Path) -> None:
        (folder / "value").write_bytes(pickle.dumps(work()))

    found: T = pickle.loads((made_once(name, make) / "value").read_bytes())
    return found


def filled(home: Home, *, by: Callable[[Home], object], **asked: object) -> None:
    """Fill a home, or copy what filled one with the same files and modes in it before, in any process.

    Args:
        home: The home.
        by: What fills it; its name and what was asked say what comes of it.
        asked: What that depends on.
    """

    def make(folder: Path) -> None:
        shutil.copytree(top(home), folder, dirs_exist_ok=True)
        by(home_at(folder))

    if not _may_be_copied(home):
        by(home)
        return
    modes = sorted((str(path.relative_to(top(home))), path.stat().st_mode) for path in top(home).rglob("*"))
    files = sorted(tree(top(home)).items())
    key = repr((by.__module__, by.__qualname__, sorted(asked.items()), files, modes))
    made = made_once(f"home-{hashlib.sha256(key.encode()).hexdigest()}", make)
    shutil.copytree(made, top(home), dirs_exist_ok=True)


def a_demo(path: Path) -> Home:
    """Return a home with all sample games, a turn after they were saved."""

    def make(folder: Path) -> None:
        for _ in make_demo(folder / "home", NOW):
            pass

    if PATCHED:
        for _ in make_demo(path, NOW):
            pass
    else:
        shutil.copytree(made_once("demo", make) / "home", path, dirs_exist_ok=True)
    return home_at(path)


def make_home(path: Path) -> Home:
    """Make a folder an empty home."""
    return Home(FolderStore.make(path))


def a_home(path: Path) -> Home:
    """Return a new empty home."""
    return make_home(path / "home")


def top(home: Home) -> Path:
    """Return the folder that a home is."""
    assert isinstance(home.store, FolderStore)
    return home.store.path


def named(home: Home) -> str:
    """Return how a command names a home: its folder, or the address of its database."""
    return home.store.url if isinstance(home.store, PostgresStore) else str(top(home))


def game_folder(home: Home, game: str) -> Path:
    """Return the folder of a game."""
    return top(home) / home.game(game).path


def folder_of(saved: SavedGame) -> Path:
    """Return the folder of a game that is open."""
    return game_folder(saved.home, saved.name)


def orders_path(home: Home, game: str, seat: str) -> Path:
    """Return where a seat's newest submission lies."""
    return top(home) / home.orders_file(game, Seat(seat)).path


def turns(game: Path) -> list[int]:
    """Return the numbers of the turns in a game's folder, in order."""
    return sorted(int(path.name) for path in (game / "turns").iterdir() if path.name.isdigit())


def newest(game: Path) -> int:
    """Return the number of the newest turn in a game's folder."""
    return turns(game)[-1]


def turn_folder(game: Path, turn: int) -> Path:
    """Return the folder of a turn in a game's folder."""
    return game / "turns" / f"{turn:04d}"


def all_undone(game: Path) -> list[Path]:
    """Return the folders of turns that were taken back, by turn, the oldest first."""
    return sorted((game / "turns" / "undone").glob("*.*"), key=lambda path: (path.stem, int(path.suffix[1:])))


def load_record(game: Path, turn: int) -> dict[str, Json]:
    """Return the record of a turn in a game's folder."""
    return read_json(turn_folder(game, turn) / "turn.json")


def undone(game: Path, turn: int) -> list[Path]:
    """Return the folders of this turn that were taken back, the oldest first."""
    return [path for path in all_undone(game) if int(path.stem) == turn]


def undo(home: Home, game: str) -> Path:
    """Take the newest turn back as one change of the store, and tell nobody; return where it lies."""
    with home.held(game):
        turn = home.store.turns(game)[-1]
        home.store.change(game, Change({}, taken_back=turn))
    return undone(game_folder(home, game), turn)[-1]


def sample_games() -> Path:
    """Return a folder with the sample games and their reports; copy what you change."""

    def make(folder: Path) -> None:
        home, games = a_home(folder), sample_names()
        for game, files in zip(games, whole_samples(games), strict=True):
            home.store.found(game, files)

    return made_once("samples", make) / "home" / "games"


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
    """Return a new game with a known seed, of The Rose King and dealt unless said otherwise.

    The same game in a home with the same files is made once for all processes, and copied from then on.
    """

    def new_and_dealt(home: Home) -> None:
        players = home.store.beside / f"{name}.players.yaml"
        players.write_text(table, encoding="utf-8")
        new_game(home, rules, name, players, options or {}, now=NOW, seed=seed)
        players.unlink()
        if deal:
            run(home, name, now=NOW, deal=True)

    asked = repr(sorted((options or {}).items()))
    filled(home, by=new_and_dealt, name=name, rules=rules, table=table, options=asked, deal=deal, seed=seed)
    return SavedGame(home, name)


def _may_be_copied(home: Home) -> bool:
    """Tell whether a game in a home can be one that was made before: nothing is patched, watched or noted."""
    store = home.store
    return not PATCHED and type(store) is FolderStore and type(store.disk) is Disk and not home.has_journal


def table_of(seats: int, **more: Json) -> str:
    """Return a table of seats "1", "2" and so on; what is given besides is the same for every seat."""
    return dump({"seats": {str(n): {"player": f"Player {n}", **more} for n in range(1, seats + 1)}})


def orders_text(game: str, seat: str, lines: list[Json] | str, **more: Json) -> str:
    """Return an orders file; its lines may be the word `none`."""
    return dump({"game": game, "seat": seat, "orders": lines, **more})


def check_file(
    home: Home, path: Path, opened: dict[str, SavedGame] | None = None
) -> JudgedOrders | list[Fault]:
    """Check an orders file against its game as it stands."""
    return check_submission(home, path.read_bytes(), opened)


def submit(home: Home, path: Path) -> Receipt | PressReceipt | list[Fault]:
    """Check an orders file and lodge it."""
    return lodge(home, path.read_bytes())


def send(home: Home, game: str, seat: str, lines: list[Json] | str, **more: Json) -> Receipt:
    """Submit orders that must be accepted."""
    answer = lodge(home, orders_text(game, seat, lines, **more).encode())
    assert isinstance(answer, Receipt), answer
    return answer


def files_in(packed: Path) -> dict[str, bytes]:
    """Return the files of a downloaded game by their paths in its folder."""
    with zipfile.ZipFile(packed) as found:
        return {name.partition("/")[2]: found.read(name) for name in found.namelist()}


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


def claim_next(db: Journal, now: datetime.datetime) -> QueuedMail | None:
    """Claim the next mail that is due, as a sender does."""
    number = db.next_due(now)
    return None if number is None else db.claim(number, now)


def came_in(db: Journal, key: str, received: datetime.datetime, sender: str = "") -> int:
    """Note a mail that came in and is not read yet; return its number."""
    number = db.take_in(
        key=key,
        source="stdin",
        received=received,
        envelope_from=sender,
        recipient="host@pbem.test",
        sha256="0",
        raw="raw/0.eml",
    )
    assert number is not None
    return number
