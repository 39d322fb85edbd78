"""The archive is written: a game whose pages would come out as they are is not looked at again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pbem import __version__
from pbem.core.interface import Json
from pbem.edge import store
from pbem.edge.archive.allowed import allowed_of
from pbem.edge.archive.games import files_of_game
from pbem.edge.archive.pages import Pages, asset_files
from pbem.edge.archive.writing import Writer
from pbem.edge.errors import WrongInput
from pbem.edge.files import LOCK_SECONDS, Disk, locked
from pbem.edge.home import Home
from pbem.edge.shipped import shipped
from pbem.edge.templates import archive_templates
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
    """

    games: int
    made: int
    written: int
    removed: int
    aside: Mapping[str, str]
    nameless: int

    def line(self) -> str:
        """Return this as one line for people."""
        count = f"{self.games} {'game' if self.games == 1 else 'games'}"
        return f"{count}; {self.made} made anew: {self.written} files written, {self.removed} removed"


@dataclass(slots=True)
class _Kept:
    """What an archive's record holds of one game: its mark, its files, and its row of the index."""

    mark: str
    files: list[str]
    row: dict[str, Json]


def write_archive(disk: Disk, home: Home, out: Path, done: Callable[[], None] = lambda: None) -> Archived:
    """Write the archive of a home's games, or bring it up to date.

    Args:
        disk: The door to the disk.
        home: The moderator's folder.
        out: Where; a new or empty folder, or an archive.
        done: Told after each game.

    Raises:
        WrongInput: The folder holds something else, or a template fails that all pages need.
    """
    names = home.games()
    _refuse(home, out)
    disk.make_folder(out)
    with locked(out, wait_seconds=LOCK_SECONDS):
        old = _read(out)
        writer = Writer(disk, out)
        new: dict[str, _Kept] = {}
        aside: dict[str, str] = {}
        made = 0
        general, acts = _general_mark(home), _acts(home)
        for name in names:
            try:
                mark = f"{general} {_mark(home, name)} {acts.get(name, 0)}"
                if name in old and old[name].mark == mark:
                    new[name] = old[name]
                else:
                    allowed = allowed_of(home, name)
                    if allowed.show:
                        row, files = files_of_game(home, name, allowed)
                        for path, data in files.items():
                            writer.write(path, data)
                        new[name] = _Kept(mark, sorted(files), row)
                        made += 1
            except WrongInput as wrong:
                aside[name] = str(wrong)
                if name in old:
                    new[name] = _Kept("", old[name].files, old[name].row)
            done()
        rows = [new[name].row for name in sorted(new)]
        pages = Pages(archive_templates(home.templates_folder))
        writer.write("index.html", pages.page("index.html", games=rows).encode())
        written = writer.place()
        stale = {file for kept in old.values() for file in kept.files}
        removed = writer.remove(stale - {file for kept in new.values() for file in kept.files})
        writer.write(RECORD, _bytes(new))
        writer.place()
    nameless = sum(not row["names"] for row in rows)
    return Archived(len(new), made, written, removed, aside, nameless)


def _refuse(home: Home, out: Path) -> None:
    """Refuse a folder that something else would be lost in, or that the home's own files lie in."""
    place, own = out.resolve(), home.path.resolve()
    if place == own or any(
        (own / name) in (place, *place.parents) for name in ("games", "orders", "templates", "mail")
    ):
        raise WrongInput(f"{out} holds the home's own files.", "Choose a folder of its own for the archive.")
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / RECORD).is_file())):
        raise WrongInput(f"{out} holds something that is no archive.", "Choose a new or empty folder.")


def _general_mark(home: Home) -> str:
    """Return what changes whenever all pages must be made again."""
    settings = home.path / "home.yaml"
    own = sorted(path for path in home.templates_folder.rglob("*") if path.is_file())
    ours = [*asset_files(), *sorted(path for path in shipped("templates").rglob("*.j2"))]
    stamps = [_stamp(path) for path in (*ours, *own, *([settings] if settings.exists() else []))]
    return f"{FORMAT} {__version__} {hash_of(stamps)}"


def _mark(home: Home, name: str) -> str:
    """Return what changes whenever a game's pages must be made again; it tells nothing of what is secret."""
    folder = home.game(name)
    newest = store.newest(folder)
    taken_back = [path.name for path in store.all_undone(folder)]
    return hash_of(
        [store.load_record(folder, newest)["root"], newest, taken_back, _stamp(folder / "game.yaml")]
    )


def _stamp(path: Path) -> str:
    found = path.stat()
    return f"{path.name} {found.st_mtime_ns} {found.st_size}"


def hash_of(value: Any) -> str:
    """Return a short hash of a JSON value."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:32]


def _acts(home: Home) -> dict[str, int]:
    """Return how many public acts are written down of each game."""
    from pbem.edge.hosting.notes import has_notes

    if not has_notes(home):
        return {}
    from pbem.edge.mail.db import open_mail

    with open_mail(Disk(), home) as db:
        return dict(db.rows("SELECT game, count(*) FROM acts WHERE public = 1 GROUP BY game"))


def _read(out: Path) -> dict[str, _Kept]:
    """Return what was written last, as far as it can be read; what cannot is made again."""
    try:
        value = json.loads((out / RECORD).read_bytes())
        if value["format"] != FORMAT:
            return {}
        return {
            name: _Kept(str(kept["mark"]), [str(one) for one in kept["files"]], dict(kept["row"]))
            for name, kept in value["games"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _bytes(games: Mapping[str, _Kept]) -> bytes:
    kept: dict[str, Json] = {
        name: {"mark": one.mark, "files": list[Json](one.files), "row": one.row}
        for name, one in games.items()
    }
    return dumps({"format": FORMAT, "games": kept}).encode()
