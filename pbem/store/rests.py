"""Which games of a folder rest, and homes that were closed because they were moved."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import os
import stat
import time
from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem import __version__
from pbem.store.errors import WrongInput

if TYPE_CHECKING:
    from pbem.store.folder import FolderStore
    from pbem.store.interface import Store
    from pbem.store.journal import Figure, Journal


SETTLED: Final = 2_000_000_000
"""Nanoseconds after which a change of a file shows in its times; a file system may count by two seconds."""

_FILES: Final = ("", "/game.yaml", "/secret.json", "/turns", "/turns/undone")
_BETWEEN: Final = "//"  # which is in no name
_NOTHING: Final = (0, 0, 0, 0)
_BITS: Final = (1 << 64) - 1


def names_of_games(store: FolderStore) -> list[str]:
    """Return what may be a game by its name, in order.

    Raises:
        WrongInput: The folder is no home.
    """
    try:
        return sorted(os.listdir(f"{store.path}/games"))
    except (FileNotFoundError, NotADirectoryError):
        text = f"{store.path} is no pbem home: it has no games folder."
        way = "Name yours: --home DIR, or set PBEM_HOME. Or make one: pbem init DIR."
        raise WrongInput(text, way) from None


def has_turns(store: FolderStore, game: str) -> bool:
    """Tell whether there are turns of a game; one that cannot be looked into is passed over by nobody."""
    try:
        return stat.S_ISDIR(os.stat(f"{store.path}/games/{game}/turns").st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def stirring(store: FolderStore, now: datetime.datetime) -> list[str]:
    """Return the games to look at, in order: all but those that rest.

    Raises:
        WrongInput: The folder is no home.
    """
    names = names_of_games(store)
    if not store.has_journal:
        return [game for game in names if store.has(game)]
    with store.journal() as db:
        resting = db.resting(now)
        for game in resting.keys() - set(names):  # its folder was taken away
            db.wake(game)
    common, top = _shared_file_state(store), str(store.path)
    return [
        game
        for game in names
        if not (known := resting.get(game)) or not _is_unchanged(top, game, known, common)
        if store.has(game)
    ]


def figures(store: FolderStore, now: datetime.datetime) -> list[Figure]:
    """Return the figures of a home; one in which nothing was ever noted has an empty journal.

    Raises:
        WrongInput: The folder is no home.
    """
    from pbem.store.journal import open_memory_journal

    games, moving = store.games(), stirring(store, now)
    with store.journal() if store.has_journal else open_memory_journal() as db:
        return db.figures(len(games), len(moving), now)


def _is_unchanged(top: str, game: str, known: str, common: bytes) -> bool:
    """Tell whether the files of a game stand as they were seen.

    Names that came or went show in the times of their folder, so those of before need no reading again.
    """
    files, _, names = known.split(" ", 2)
    return _fingerprint(_stat_numbers(top, game, names), common) == files


def seen(store: FolderStore, game: str) -> str:
    """Return what stands in a game, in short: its files, what is noted of it, and the names of the files."""
    with store.journal() as db:
        return _game_state(store, db, game)[0]


def let_rest(store: FolderStore, game: str, seen: str, until: datetime.datetime) -> None:
    """Note that nothing is to be done in a game before a moment, as long as it stands as it was seen.

    A file that was changed just now may be changed again without another time, so its game goes on stirring.
    """
    with store.journal() as db:
        db.run("PRAGMA synchronous = NORMAL")  # if the power is cut, the game is looked at once more
        with db.writing():
            now, looks = _game_state(store, db, game)
            youngest = max(looks[3::4])  # only the system sets these times
            if now == seen and youngest + SETTLED <= time.time_ns():
                db.let_rest(game, seen, until)


def _game_state(store: FolderStore, db: Journal, game: str) -> tuple[str, list[int]]:
    top = str(store.path)
    names = _lodged_file_names(f"{top}/orders/{game}/")
    looks = _stat_numbers(top, game, names)
    return f"{_fingerprint(looks, _shared_file_state(store))} {db.noted(game)} {names}", looks


def _lodged_file_names(folder: str) -> str:
    """Return the names of what lies in a folder of orders, with the press that waits there."""
    found = []
    for start in ("", "press/"):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder + start) as lodged:
            found += sorted(f"{start}{one.name}" for one in lodged)
    return os.fsencode(_BETWEEN.join(found)).decode("latin-1")  # a database takes no name that is no text


def _shared_file_state(store: FolderStore) -> bytes:
    """Return what all games of a home have in common: its file, and this program."""
    looks = list[int]()
    _add_stat(f"{store.path}/home.yaml", looks)
    return f"{__version__} {looks}".encode()


def _stat_numbers(top: str, game: str, lodged: str) -> list[int]:
    """Return four numbers for each file and folder of a game that can change."""
    folder, orders, found = f"{top}/games/{game}", f"{top}/orders/{game}/", list[int]()
    for name in _FILES:
        _add_stat(folder + name, found)
    _add_stat(orders, found)
    if not lodged.isascii():
        lodged = os.fsdecode(lodged.encode("latin-1"))
    for name in lodged.split(_BETWEEN) if lodged else ():
        _add_stat(orders + name, found)
    return found


def _add_stat(path: str, found: list[int]) -> None:
    """Add the number, size and times of a file; nothing if it is not there."""
    try:
        look = os.stat(path)
    except OSError:
        found += _NOTHING
    else:
        found += (look.st_ino, look.st_size, look.st_mtime_ns, look.st_ctime_ns)


def _fingerprint(looks: Iterable[int], common: bytes) -> str:
    numbers = array("Q", [number & _BITS for number in looks])  # times before 1970 are below nothing
    return hashlib.sha256(common + numbers.tobytes()).hexdigest()[:32]


MARK: Final = "closed.json"
"""The file of a home that says so; `pbem-spool` looks for it, too."""


class HomeClosure(NamedTuple):
    """How a home was closed.

    Attributes:
        at: When, in words.
        why: Where it went, or another reason; or "".
        is_copy: It is a copy that was not finished: it may lack games, and what they have.
    """

    at: str
    why: str
    is_copy: bool = False

    def closure_text(self, where: str) -> str:
        """Return it in words, with no full stop."""
        if self.is_copy:
            return f"{where} is a copy that was not finished: it may lack games, turns and rows"
        return f"{where} was closed {self.at}{f' ({self.why})' if self.why else ''}"


class HomeClosed(WrongInput):
    """The home was closed: it takes no changes."""


def read_closure(store: Store) -> HomeClosure | None:
    """Return how a home was closed; None if it is open."""
    if store.kind(MARK) != "file":
        return None
    found = json.loads(store.read(MARK))
    return HomeClosure(str(found["at"]), str(found["why"]), found.get("is_copy") is True)


def home_display_name(store: Store) -> str:
    """Return how people are told of a home: the folder where they are is this home."""
    where = store.spelled("")
    return "this home" if where == "." else where


def refuse_closed(store: Store) -> None:
    """Refuse a home that was closed; a copy that is being made takes what is copied.

    Raises:
        HomeClosed: It is so.
    """
    if not store.is_being_copied and (how := read_closure(store)) is not None:
        where = store.spelled("")
        if how.is_copy:
            raise HomeClosed(f"{how.closure_text(home_display_name(store))}.", "Copy into a new, empty home.")
        hint = f"If it is to be used here again: pbem home close --reopen --home {where}"
        raise HomeClosed(f"{how.closure_text(home_display_name(store))}; nothing is changed in it.", hint)
