"""The archive is written: a game whose pages would come out as they are is not looked at again."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pbem import __version__
from pbem.archive.games import THUMBNAIL, GameFiles
from pbem.archive.profiles import OverallFiles
from pbem.archive.public import PublishPolicy, address_of_site, is_attendance_public, publish_policy_of
from pbem.archive.record import FORMAT, RECORD, GameRecord, Record, merge_records, read_record
from pbem.archive.rendering import FRESH, Pages, Writer, asset_files
from pbem.archive.results import Stint, address_of, number_namesakes, result_of, stints_of
from pbem.archive.thumbnails import Boards, Sheet
from pbem.core.interface import Json
from pbem.play.config.registry import installed_rules
from pbem.play.config.templates import archive_templates
from pbem.play.homes import saves
from pbem.play.homes.home import SETTINGS, Home
from pbem.play.homes.saved import SavedGame
from pbem.store import disk as disks
from pbem.store.disk import Disk, hold_folder_lock, replace_file
from pbem.store.errors import WrongInput
from pbem.store.interface import WAIT_SECONDS
from pbem.store.opening import shipped_folder
from pbem.text.codec import encode


@dataclass(frozen=True, slots=True)
class SiteResult:
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
        unrated: There are results to rate, and the extra for it is missing.
        only_public: Finished games whose download has only what was public, for their records tell what is
            not published: names of players (of an older version), or who sent an anonymous message.
    """

    games: int
    made: int
    written: int
    removed: int
    aside: Mapping[str, str]
    nameless: int
    is_ours: bool = False
    undrawn: Mapping[str, str] = field(default_factory=dict)
    unrated: bool = False
    only_public: tuple[str, ...] = ()

    def line(self) -> str:
        """Return this as one line for people."""
        count = f"{self.games} {'game' if self.games == 1 else 'games'}"
        return f"{count}; {self.made} made anew: {self.written} files written, {self.removed} removed"


def write_archive(
    home: Home, out: Path, done: Callable[[], None] = lambda: None, *, disk: Disk | None = None
) -> SiteResult:
    """Write the archive of a home's games, or bring it up to date.

    Args:
        home: The home.
        out: Where; a new or empty folder, or an archive.
        done: Told after each game.
        disk: The door to the disk where the archive is.

    Raises:
        WrongInput: The folder holds something else, `home.yaml` is damaged, or a template fails that all
            pages need.
    """
    names, punctual = home.games(), is_attendance_public(home)
    _refuse_archive_folder(home, out)
    disk = disk or disks.Disk()
    disk.make_folder(out)
    with hold_folder_lock(out, wait_seconds=WAIT_SECONDS):
        work = _SiteBuild(home, out, Writer(disk, out))
        for name in names:
            work.take(name)
            done()
        work.number_people()
        overall = work.add_overall(punctual)
        if work.writer.written:  # so that a run after a kill knows what this one may have placed
            replace_file(disk, out / RECORD, merge_records(work.old, work.new).as_bytes())
        written = work.writer.place()
        removed = work.writer.remove(work.old.files() - work.new.files())
        work.writer.write(RECORD, work.new.as_bytes())
        work.writer.place()
        work.writer.finish()
    games = work.new.games
    nameless = sum(not kept.row["names"] for kept in games.values())
    counts = len(games), work.made, written, removed
    public = tuple(name for name, kept in sorted(games.items()) if kept.row.get("only_public"))
    return SiteResult(*counts, work.aside, nameless, work.is_ours, work.undrawn, overall.unrated, public)


def _keys_of_existing_files(out: Path, keys: Mapping[str, str]) -> dict[str, str]:
    """Return the keys of those files that are there."""
    return {path: key for path, key in keys.items() if (out / path).is_file()}


class _SiteBuild:
    """One writing of an archive: what stands there, and what will."""

    def __init__(self, home: Home, out: Path, writer: Writer) -> None:
        self.home = home
        self.out = out
        self.writer = writer
        self.old = read_record(out)
        self.general = _site_fingerprint(home)
        self.acts = _public_act_counts(home)
        self.new = Record()
        self.addresses: dict[tuple[str, str, int], str] = {}
        self.aside: dict[str, str] = {}
        self.made = 0
        self.is_ours = False
        self.undrawn: dict[str, str] = {}
        self.drawn: dict[str, str] = {}

    def take(self, name: str) -> None:
        """Make what is to be made of one game; one that cannot be read is set aside as it stands."""
        old = self.old.games.get(name)
        try:
            settings = f"{self.general} {(self.home.game(name) / 'game.yaml').stamp()}"
            mark = json_hash([settings, _turns_mark(self.home, name), self.acts.get(name, 0)])
            if old is not None and old.mark == mark:
                self.new.games[name] = old
            elif (allowed := publish_policy_of(self.home, name)).show:
                self._make_game(name, allowed, settings, mark)
        except (WrongInput, OSError) as wrong:
            self._set_aside(name, str(wrong))
        except Exception as fault:  # ours: the other games are written, and the command fails
            self._set_aside(name, f"a fault of pbem: {type(fault).__name__}: {fault}")
            self.is_ours = True

    def _set_aside(self, name: str, why: str) -> None:
        self.aside[name] = why
        if (old := self.old.games.get(name)) is not None:
            self.new.games[name] = GameRecord("", old.files, old.row)

    def number_people(self) -> None:
        """Number people of one name by their addresses; those of a game that stayed as it was are read."""
        games = {name: (str(kept.row["begun"]), stints_of(kept.row)) for name, kept in self.new.games.items()}
        for name, people in number_namesakes(games, self._address).items():
            self.new.games[name].row["people"] = encode(people)

    def _address(self, game: str, stint: Stint) -> str:
        known = self.addresses.get((game, stint.seat, stint.first))
        if known is not None:
            return known
        try:
            return address_of(SavedGame(self.home, game).table, stint)
        except (WrongInput, OSError):
            return ""

    def add_overall(self, punctual: bool) -> OverallFiles:
        """Make the pages that tell of several games, the index too."""
        kept = [self.new.games[name].row for name in sorted(self.new.games)]
        rows = [{"ended": False, "due": {}, "turns": row["turn"], **row} for row in kept]
        pages = Pages(archive_templates(self.home.templates))
        standing = _keys_of_existing_files(self.out, self.old.overall)
        found = OverallFiles(
            pages, [result_of(row) for row in rows], self.general, standing, self._boards(), punctual=punctual
        )
        shown = _sort_index_rows(rows)
        lists = found.add_lists(rows) if len(shown) < len(rows) else ()
        for path, data in found.made.items():
            self.writer.write(path, data)
        self.new.overall = found.keys
        sheet = Sheet(self._thumbnails([str(row["name"]) for row in shown]))
        index = pages.page(
            "index.html",
            games=shown,
            count=len(rows),
            lists=lists,
            shared=sheet.shared,
            pictures=sheet.pictures,
            address=address_of_site(self.home),
            players=found.players,
            records=found.rules,
        )
        self.writer.write("index.html", index.encode())
        return found

    def _boards(self) -> Boards:
        keys = {name: kept.files.get(f"{name}/{THUMBNAIL}", "") for name, kept in self.new.games.items()}
        return Boards(keys, self._thumbnails)

    def _thumbnails(self, games: Sequence[str]) -> dict[str, str]:
        """Return the small pictures of some games, as many as a page has room for."""
        found: dict[str, str] = {}
        room = _ROOM
        for game in games:
            text = self.drawn.get(game, "")
            if not text and f"{game}/{THUMBNAIL}" in self.new.games[game].files:
                with contextlib.suppress(OSError):
                    text = (self.out / game / THUMBNAIL).read_text(encoding="utf-8")
            if text and len(text) <= room:
                found[game] = text
                room -= len(text)
        return found

    def _make_game(self, name: str, allowed: PublishPolicy, settings: str, mark: str) -> None:
        old = self.old.games[name].files if name in self.old.games else {}
        found = GameFiles(
            self.home, name, allowed, settings, self.out, _keys_of_existing_files(self.out, old)
        )
        for path, data in found.made.items():
            self.writer.write(path, data)
            if path == f"{name}/{THUMBNAIL}":
                self.drawn[name] = data.decode()
        if found.fault:  # made again next time, and told again
            self.undrawn[name] = found.fault
            mark, found.keys = "", dict.fromkeys(found.keys, "")
        self.new.games[name] = GameRecord(mark, found.keys, found.row)
        for one, address in zip(stints_of(found.row), found.addresses, strict=True):
            self.addresses[name, one.seat, one.first] = address
        self.made += 1


_SHOWN: Final = 24
"""So many games of each kind stand on the index, the newest."""

_ROOM: Final = 110_000
"""So long are all small pictures on a page together; games that come after have bars of points alone."""


def _sort_index_rows(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the games of the index, the newest first, those that run before all others."""
    found: list[dict[str, Any]] = []
    for over, ended in ((False, False), (True, False), (False, True)):
        kind = [row for row in rows if (row["over"], row["ended"]) == (over, ended)]
        found += sorted(kind, key=lambda row: (row["at"], row["name"]), reverse=True)[:_SHOWN]
    return found


def _refuse_archive_folder(home: Home, out: Path) -> None:
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


def _site_fingerprint(home: Home) -> str:
    """Return what changes whenever all pages must be made again."""
    settings, own = home.store.at(SETTINGS), home.templates
    folders = [
        shipped_folder("templates"),
        *(one.templates for one in installed_rules() if one.system is not None),
    ]
    ours = [*asset_files(), *(path for folder in folders for path in sorted(folder.rglob("*.j2")))]
    stamps: list[object] = [_file_fingerprint(path) for path in ours]
    stamps += [(name, (own / name).stamp()) for name in (own.below() if own.is_dir() else ())]
    stamps += [settings.stamp()] if settings.exists() else []
    return f"{FORMAT} {__version__} {json_hash(stamps)}"


def _turns_mark(home: Home, name: str) -> Json:
    """Return what changes with every turn that is made or taken back; it tells nothing of what is secret."""
    turns = home.turns(name)
    newest = turns.newest()
    taken_back: list[Json] = [one.place.name for one in turns.taken_back()]
    return [saves.load_record(turns.at(newest))["root"], newest, taken_back]


def _file_fingerprint(path: Path) -> str:
    found = path.stat()
    return f"{path.name} {found.st_mtime_ns} {found.st_size}"


def json_hash(value: Any) -> str:
    """Return a short hash of a JSON value."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:32]


def _public_act_counts(home: Home) -> dict[str, int]:
    """Return how many public acts are written down of each game."""
    if not home.has_journal:
        return {}
    with home.journal() as db:
        return db.public_acts()
