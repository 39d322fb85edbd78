"""The archive is written: a game whose pages would come out as they are is not looked at again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pbem import __version__
from pbem.archive.allowed import Allowed, allowed_of
from pbem.archive.games import GameFiles
from pbem.archive.rendering import Pages, asset_files
from pbem.archive.writing import FRESH, Writer
from pbem.core.interface import Json
from pbem.play import saves
from pbem.play.home import SETTINGS, Home
from pbem.play.registry import installed
from pbem.play.templates import archive_templates
from pbem.store import disk as disks
from pbem.store.disk import Disk, locked, replace_file
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.store.shipped import shipped
from pbem.text.codec import dumps

RECORD: Final = "archive.json"
FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Archived:
    """What writing an archive came to.

    Attributes:
        games: Games in the archive.
        made: Games whose pages were made anew.
        written: Files that changed.
        removed: Files that were removed.
        aside: Games that could not be read, with the reason; their pages stay as they were.
        nameless: Games whose players are not named.
        is_ours: Some of the games set aside were so by a fault of pbem.
        undrawn: Games some of whose pages show the text alone, with the template that failed.
    """

    games: int
    made: int
    written: int
    removed: int
    aside: Mapping[str, str]
    nameless: int
    is_ours: bool = False
    undrawn: Mapping[str, str] = field(default_factory=dict)

    def line(self) -> str:
        """Return this as one line for people."""
        count = f"{self.games} {'game' if self.games == 1 else 'games'}"
        return f"{count}; {self.made} made anew: {self.written} files written, {self.removed} removed"


@dataclass(slots=True)
class _Kept:
    """What the record holds of one game: its mark, its files with their keys, its row of the index."""

    mark: str
    files: dict[str, str]
    row: dict[str, Json]


def write_archive(
    home: Home, out: Path, done: Callable[[], None] = lambda: None, *, disk: Disk | None = None
) -> Archived:
    """Write the archive of a home's games, or bring it up to date.

    Args:
        home: The home.
        out: Where; a new or empty folder, or an archive.
        done: Told after each game.
        disk: The door to the disk where the archive is.

    Raises:
        WrongInput: The folder holds something else, or a template fails that all pages need.
    """
    names = home.games()
    _refuse(home, out)
    disk = disk or disks.Disk()
    disk.make_folder(out)
    with locked(out, wait_seconds=WAIT_SECONDS):
        work = _Work(home, out, Writer(disk, out))
        for name in names:
            work.take(name)
            done()
        rows = [{"ended": False, **work.new[name].row} for name in sorted(work.new)]
        pages = Pages(archive_templates(home.templates))
        work.writer.write("index.html", pages.page("index.html", games=rows).encode())
        if work.writer.written:  # so that a run after a kill knows what this one may have placed
            replace_file(disk, out / RECORD, _bytes(work.underway()))
        written = work.writer.place()
        stale = {file for kept in work.old.values() for file in kept.files}
        removed = work.writer.remove(stale - {file for kept in work.new.values() for file in kept.files})
        work.writer.write(RECORD, _bytes(work.new))
        work.writer.place()
        work.writer.finish()
    nameless = sum(not row["names"] for row in rows)
    counts = len(work.new), work.made, written, removed
    return Archived(*counts, work.aside, nameless, work.is_ours, work.undrawn)


class _Work:
    """One writing of an archive: what stands there, and what will."""

    def __init__(self, home: Home, out: Path, writer: Writer) -> None:
        self.home = home
        self.out = out
        self.writer = writer
        self.old = _read(out)
        self.general = _general_mark(home)
        self.acts = _acts(home)
        self.new: dict[str, _Kept] = {}
        self.aside: dict[str, str] = {}
        self.made = 0
        self.is_ours = False
        self.undrawn: dict[str, str] = {}

    def take(self, name: str) -> None:
        """Make what is to be made of one game; one that cannot be read is set aside as it stands."""
        old = self.old.get(name)
        try:
            settings = f"{self.general} {(self.home.game(name) / 'game.yaml').stamp()}"
            mark = hash_of([settings, _turns_mark(self.home, name), self.acts.get(name, 0)])
            if old is not None and old.mark == mark:
                self.new[name] = old
            elif (allowed := allowed_of(self.home, name)).show:
                self._make(name, allowed, settings, mark)
        except (WrongInput, OSError) as wrong:
            self._set_aside(name, str(wrong))
        except Exception as fault:  # ours: the other games are written, and the command fails
            self._set_aside(name, f"a fault of pbem: {type(fault).__name__}: {fault}")
            self.is_ours = True

    def _set_aside(self, name: str, why: str) -> None:
        self.aside[name] = why
        if name in self.old:
            self.new[name] = _Kept("", self.old[name].files, self.old[name].row)

    def underway(self) -> dict[str, _Kept]:
        """Return the record of an archive that may hold old files and new ones."""
        mixed = {}
        for name in sorted(self.old.keys() | self.new.keys()):
            old, new = self.old.get(name), self.new.get(name)
            if old is new and new is not None:
                mixed[name] = new
            else:
                files = {file: "" for kept in (old, new) if kept is not None for file in kept.files}
                row = new.row if new is not None else old.row if old is not None else {}
                mixed[name] = _Kept("", files, row)
        return mixed

    def _make(self, name: str, allowed: Allowed, settings: str, mark: str) -> None:
        old = self.old[name].files if name in self.old else {}
        standing = {path: key for path, key in old.items() if (self.out / path).is_file()}
        found = GameFiles(self.home, name, allowed, settings, self.out, standing)
        for path, data in found.made.items():
            self.writer.write(path, data)
        if found.fault:  # made again next time, and told again
            self.undrawn[name] = found.fault
            mark, found.keys = "", dict.fromkeys(found.keys, "")
        self.new[name] = _Kept(mark, found.keys, found.row)
        self.made += 1


def _refuse(home: Home, out: Path) -> None:
    """Refuse a folder that something else would be lost in, or that the home's own files lie in."""
    place, own = out.resolve(), home.store.beside.resolve()
    if place == own or any(
        (own / name) in (place, *place.parents) for name in ("games", "orders", "templates", "mail")
    ):
        raise WrongInput(f"{out} holds the home's own files.", "Choose a folder of its own for the archive.")
    begun = (FRESH, f".{RECORD}.tmp")  # by a first run that was killed
    is_free = not out.exists() or (out.is_dir() and all(path.name in begun for path in out.iterdir()))
    if not is_free and not (out / RECORD).is_file():
        raise WrongInput(f"{out} holds something that is no archive.", "Choose a new or empty folder.")


def _general_mark(home: Home) -> str:
    """Return what changes whenever all pages must be made again."""
    settings, own = home.store.at(SETTINGS), home.templates
    folders = [shipped("templates"), *(one.templates for one in installed() if one.system is not None)]
    ours = [*asset_files(), *(path for folder in folders for path in sorted(folder.rglob("*.j2")))]
    stamps: list[object] = [_stamp(path) for path in ours]
    stamps += [(name, (own / name).stamp()) for name in (own.below() if own.is_dir() else ())]
    stamps += [settings.stamp()] if settings.exists() else []
    return f"{FORMAT} {__version__} {hash_of(stamps)}"


def _turns_mark(home: Home, name: str) -> Json:
    """Return what changes with every turn that is made or taken back; it tells nothing of what is secret."""
    turns = home.turns(name)
    newest = turns.newest()
    taken_back: list[Json] = [one.place.name for one in turns.taken_back()]
    return [saves.load_record(turns.at(newest))["root"], newest, taken_back]


def _stamp(path: Path) -> str:
    found = path.stat()
    return f"{path.name} {found.st_mtime_ns} {found.st_size}"


def hash_of(value: Any) -> str:
    """Return a short hash of a JSON value."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:32]


def _acts(home: Home) -> dict[str, int]:
    """Return how many public acts are written down of each game."""
    if not home.has_journal:
        return {}
    with home.journal() as db:
        return db.public_acts()


def _read(out: Path) -> dict[str, _Kept]:
    """Return what was written last, as far as it can be read; what cannot is made again."""
    try:
        value = json.loads((out / RECORD).read_bytes())
        if value["format"] != FORMAT:
            return {}
        return {
            name: _Kept(str(kept["mark"]), dict(kept["files"]), dict(kept["row"]))
            for name, kept in value["games"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _bytes(games: Mapping[str, _Kept]) -> bytes:
    kept: dict[str, Json] = {
        name: {"mark": one.mark, "files": dict[str, Json](one.files), "row": one.row}
        for name, one in games.items()
    }
    return dumps({"format": FORMAT, "games": kept}).encode()
