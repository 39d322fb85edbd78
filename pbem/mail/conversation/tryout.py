"""Acts are tried in a copy of their games that nobody keeps: what they would come to, or what is wrong."""

from __future__ import annotations

from collections.abc import Collection

from pbem.host.office.heartbeat import BEATS
from pbem.play.homes.home import SETTINGS, Home
from pbem.store.journals.records import Note, Row
from pbem.store.memory import MemoryStore


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
