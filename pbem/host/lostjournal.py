"""Whether the journal of a home was lost and begun anew: what it no longer knows, no run must pass over."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Final

from pbem.host.heartbeat import NIGHTS
from pbem.play.home import Home
from pbem.store.errors import Reason
from pbem.store.records import iso

if TYPE_CHECKING:
    from pbem.store.journal import Journal

Moment = datetime.datetime

BEGUN: Final = "journal begun anew"
"""The key of the note that says when a night job met a journal that was begun anew."""


def begun_anew(home: Home, db: Journal | None, now: Moment) -> Moment | None:
    """Return when the journal of a home was seen to be begun anew; None if it never was lost.

    A journal in which no night job was noted, and that knows of fewer mails than lie beside it, has followed
    one that is gone. In a database it is never so.

    Args:
        home: The home.
        db: Its journal; None if there is none.
        now: The moment: if it is seen for the first time, that is when.
    """
    if not home.store.is_folder:
        return None
    if db is None:
        return now if _kept_mails(home) else None
    if (noted := db.note("", BEGUN)) is not None:
        return Moment.fromisoformat(noted)
    is_new = db.note("", NIGHTS) is None and _kept_mails(home) > db.came_in()
    return now if is_new else None


def note_if_lost(home: Home, db: Journal, now: Moment) -> None:
    """Note that the journal was begun anew, if it was: once a night job is noted, nothing else tells."""
    if (begun := begun_anew(home, db, now)) is not None and db.note("", BEGUN) is None:
        db.set_note("", BEGUN, iso(begun))


def journal_reason(game: str) -> Reason:
    """Return the reason not to make a turn of a game that is older than the journal."""
    text = (
        f"the journal was lost: whether {game} was paused, whether its deadline was moved, and whose orders "
        "were held back is not known; give that again first (`pbem help home salvage` tells more)"
    )
    return Reason("journal", text)


def _kept_mails(home: Home) -> int:
    """Return how many mails that came in are kept as files."""
    raw = home.store.beside / "mail/raw"
    return sum(1 for _ in raw.glob("*.eml"))
