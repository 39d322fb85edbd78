"""Whether the journal of a home was lost and begun anew: what it no longer knows, no run must pass over."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Final

from pbem.host.office.heartbeat import NIGHTS
from pbem.play.homes.home import Home
from pbem.store.errors import Reason
from pbem.store.journals.records import iso

if TYPE_CHECKING:
    from pbem.store.journals.journal import Journal

Moment = datetime.datetime

BEGUN: Final = "journal begun anew"
"""The key of the note that says when a night job, or a run in spite of it, met a journal begun anew."""

_PASS: Final = 2
"""So many mails may be kept that no row knows: a kill may come between a mail and its row."""


def begun_anew(home: Home, db: Journal | None, now: Moment) -> Moment | None:
    """Return when the journal of a home was seen to be begun anew; None if it never was lost.

    A journal in which no night job was noted, and that does not know several of the mails that lie beside it,
    has followed one that is gone. In a database it is never so.

    Args:
        home: The home.
        db: Its journal; None if there is none.
        now: The moment: if it is seen for the first time, that is when.
    """
    if not home.store.is_folder:
        return None
    if db is None:
        return now if len(_kept_mails(home)) > _PASS else None
    if (noted := db.note("", BEGUN)) is not None:
        return Moment.fromisoformat(noted)
    if db.note("", NIGHTS) is not None:
        return None
    return now if len(_kept_mails(home) - db.kept_mails()) > _PASS else None


def note_if_lost(home: Home, db: Journal, now: Moment) -> None:
    """Note that the journal was begun anew, if it was: turns that are made from then on are younger.

    Turns know their moment in whole seconds, and so does the note.
    """
    if (begun := begun_anew(home, db, now)) is not None and db.note("", BEGUN) is None:
        db.set_note("", BEGUN, iso(begun.replace(microsecond=0)))


def journal_reason(game: str) -> Reason:
    """Return the reason not to make a turn of a game that is older than the journal."""
    text = (
        f"the journal was lost: whether {game} was paused, whether its deadline was moved, and whose orders "
        "were held back is not known; give that again first (`pbem help home salvage` tells more)"
    )
    return Reason("journal", text)


def _kept_mails(home: Home) -> set[str]:
    """Return the hashes of the mails that came in and are kept as files."""
    raw = home.store.beside / "mail/raw"
    return {one.stem for one in raw.glob("*.eml")}
