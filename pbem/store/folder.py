"""The folder home: a file for each name, one rename for each turn; changes that were cut off are finished."""

from __future__ import annotations

import base64
import contextlib
import datetime
import hashlib
import json
import os
import re
import shutil
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.store import disk as disks
from pbem.store import rests
from pbem.store.errors import UnfinishedChange, WrongInput
from pbem.store.interface import (
    UNDONE,
    WAIT_SECONDS,
    Change,
    Kind,
    Place,
    SingleWriter,
    turn_name,
    undone_name,
)
from pbem.store.records import Act, AddressChange, Note, QueuedNotice, Row
from pbem.store.rests import refuse_closed

if TYPE_CHECKING:
    from pbem.store.disk import Disk
    from pbem.store.journal import Figure, Journal


FILE: Final = "intent.json"
LAST: Final = "last change"
"""The key of the note that says which change a game's rows were written for last."""

_KINDS: Final[dict[str, type[Act] | type[Note] | type[QueuedNotice] | type[AddressChange]]] = {
    kind.__name__: kind for kind in (Act, Note, QueuedNotice, AddressChange)
}


class Intent(NamedTuple):
    """A change that is about to be made.

    Attributes:
        change: The change.
        revision: How often its turn will have been taken back with it; 0 if it takes none back.
    """

    change: Change
    revision: int


def begin(store: FolderStore, game: str, intent: Intent) -> None:
    """Begin a change, and finish it.

    Raises:
        WrongInput: It was not begun; nothing was changed.
        UnfinishedChange: It was begun, and is not finished.
    """
    change, written = intent.change, _encode_intent(intent)
    if not change.rows and len(change.files) + (change.taken_back is not None) < 2:
        _change_files(store, game, intent)  # which is one step, all of it or nothing
        return
    if not change.files and change.taken_back is None:
        store.note(change.rows)
        return
    store.lodge(f"games/{game}/{FILE}", written)
    try:
        _carry_out(store, game, intent, written)
    except (WrongInput, OSError) as wrong:
        what = str(intent.change.what.get("words", "a change"))
        hint = f"The next command for {game} finishes it; given again, this one does nothing twice."
        raise UnfinishedChange(f"{game}: {what} was begun, but not finished: {wrong}", hint) from None


def finish(store: FolderStore, game: str) -> Change | None:
    """Finish what was begun and cut off in a game, which the caller holds; return it, or None.

    Raises:
        WrongInput: It cannot be finished now, or its file is damaged.
    """
    name = f"games/{game}/{FILE}"
    try:
        written = store.read(name)
    except FileNotFoundError:
        return None
    try:
        intent = _read(json.loads(written))
    except (ValueError, KeyError, TypeError, AttributeError):
        hint = "It says which change of the game was cut off; restore it from your backup, or remove it."
        raise WrongInput(f"{store.spelled(name)} is damaged.", hint) from None
    _carry_out(store, game, intent, written)
    return intent.change


def _carry_out(store: FolderStore, game: str, intent: Intent, written: bytes) -> None:
    change, number = intent.change, hashlib.sha256(written).hexdigest()[:16]
    _change_files(store, game, intent)
    if change.rows:
        with store.journal() as db, db.writing():
            if db.note(game, LAST) != number:
                db.write((*change.rows, Note(game, LAST, number)))
    store.forget(f"games/{game}/{FILE}")


def _change_files(store: FolderStore, game: str, intent: Intent) -> None:
    change = intent.change
    for name, data in change.files.items():
        if data is None:
            store.put_aside(name)
        else:
            store.lodge(name, data)
    if change.taken_back is not None:
        store.take_back(game, change.taken_back, intent.revision)


def _encode_intent(intent: Intent) -> bytes:
    change = intent.change
    value: dict[str, Any] = {
        "what": dict(change.what),
        "files": {
            name: None if data is None else base64.b64encode(data).decode()
            for name, data in change.files.items()
        },
        "taken_back": change.taken_back,
        "revision": intent.revision,
        "rows": [[type(row).__name__, row._asdict()] for row in change.rows],
    }
    return json.dumps(value, sort_keys=True).encode()


def _read(value: dict[str, Any]) -> Intent:
    rows: list[Row] = [_KINDS[kind](**fields) for kind, fields in value["rows"]]
    files = {name: None if text is None else base64.b64decode(text) for name, text in value["files"].items()}
    return Intent(Change(value["what"], files, value["taken_back"], tuple(rows)), int(value["revision"]))


_TURN: Final = re.compile(r"[0-9]{4,}")


PARTS: Final = ("games", "orders", "templates")
"""The folders of a home."""


class _ThreadJournal(threading.local):
    """The journal as a thread has it open.

    Attributes:
        journal: It, once somebody has asked for it.
        users: How many blocks there are, one in another, that may ask for it.
    """

    journal: Journal | None = None
    users = 0


class FolderStore(SingleWriter):
    """A moderator's folder, as it lies on the disk."""

    def __init__(self, path: Path, disk: Disk | None = None) -> None:
        """Look at a folder.

        Args:
            path: The folder.
            disk: The door to the disk, through which all writes pass.
        """
        self.path, self.is_folder = path, True
        self.is_being_copied = False
        self.disk = disk or disks.Disk()
        self._line = _ThreadJournal()

    def __reduce__(self) -> tuple[type[FolderStore], tuple[Path, Disk]]:
        """Let another process open it for itself."""
        return type(self), (self.path, self.disk)

    @property
    def beside(self) -> Path:
        """The folder in which the moderator keeps files of their own, such as those with passwords."""
        return self.path

    def at(self, name: str) -> Place:
        """Return a place of this store."""
        return Place(self, name)

    @classmethod
    def make(cls, path: Path, disk: Disk | None = None) -> FolderStore:
        """Make an empty home of a folder that is empty or not there, or finish one that was begun.

        Raises:
            WrongInput: The folder holds something already.
        """
        if path.exists() and not _is_unfinished_home(path):
            raise WrongInput(f"{path} is not empty.", "Choose a new folder.")
        made = cls(path, disk)
        for name in PARTS:
            made.disk.make_folder(path / name)
        made.disk.sync_tree(path)
        return made

    # --- what lies where

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        return (self.path / name).read_bytes()

    def kind(self, name: str) -> Kind:
        """Tell what lies under a name."""
        path = self.path / name
        try:
            mode = path.stat().st_mode
        except (OSError, ValueError):
            return "other" if path.is_symlink() else ""
        if stat.S_ISDIR(mode):
            return "folder"
        return "file" if stat.S_ISREG(mode) else "other"

    def names(self, name: str) -> list[str]:
        """Return the names right below a folder, without those that are being written."""
        return sorted(path.name for path in (self.path / name).iterdir() if not _is_trace(path.name))

    def below(self, name: str) -> list[str]:
        """Return the paths of all files below a folder, from that folder."""
        top, found = self.path / name, list[str]()
        for place, _, names in os.walk(top):
            within = os.path.relpath(place, top)
            found += names if within == "." else (f"{within}/{one}" for one in names)
        return sorted(found)

    def stamp(self, name: str) -> object:
        """Return what is another whenever the content of a file may be."""
        found = (self.path / name).stat()
        return found.st_ino, found.st_size, found.st_mtime_ns

    def spelled(self, name: str) -> str:
        """Return how people are told of a name."""
        return str(self.path / name)

    # --- games and turns

    def games(self) -> list[str]:
        """Return the ids of all games of this home, in order.

        Raises:
            WrongInput: This folder is no home.
        """
        return [name for name in rests.names_of_games(self) if self.has(name)]

    def has(self, game: str) -> bool:
        """Tell whether there is a game of this id, without looking at the others."""
        is_plain = bool(game) and not game.startswith(".") and not set(game) & set("/\0")
        return is_plain and rests.has_turns(self, game)

    def turns(self, game: str) -> list[int]:
        """Return the numbers of a game's committed turns, in order."""
        names = (path.name for path in (self.path / "games" / game / "turns").iterdir())
        return sorted(int(name) for name in names if _TURN.fullmatch(name))

    def taken_back(self, game: str) -> list[tuple[int, int]]:
        """Return the turns that were taken back: number and how often before, from 1; in order."""
        try:
            names = [path.name for path in (self.path / "games" / game / "turns" / "undone").iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted((int(one[1]), int(one[2])) for name in names if (one := UNDONE.fullmatch(name)))

    # --- the journal

    @property
    def has_journal(self) -> bool:
        """Tell whether anything was ever noted in this home."""
        return (self.path / "mail" / "mail.db").exists()

    @contextlib.contextmanager
    def journal(self) -> Iterator[Journal]:
        """Open the journal, made if it is not there.

        It stays open as long as a block around this one has it open or holds something.

        Raises:
            WrongInput: It is damaged or of a newer pbem.
        """
        from pbem.store.journal import open_folder_journal

        with self._keep_journal_open() as line:
            if line.journal is None or line.journal.met_damage:
                line.journal = open_folder_journal(self.disk, self.path / "mail")
            yield line.journal

    @contextlib.contextmanager
    def _keep_journal_open(self) -> Iterator[_ThreadJournal]:
        """Let the journal stay open to the end of the block, if it is opened in it."""
        line = self._line
        line.users += 1
        try:
            yield line
        finally:
            line.users -= 1
            if not line.users and line.journal is not None:
                line.journal.close()
                line.journal = None

    def note(self, rows: Iterable[Row]) -> None:
        """Write rows into the journal, all or none."""
        with self.journal() as db:
            db.write(rows)

    # --- which games rest

    def stirring(self, now: datetime.datetime) -> list[str]:
        """Return the games to look at, in order: all but those that rest."""
        return rests.stirring(self, now)

    def seen(self, game: str) -> str:
        """Return what stands in a game, in short."""
        return rests.seen(self, game)

    def let_rest(self, game: str, seen: str, until: datetime.datetime) -> None:
        """Note that nothing is to be done in a game before a moment, as long as it stands as it was seen."""
        rests.let_rest(self, game, seen, until)

    # --- changes

    @contextlib.contextmanager
    def held(self, name: str, *, wait_seconds: float = 0.0) -> Iterator[Change | None]:
        """Hold a game, or something else by its name; what was begun with the game is finished first."""
        game = name.removeprefix("games/") if name.startswith("games/") else ""
        folder = self.path / name
        if not game:
            self.disk.make_folder(folder, mode=0o700)
        with disks.hold_folder_lock(folder, wait_seconds=wait_seconds), self._keep_journal_open():
            refuse_closed(self)
            yield finish(self, game) if game else None

    def lodge(self, name: str, data: bytes) -> None:
        """Keep one file in place of what was there; whoever could read that can read this."""
        path = self.path / name
        disks.make_folders(self.disk, path.parent, self.path)
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
        except FileNotFoundError:
            mode = 0o600
        disks.replace_file(self.disk, path, data, mode)

    def commit(self, game: str, turn: int, files: Mapping[str, bytes]) -> None:
        """Write a turn beside the others, make it durable, and give it its name: one rename is the commit."""
        folder = self.path / turn_name(game, turn)
        self._remove_traces(folder.parent)
        self._add_folder(folder, files)

    def found(self, game: str, files: Mapping[str, bytes]) -> None:
        """Write a game beside the others, make it durable, and give it its name."""
        folder = self.path / "games" / game
        with self.held("games", wait_seconds=WAIT_SECONDS):
            if game in self.games():
                raise WrongInput(f"there is a game {game} already.", "Choose another id.")
            self._remove_traces(folder.parent)
            self._add_folder(
                folder, files, mode=0o700
            )  # a save tells everything; others here must not read it

    def _add_folder(self, folder: Path, files: Mapping[str, bytes], mode: int = 0o755) -> None:
        beside = folder.with_name(f".{folder.name}.tmp")
        self.disk.make_folder(beside, mode)
        for one in sorted({(beside / name).parent for name in files} - {beside}):
            self.disk.make_folder(one)
        for name, data in files.items():
            self.disk.write(beside / name, data, mode=0o600 if name == "secret.json" else 0o644)
        self.disk.sync_tree(beside)
        self.disk.rename(beside, folder)
        self.disk.sync_names(folder.parent)

    def _remove_traces(self, folder: Path) -> None:
        """Remove what a crash left of a turn or a game that was never committed."""
        for trace in sorted(folder.glob(".*.tmp")):
            if trace.is_dir():
                self.disk.remove_tree(trace)

    def change(self, game: str, change: Change) -> None:
        """Make several things of a game that the caller holds true together."""
        revision = 0
        if change.taken_back is not None:
            before = [one[1] for one in self.taken_back(game) if one[0] == change.taken_back]
            revision = max(before, default=0) + 1
        begin(self, game, Intent(change, revision))

    def take_back(self, game: str, turn: int, revision: int) -> None:
        """Move a turn to those taken back; one rename, like the commit. Done before, it changes nothing."""
        folder = self.path / turn_name(game, turn)
        place = self.path / undone_name(game, turn, revision)
        self.disk.make_folder(place.parent)
        self.disk.sync_names(folder.parent)  # also if the folder is there: who made it may have been killed
        if not place.exists():
            self.disk.rename(folder, place)
        self.disk.sync_names(place.parent)
        self.disk.sync_names(folder.parent)

    def put_aside(self, name: str) -> None:
        """Let a file not count any more; it is kept beside, hidden. Done before, it changes nothing."""
        path = self.path / name
        if path.exists():
            self.disk.rename(path, path.with_name(f".{path.name}.dropped"))
        self.disk.sync_names(path.parent)

    def remove(self, name: str) -> None:
        """Remove a file."""
        self.disk.remove(self.path / name)

    def forget(self, name: str) -> None:
        """Remove a file durably: no power cut brings it back."""
        self.disk.remove(self.path / name)
        self.disk.sync_names((self.path / name).parent)

    def tidy(self, *names: str) -> None:
        """Remove what killed programs, or a full disk, have left half written right below these names."""
        disks.remove_partial_files(self.disk, *(self.path / name for name in names))

    # --- what a moderator is told

    def figures(self, now: datetime.datetime) -> list[Figure]:
        """Return the figures of this home."""
        return rests.figures(self, now)

    def free_bytes(self) -> int:
        """Return how much more can be kept here."""
        return shutil.disk_usage(self.path).free

    def open_to_others(self, names: Iterable[str]) -> list[WrongInput]:
        """Return a mistake for each of these names that others than its owner can read, with the way out."""
        told = []
        for name in names:
            with contextlib.suppress(OSError):  # what is not there is told where it is needed
                told.append(disks.exposure_error(self.path / name))
        return [one for one in told if one is not None]


def _is_trace(name: str) -> bool:
    return name.startswith(".") and name.endswith((".tmp", ".dropped"))


def _is_unfinished_home(path: Path) -> bool:
    """Tell whether a folder holds nothing, or some of the empty folders of a home and nothing else."""
    return path.is_dir() and not any(
        one.name not in PARTS or not one.is_dir() or any(one.iterdir()) for one in path.iterdir()
    )
