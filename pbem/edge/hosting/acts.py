"""Acts: what the moderator, the host or the players together did to a game, written down as it happens."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.core.interface import Outcome
from pbem.edge.errors import Declined
from pbem.edge.files import LOCK_SECONDS, Disk, clear_traces, locked
from pbem.edge.home import Home
from pbem.edge.hosting.notes import Notes, read_notes
from pbem.edge.mail.db import MailDb, open_mail
from pbem.edge.mail.rows import MODERATOR, Act, iso
from pbem.edge.saved import SavedGame

Moment = datetime.datetime


@contextmanager
def acting(disk: Disk, home: Home, game: str) -> Iterator[tuple[SavedGame, Notes, MailDb]]:
    """Open a game and its notes for an act, while no run is at work on it.

    Raises:
        Declined: The game is over, or a turn went by while this waited.
        WrongInput: There is no such game, or it is damaged.
    """
    folder, turn = home.game(game), SavedGame(home, game).turn
    with locked(folder, wait_seconds=LOCK_SECONDS):
        clear_traces(disk, folder, home.orders_folder / game)
        saved = SavedGame(home, game)
        if saved.turn != turn:
            hint = "Look at it, and try again."
            raise Declined(f"{game}: turn {saved.turn} was run just now.", hint, to_player=hint)
        if isinstance(saved.ask, Outcome):
            raise Declined(f"{game} is over.", "Nothing more can be done in it.")
        with open_mail(disk, home) as db:
            yield saved, read_notes(db, game), db


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
