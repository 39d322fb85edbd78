"""What an archive remembers beside its pages: what each file was made from, and a row of each game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem.core.interface import Json
from pbem.text.schemas.codec import dumps

RECORD: Final = "archive.json"
FORMAT: Final = 2


@dataclass(slots=True)
class Kept:
    """What the record holds of one game: its mark, its files with their keys, its row of the index."""

    mark: str
    files: dict[str, str]
    row: dict[str, Json]


@dataclass(slots=True)
class Record:
    """The record of an archive.

    Attributes:
        games: What it holds of each game.
        overall: The key of each file that tells of several games.
    """

    games: dict[str, Kept] = field(default_factory=dict)
    overall: dict[str, str] = field(default_factory=dict)

    def files(self) -> set[str]:
        """Return the paths of all files."""
        return {file for kept in self.games.values() for file in kept.files} | self.overall.keys()

    def as_bytes(self) -> bytes:
        """Return the content of `archive.json`."""
        games: dict[str, Json] = {
            name: {"mark": one.mark, "files": dict[str, Json](one.files), "row": one.row}
            for name, one in self.games.items()
        }
        return dumps({"format": FORMAT, "games": games, "overall": dict[str, Json](self.overall)}).encode()


def read_record(out: Path) -> Record:
    """Return what was written last, as far as it can be read; what cannot is made again."""
    try:
        value = json.loads((out / RECORD).read_bytes())
        if value["format"] != FORMAT:
            return Record()
        games = {
            name: Kept(str(kept["mark"]), dict(kept["files"]), dict(kept["row"]))
            for name, kept in value["games"].items()
        }
        return Record(games, dict(value.get("overall", {})))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Record()


def mixed(old: Record, new: Record) -> Record:
    """Return the record of an archive that may hold old files and new ones."""
    games = {}
    for name in sorted(old.games.keys() | new.games.keys()):
        was, now = old.games.get(name), new.games.get(name)
        if was is now and now is not None:
            games[name] = now
        else:
            kept = [one for one in (was, now) if one is not None]
            games[name] = Kept("", _unsure(one.files for one in kept), kept[-1].row)
    return Record(games, _unsure([old.overall, new.overall]))


def _unsure(files: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return files that may be of either kind, so that all are made again."""
    return {file: "" for one in files for file in one}
