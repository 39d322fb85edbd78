"""Which reports are with their readers: queued, sent before a turn was taken back, or not made yet."""

from __future__ import annotations

from typing import Final

from pbem.core.events import Seat
from pbem.play.corrections import is_same_report
from pbem.play.saved import SavedGame
from pbem.store.journal import Journal

REPORTED: Final = "reported:"
"""The key of a game's note that says which revision of a turn was queued, before the turn."""


def knows_report(saved: SavedGame, db: Journal, turn: int, seat: Seat) -> bool:
    """Tell whether a seat was sent this very report before the turn was taken back and run again."""
    sent = db.sent_revision(saved.name, seat, turn)
    if sent is None:
        return False
    found = [one.place for one in saved.turns.taken_back(turn) if one.revision == sent + 1]
    return bool(found) and is_same_report(found[0], saved.turns.at(turn), seat)


def unqueued(saved: SavedGame, db: Journal) -> list[Seat]:
    """Return the seats whose mail of the newest turn was not queued yet, or could not be made."""
    turn, revision = saved.turn, saved.turns.revision(saved.turn)
    if db.note(saved.name, f"{REPORTED}{turn}") == str(revision):
        return []
    there = db.queued_reports(saved.name, turn, revision)
    addressed = (seat for seat in saved.start.seats if seat not in there and saved.players.address(seat))
    return [seat for seat in addressed if not knows_report(saved, db, turn, seat)]
