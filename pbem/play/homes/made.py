"""The newest turn that was made in a home without mail, noted beside its game: one that goes is missed."""

from __future__ import annotations

import json
from typing import Final

from pbem.play.homes.home import Home
from pbem.play.homes.turns import Turns

NOTE: Final = "newest.json"
"""The name of the note in a game's folder: the number of the turn, and how often it had been taken back."""


def note_newest(home: Home, game: str) -> None:
    """Note the newest turn of a game, once it stands; a kill before that leaves the note of an older one.

    Where turns are missing that were noted, nothing is noted. By mail it is known which turns were mailed,
    and in a database no hand deletes a folder.

    Raises:
        OSError: The disk is full or fails; the note is as it was.
    """
    if not home.store.is_folder or home.mail_section():
        return
    turns = home.turns(game)
    newest = turns.newest()
    data = json.dumps({"turn": newest, "revision": turns.revision(newest)}).encode()
    if newest and _noted_bytes(turns) != data and not gone_turns(turns):
        home.store.lodge(f"games/{game}/{NOTE}", data)


def gone_turns(turns: Turns) -> tuple[int, ...]:
    """Return the turns after the newest that were noted and not taken back; none if nothing can be read."""
    try:
        noted = json.loads(_noted_bytes(turns))
        turn, revision = int(noted["turn"]), int(noted["revision"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ()
    later = range(turns.newest() + 1, turn + 1)
    return tuple(one for one in later if turns.revision(one) <= (revision if one == turn else 0))


def _noted_bytes(turns: Turns) -> bytes:
    try:
        return turns.store.read(f"games/{turns.game}/{NOTE}")
    except OSError:
        return b""
