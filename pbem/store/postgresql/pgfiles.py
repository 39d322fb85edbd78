"""The files of a home as rows of a PostgreSQL database: packed, in the order of their names."""

from __future__ import annotations

import contextlib
import re
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from pbem.store.interface import UNDONE, Kind, turn_name, undone_name
from pbem.store.postgresql.pgconnection import PgDoor

_AHEAD: Final = re.compile(r"games/[^/]+/turns/[0-9]+(/|$)|orders/[^/]+$")
"""Folders whose files are read with their listing."""

_SETTINGS: Final = "home.yaml"

_KNOWN_SECONDS: Final = 1.0

_SMALL: Final = 200
"""Files of fewer bytes are not packed."""


class Glance:
    """What was read ahead on one connection, so that a run need not ask for each file by itself.

    The files of a turn, and the orders of a game, are read with their listing, and each is given once. The
    names of the moderator's templates, of which a run asks for dozens that are not there, are read together.
    Both are known for a second, and not beyond a change or the moment in which something is held. While
    something is held, `home.yaml` is read once: a run keeps to what stood in it at its beginning.
    """

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._templates: list[str] | None = None
        self._settings: tuple[bytes | None] | None = None
        self._until = 0.0
        self._holds = 0

    def _look(self) -> None:
        """Forget what was known for too long."""
        if time.monotonic() >= self._until:
            self.forget()
            self._until = time.monotonic() + _KNOWN_SECONDS

    def below(self, db: PgDoor, name: str) -> list[str]:
        """Return the names of all files below a folder, in order."""
        if name == "templates":
            return self._templates_of(db)
        if not _AHEAD.match(name):
            found = db.rows(f"SELECT name FROM files WHERE {BELOW} ORDER BY name", *below(name))
            return [str(row[0]) for row in found]
        rows = db.rows(f"SELECT name, data, packed FROM files WHERE {BELOW} ORDER BY name", *below(name))
        self._look()
        self._files = {str(one): unpacked(data, is_packed) for one, data, is_packed in rows}
        return list(self._files)

    def read(self, db: PgDoor, name: str) -> bytes | None:
        """Return the content of a file, None if there is none; one read ahead is read anew the next time."""
        self._look()
        if name == _SETTINGS and self._holds:
            if self._settings is None:
                self._settings = (read(db, name),)
            return self._settings[0]
        found = self._files.pop(name, None)
        return read(db, name) if found is None else found

    def kind(self, db: PgDoor, name: str) -> Kind:
        """Tell what lies under a name."""
        self._look()
        if name == _SETTINGS and self._holds:
            return "" if self.read(db, name) is None else "file"
        if name.startswith("templates/") and not any(one.startswith(name) for one in self._templates_of(db)):
            return ""
        return "file" if name in self._files else kind(db, name)

    def _templates_of(self, db: PgDoor) -> list[str]:
        """Return the names of the moderator's own templates, in order."""
        self._look()
        if self._templates is None:
            found = db.rows(f"SELECT name FROM files WHERE {BELOW} ORDER BY name", *below("templates"))
            self._templates = [str(row[0]) for row in found]
        return self._templates

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep to what stands in the home while something is held; nothing of it is known before or after."""
        self.forget()
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self.forget()

    def forget(self) -> None:
        """Read everything anew: something was changed."""
        self._files, self._templates, self._settings, self._until = {}, None, None, 0.0


def turns_among(files: Iterable[str]) -> set[tuple[int, int]]:
    """Return the turns that these files of a game belong to, each with how often it was taken back."""
    found = set()
    for name in files:
        parts = name.split("/")
        if parts[0] == "turns" and len(parts) > 2:
            undone = UNDONE.fullmatch(parts[2]) if parts[1] == "undone" else None
            found.add((int(undone[1]), int(undone[2])) if undone else (int(parts[1]), 0))
    return found


BELOW: Final = "name >= ? AND name < ?"


def below(name: str) -> tuple[str, str]:
    """Return between which names all lie that are below a folder; "0" follows "/" in the order of bytes."""
    return (f"{name}/", f"{name}0") if name else ("", "\U0010ffff")


def read(db: PgDoor, name: str) -> bytes | None:
    """Return the content of a file; None if there is none."""
    found = db.rows("SELECT data, packed FROM files WHERE name = ?", name) if "\0" not in name else []
    return unpacked(*found[0]) if found else None


def kind(db: PgDoor, name: str) -> Kind:
    """Tell what lies under a name."""
    if "\0" in name:
        return ""
    sql = f"SELECT EXISTS (SELECT 1 FROM files WHERE name = ?), EXISTS (SELECT 1 FROM files WHERE {BELOW})"
    is_file, is_folder = db.rows(sql, name, *below(name))[0]
    return "file" if is_file else "folder" if is_folder or not name else ""


NAMED_BY_HASH: Final = "mail/raw/"
"""Files below are named by the hash of their bytes: one that is there is the same, and stays."""

_INSERT: Final = (
    "INSERT INTO files (name, data, packed) SELECT * FROM unnest(?::text[], ?::bytea[], ?::bool[]) "
    "ON CONFLICT "
)
_REPLACE: Final = (
    "(name) DO UPDATE SET data = excluded.data, packed = excluded.packed, stamp = nextval('stamps')"
)


def put(db: PgDoor, files: Mapping[str, bytes]) -> None:
    """Keep files in place of what was there.

    Who keeps a mail needs no right to read mails, nor to replace them.
    """
    for how, is_hash in ((_REPLACE, False), ("DO NOTHING", True)):
        names = [name for name in files if name.startswith(NAMED_BY_HASH) is is_hash]
        packed = [_packed(files[name]) for name in names]
        if packed:
            values = [data for data, _ in packed], [is_packed for _, is_packed in packed]
            db.run(f"{_INSERT}{how}", names, *values)


def _packed(data: bytes) -> tuple[bytes, bool]:
    """Return the bytes of a file as they are kept, and whether they are packed."""
    if len(data) < _SMALL or len(packed := zlib.compress(data)) >= len(data):
        return data, False
    return packed, True


def unpacked(data: bytes, is_packed: bool) -> bytes:
    """Return the bytes of a file as they were given."""
    return zlib.decompress(data) if is_packed else bytes(data)


def take_back(db: PgDoor, game: str, turn: int) -> None:
    """Move a turn to those taken back."""
    sql = "SELECT coalesce(max(revision), 0) + 1 FROM turns WHERE game = ? AND turn = ?"
    revision = int(db.rows(sql, game, turn)[0][0])
    old, new = turn_name(game, turn), undone_name(game, turn, revision)
    db.run("UPDATE turns SET revision = ? WHERE game = ? AND turn = ? AND revision = 0", revision, game, turn)
    db.run(f"UPDATE files SET name = ? || substr(name, ?) WHERE {BELOW}", new, len(old) + 1, *below(old))
