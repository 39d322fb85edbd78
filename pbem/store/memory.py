"""A home that nobody keeps: a game before it is made, an archive that is looked into, a store for trying."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.store.errors import GateClosedError, Reason, WrongInput
from pbem.store.interface import UNDONE, Change, Kind, Place, ReadStore, SingleWriter, turn_name, undone_name
from pbem.store.rests import refuse_closed

if TYPE_CHECKING:
    from pbem.store.journal import Figure, Journal
    from pbem.store.records import Row


class MemoryStore(SingleWriter):
    """Files by name, in memory, before those of another store if there is one behind it."""

    def __init__(self, files: Mapping[str, bytes], *, behind: ReadStore | None = None) -> None:
        """Begin with files.

        Args:
            files: The content of each, by name.
            behind: Where to look for what is not among them.
        """
        self.files, self.is_folder = dict(files), False
        self.is_being_copied = False
        self._behind = behind
        self._held: set[str] = set()
        self._journal: Journal | None = None

    @property
    def beside(self) -> Path:
        """The folder in which the moderator keeps files of their own: none in particular."""
        return Path()

    def at(self, name: str) -> Place:
        """Return a place of this store."""
        return Place(self, name)

    # --- what lies where

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        if name in self.files:
            return self.files[name]
        if self._behind is not None:
            return self._behind.read(name)
        if self.kind(name) == "folder":
            raise IsADirectoryError(21, "Is a directory", name)
        raise FileNotFoundError(2, "No such file or directory", name)

    def kind(self, name: str) -> Kind:
        """Tell what lies under a name."""
        if name in self.files:
            return "file"
        if not name or any(one.startswith(f"{name}/") for one in self.files):
            return "folder"
        return self._behind.kind(name) if self._behind is not None else ""

    def names(self, name: str) -> list[str]:
        """Return the names right below a folder."""
        if not (found := {one.partition("/")[0] for one in self.below(name)}) and not self.kind(name):
            raise FileNotFoundError(2, "No such file or directory", name)
        return sorted(found)

    def below(self, name: str) -> list[str]:
        """Return the paths of all files below a folder, from that folder."""
        start = f"{name}/" if name else ""
        found = {one.removeprefix(start) for one in self.files if one.startswith(start)}
        if self._behind is not None and self._behind.kind(name) == "folder":
            found.update(self._behind.below(name))
        return sorted(found)

    def stamp(self, name: str) -> object:
        """Return what is another whenever the content of a file may be."""
        return hashlib.sha256(self.read(name)).digest()

    def spelled(self, name: str) -> str:
        """Return how people are told of a name."""
        return self._behind.spelled(name) if self._behind is not None else name

    # --- games and turns

    def games(self) -> list[str]:
        """Return the ids of all games, in order."""
        return sorted({name.split("/")[1] for name in self.files if name.startswith("games/")})

    def has(self, game: str) -> bool:
        """Tell whether there is a game of this id, without looking at the others."""
        return self.kind(f"games/{game}/turns") == "folder" if game and "/" not in game else False

    def turns(self, game: str) -> list[int]:
        """Return the numbers of a game's committed turns, in order."""
        return sorted(int(name) for name in self.names(f"games/{game}/turns") if name.isdigit())

    def taken_back(self, game: str) -> list[tuple[int, int]]:
        """Return the turns that were taken back: number and how often before, from 1; in order."""
        folder = f"games/{game}/turns/undone"
        names = self.names(folder) if self.kind(folder) else []
        return sorted((int(one[1]), int(one[2])) for name in names if (one := UNDONE.fullmatch(name)))

    # --- the journal

    @property
    def has_journal(self) -> bool:
        """Tell whether anything was ever noted in this home."""
        return self._journal is not None

    def journal(self) -> Journal:
        """Open the journal. Use it in `with`."""
        if self._journal is None:
            from pbem.store.journal import open_memory_journal

            self._journal = open_memory_journal()
        return self._journal

    def note(self, rows: Iterable[Row]) -> None:
        """Write rows into the journal, all or none."""
        with self.journal() as db:
            db.write(rows)

    # --- which games rest

    def stirring(self, now: datetime.datetime) -> list[str]:
        """Return the games to look at, in order: all but those that rest."""
        resting = self.journal().resting(now) if self._journal else {}
        return [game for game in self.games() if game not in resting or resting[game] != self.seen(game)]

    def seen(self, game: str) -> str:
        """Return what stands in a game, in short."""
        folders = (f"games/{game}/", f"orders/{game}/")
        files = [item for item in sorted(self.files.items()) if item[0].startswith((*folders, "home.yaml"))]
        return f"{hashlib.sha256(repr(files).encode()).hexdigest()} {self.journal().noted(game)}"

    def let_rest(self, game: str, seen: str, until: datetime.datetime) -> None:
        """Note that nothing is to be done in a game before a moment, as long as it stands as it was seen."""
        if self.seen(game) == seen:
            self.journal().let_rest(game, seen, until)

    # --- changes

    @contextlib.contextmanager
    def held(self, name: str, *, wait_seconds: float = 0.0) -> Iterator[Change | None]:
        """Hold a game, or something else by its name; who has it already is not waited for."""
        if name in self._held:
            text = f"another pbem is at work on {name.rpartition('/')[2]}"
            raise GateClosedError((Reason("locked", text, can_override=False),))
        refuse_closed(self)
        self._held.add(name)
        try:
            yield None
        finally:
            self._held.remove(name)

    def lodge(self, name: str, data: bytes) -> None:
        """Keep one file in place of what was there."""
        self.files[name] = data

    def commit(self, game: str, turn: int, files: Mapping[str, bytes]) -> None:
        """Add a turn to a game that the caller holds."""
        if self._behind is None and turn in self.turns(game):
            raise FileExistsError(17, "File exists", self.spelled(turn_name(game, turn)))
        self.files.update({f"{turn_name(game, turn)}/{name}": data for name, data in files.items()})

    def found(self, game: str, files: Mapping[str, bytes]) -> None:
        """Add a game."""
        if self.has(game):
            raise WrongInput(f"there is a game {game} already.", "Choose another id.")
        self.files.update({f"games/{game}/{name}": data for name, data in files.items()})

    def change(self, game: str, change: Change) -> None:
        """Make several things of a game that the caller holds true together."""
        kept = dict(self.files)
        for name, data in change.files.items():
            if data is None:
                kept.pop(name, None)
            else:
                kept[name] = data
        if (turn := change.taken_back) is not None:
            revision = 1 + max((one[1] for one in self.taken_back(game) if one[0] == turn), default=0)
            old, new = turn_name(game, turn), undone_name(game, turn, revision)
            kept = {
                f"{new}{name.removeprefix(old)}" if name.startswith(f"{old}/") else name: data
                for name, data in kept.items()
            }
        if change.rows:
            self.note(change.rows)
        self.files = kept

    def remove(self, name: str) -> None:
        """Remove a file."""
        if name not in self.files:
            raise FileNotFoundError(2, "No such file or directory", name)
        del self.files[name]

    def tidy(self, *names: str) -> None:
        """Remove what was left half written: nothing ever is."""

    # --- what a moderator is told

    def figures(self, now: datetime.datetime) -> list[Figure]:
        """Return the figures of this home."""
        return self.journal().figures(len(self.games()), len(self.stirring(now)), now)

    def free_bytes(self) -> int:
        """Return how much more can be kept here: more than anybody asks for."""
        return 1 << 40

    def open_to_others(self, names: Iterable[str]) -> list[WrongInput]:
        """Return a mistake for each of these names that others can read: none."""
        return []
