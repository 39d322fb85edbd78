"""What was begun and cut off is finished: whoever changes a game next calls this first."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from pathlib import Path

from pbem.host import replacing
from pbem.host.acts import write_act
from pbem.host.notes import REPLACE, UNDO
from pbem.host.replacing import Replacement
from pbem.host.telling import tell_all
from pbem.play import saves
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.store.disk import LOCK_SECONDS, Disk, locked
from pbem.store.journal import MailDb, open_mail

Moment = datetime.datetime


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A turn that was taken back.

    Attributes:
        turn: The turn.
        kept: Where it lies now.
        was_begun: It was begun by an earlier command, which was cut off before all was written down.
    """

    turn: int
    kept: Path
    was_begun: bool = False


def intend_undo(db: MailDb, game: str, turn: int, place: Path, now: Moment) -> None:
    """Note that a turn is about to be taken back to this place."""
    db.set_note(game, UNDO, json.dumps([turn, place.name, now.isoformat()]))


def finish_undo(home: Home, db: MailDb, game: str) -> TakenBack | None:
    """Write down and tell that a turn was taken back, if that was begun; forget it if it came to nothing.

    Whoever changes a game next calls this first, with the game locked.
    """
    written = db.note(game, UNDO)
    if written is None:
        return None
    turn, name, at = json.loads(written)
    kept = saves.undone_folder(home.game(game)) / name
    now = Moment.fromisoformat(at)
    with db.writing():
        db.set_note(game, UNDO, None)
        if not kept.exists():
            return None
        write_act(db, now, game, "undo", f"turn {turn} was taken back.", public=True)
        text = (
            f"The moderator has taken turn {turn} back: its report does not count. It will be run again; "
            "you get a corrected report if anything in yours changes. The orders that you sent for it count "
            "again, unless you send others."
        )
        saved = SavedGame(home, game)
        tell_all(saved, db, now, f"taken back {name}", f"Turn {turn} is taken back", lambda _: text)
    return TakenBack(int(turn), kept, was_begun=True)


def finish(disk: Disk, home: Home, db: MailDb, game: str) -> Replacement | None:
    """Finish what was begun in a game, which the caller has locked; return a replacement that was."""
    finish_undo(home, db, game)
    return replacing.finish(disk, home, db, game)


def finish_all(disk: Disk, home: Home) -> None:
    """Finish what was begun in any game of a home.

    Raises:
        GateClosedError: Another program is at work on such a game, and does not end.
    """
    if not home.has_journal:
        return
    with open_mail(disk, home) as db:
        for (game,) in db.rows("SELECT DISTINCT game FROM game_notes WHERE key IN (?, ?)", UNDO, REPLACE):
            with locked(home.game(game), wait_seconds=LOCK_SECONDS):
                finish(disk, home, db, game)
