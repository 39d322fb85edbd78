"""A game is opened for an act of its host, its moderator or its players, while no run is at work on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.core.interface import Outcome
from pbem.host.intents import finish
from pbem.host.notes import Notes, read_notes
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.store.disk import LOCK_SECONDS, Disk, clear_traces, locked
from pbem.store.errors import Declined
from pbem.store.journal import MailDb, open_mail


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
            finish(disk, home, db, game)
            yield saved, read_notes(db, game), db
