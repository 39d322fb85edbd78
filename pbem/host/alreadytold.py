"""What digests have told the moderator already, so that each piece of news is told once."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from pbem.store.journal import Journal

_TOLD: Final = "digested"
"""The key of the note that says it."""


class AlreadyTold(NamedTuple):
    """How far digests have told.

    Attributes:
        mails: The number of the last mail taken in.
        came_back: The numbers of the mails that came back.
        acts: The number of the last act; earlier versions noted none.
    """

    mails: int = 0
    came_back: tuple[int, ...] = ()
    acts: int = 0


def already_told(db: Journal) -> AlreadyTold:
    """Return how far digests have told."""
    text = db.note("", _TOLD)
    try:
        mails, came_back, *acts = json.loads(text) if text else (0, [])
        return AlreadyTold(int(mails), tuple(came_back), int(acts[0]) if acts else 0)
    except (ValueError, TypeError):  # the row is damaged: better told twice than never again
        return AlreadyTold()


def to_note(db: Journal) -> str:
    """Return how far mails and acts have come: read it before a digest is gathered."""
    return json.dumps([db.last_processed(), [one.id for one in db.came_back()], db.last_act()])


def note_told(db: Journal, upto: str) -> None:
    """Note that everything was told up to where `to_note` has found the mails and acts."""
    db.set_note("", _TOLD, upto)
