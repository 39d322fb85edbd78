"""A copy in memory of games, in which what somebody asks for is tried."""

from __future__ import annotations

from collections.abc import Collection

from pbem.host.office.watch import BEATS
from pbem.play.homes.home import SETTINGS, Home
from pbem.store.memory import MemoryStore
from pbem.store.records import Note, Row


def copy_of(home: Home, games: Collection[str]) -> Home:
    """Return a copy in memory of the moderator's files and some games, with what is noted of them.

    Args:
        home: The home.
        games: The ids of the games; one that there is not is left out.
    """
    store, found = home.store, [game for game in games if home.has(game)]
    folders = ["templates", *(f"{kind}/{game}" for game in found for kind in ("games", "orders"))]
    names = [
        f"{folder}/{name}"
        for folder in folders
        if store.kind(folder) == "folder"
        for name in store.below(folder)
    ]
    if store.kind(SETTINGS) == "file":
        names.append(SETTINGS)
    made = MemoryStore({name: store.read(name) for name in names if store.kind(name) == "file"})
    with home.journal() as db:
        rows: list[Row] = [Note("", BEATS, db.note("", BEATS))]
        rows += [Note(game, key, value) for game in found for key, value in db.notes(game).items()]
        rows += [act for game in found for act in db.acts(game)]
    made.note(rows)
    return Home(made)
