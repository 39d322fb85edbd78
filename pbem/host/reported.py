"""Which reports are with their readers: queued, sent before a turn was taken back, or not made yet."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pbem.core.events import Seat
from pbem.play import saves
from pbem.play.corrections import is_same_report
from pbem.play.saved import SavedGame
from pbem.store.journal import MailDb

REPORTED: Final = "reported:"
"""The key of a game's note that says which revision of a turn was queued, before the turn."""


def revision_of(folder: Path, turn: int) -> int:
    """Return how often a turn was taken back before it was run as it stands."""
    taken_back = saves.undone(folder, turn)
    return saves.revision(taken_back[-1]) if taken_back else 0


def knows_report(saved: SavedGame, db: MailDb, turn: int, seat: Seat) -> bool:
    """Tell whether a seat was sent this very report before the turn was taken back and run again."""
    sql = (
        "SELECT revision FROM outbox WHERE game = ? AND seat = ? AND kind IN ('report', 'invitation') "
        "AND turn = ? AND state IN ('claimed', 'sent', 'bounced') ORDER BY revision DESC LIMIT 1"
    )
    sent = db.rows(sql, saved.name, seat, turn)
    if not sent:
        return False
    taken_back = saves.undone_folder(saved.folder) / f"{turn:04d}.{sent[0][0] + 1}"
    return taken_back.exists() and is_same_report(taken_back, saves.turn_folder(saved.folder, turn), seat)


def unqueued(saved: SavedGame, db: MailDb) -> list[Seat]:
    """Return the seats whose mail of the newest turn was not queued yet, or could not be made."""
    turn, revision = saved.turn, revision_of(saved.folder, saved.turn)
    if db.note(saved.name, f"{REPORTED}{turn}") == str(revision):
        return []
    sql = (
        "SELECT DISTINCT seat FROM outbox WHERE game = ? AND turn = ? AND revision = ? "
        "AND kind IN ('report', 'invitation')"
    )
    there = {row[0] for row in db.rows(sql, saved.name, turn, revision)}
    addressed = (seat for seat in saved.start.seats if seat not in there and saved.address(seat))
    return [seat for seat in addressed if not knows_report(saved, db, turn, seat)]
