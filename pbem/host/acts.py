"""Acts: what the moderator, the host or the players together did to a game, written down as it happens."""

from __future__ import annotations

import datetime

from pbem.play.home import Home
from pbem.store.disk import Disk
from pbem.store.journal import MailDb, open_mail
from pbem.store.records import MODERATOR, Act, iso

Moment = datetime.datetime


def write_act(
    db: MailDb, now: Moment, game: str, act: str, detail: str, *, public: bool, who: str = MODERATOR
) -> None:
    """Write an act down.

    Args:
        db: The database.
        now: The moment.
        game: The game, or "".
        act: The verb.
        detail: What was done, in words without secrets; if public, as the reports of the next turn say it.
        public: It touched the game, so that all its players may read it.
        who: Who did it: the moderator, the host or a seat.
    """
    db.act(Act(iso(now), who, game, act, detail, int(public)))


def log(disk: Disk, home: Home, now: Moment, game: str, act: str, detail: str, *, public: bool) -> None:
    """Write an act of the moderator down that was done elsewhere."""
    with open_mail(disk, home) as db:
        write_act(db, now, game, act, detail, public=public)
