"""Games that their moderator ended: no turn is run and no orders are taken, until they are brought back."""

from __future__ import annotations

import datetime
import json
from typing import Final, NamedTuple

from pbem.core.interface import Json
from pbem.play.homes.home import Home
from pbem.store.journals.records import iso

CANCELLED: Final = "cancelled"
"""The key of the note that says so."""

_FILE: Final = "cancelled.json"
"""The file of a game that says so too: the end of a game outlives a journal that is lost."""


class Cancelled(NamedTuple):
    """How a game was ended by its moderator.

    Attributes:
        at: When.
        why: Why, in words for all; no full stop ends them.
    """

    at: datetime.datetime
    why: str

    def told(self) -> str:
        """Return it as a clause, for players and the public."""
        return f"the moderator ended the game ({self.why})"

    def sentence(self) -> str:
        """Return it as a sentence."""
        told = self.told()
        return f"{told[0].upper()}{told[1:]}."

    def noted(self) -> list[Json]:
        """Return the value of the note."""
        return [iso(self.at), self.why]


def read_cancelled(text: str | None) -> Cancelled | None:
    """Return what a note says; None if there is none."""
    if text is None:
        return None
    at, why = json.loads(text)
    return Cancelled(datetime.datetime.fromisoformat(at), str(why))


def name_of_end(game: str) -> str:
    """Return the name of the file that says it of a game."""
    return f"games/{game}/{_FILE}"


def kept_end(home: Home, game: str) -> Cancelled | None:
    """Return what the file of a game says; None if there is none, as of earlier versions.

    In a database nothing of it can be lost alone.
    """
    if not home.store.is_folder:
        return None
    try:
        return read_cancelled(home.store.read(name_of_end(game)).decode())
    except FileNotFoundError:
        return None


def cancelled(home: Home, game: str) -> Cancelled | None:
    """Return how a game was ended by its moderator, if it was; a home without notes stays without."""
    kept = kept_end(home, game)
    if kept is not None or not home.has_journal:
        return kept
    with home.journal() as db:
        return read_cancelled(db.note(game, CANCELLED))
