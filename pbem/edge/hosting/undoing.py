"""A turn is taken back, written down and told to all; who gets a corrected report when it is run again."""

from __future__ import annotations

import datetime
from pathlib import Path

from pbem.edge.app import undo
from pbem.edge.files import Disk
from pbem.edge.home import Home
from pbem.edge.hosting.acts import write_act
from pbem.edge.hosting.notes import has_notes
from pbem.edge.hosting.post import tell_all
from pbem.edge.mail.db import open_mail
from pbem.edge.saved import SavedGame


def take_back(disk: Disk, home: Home, game: str, now: datetime.datetime) -> Path:
    """Take the newest turn back, and tell all players; return where it is kept.

    Raises:
        WrongInput: There is no turn to take back.
    """
    kept = undo(disk, home, game)
    turn = int(kept.stem)
    if not has_notes(home):
        return kept  # nobody is told by mail, and the turn that is made in its place says what it replaces
    with open_mail(disk, home) as db, db.writing():
        write_act(db, now, game, "undo", f"turn {turn} was taken back.", public=True)
        text = (
            f"The moderator has taken turn {turn} back: its report does not count. It will be run again; "
            "you get a corrected report if anything in yours changes."
        )
        saved = SavedGame(home, game)
        tell_all(saved, db, now, f"taken back {kept.name}", f"Turn {turn} is taken back", lambda _: text)
    return kept
