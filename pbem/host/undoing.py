"""A turn is taken back, written down and told to all: each once, whatever is cut or given again."""

from __future__ import annotations

import datetime
from pathlib import Path

from pbem.host.intents import TakenBack, finish_undo, intend_undo
from pbem.play import saves
from pbem.play.home import Home
from pbem.store.disk import Disk, locked
from pbem.store.errors import WrongInput
from pbem.store.journal import open_mail

Moment = datetime.datetime


def take_back(disk: Disk, home: Home, game: str, now: Moment, turn: int | None = None) -> TakenBack:
    """Take the newest turn back, and tell all players.

    Given again after a kill or an error it finishes what was begun, and takes no other turn. So that this
    holds also where nobody saw how the first one ended, a second turn in a row is taken back only by number.

    Args:
        disk: The door to the disk.
        home: The moderator's folder.
        game: The id of the game.
        now: The moment.
        turn: The turn that must be the newest; None for whichever it is.

    Raises:
        WrongInput: There is no turn to take back, it is not the newest, or one was taken back just before.
    """
    folder = home.game(game)
    with locked(folder):  # waiting for a run would take back the turn that it is about to make
        if not home.has_journal:  # nobody is told by mail, and one rename is all that there is to do
            number = _refuse_wrong_turn(folder, game, turn)
            return TakenBack(number, saves.take_back(disk, folder, number))
        return _noted(disk, home, game, now, turn)


def _noted(disk: Disk, home: Home, game: str, now: Moment, turn: int | None) -> TakenBack:
    """Take a turn back with an intent before it, so that whoever comes next can finish it."""
    folder = home.game(game)
    with open_mail(disk, home) as db:
        if (begun := finish_undo(home, db, game)) and turn in (None, begun.turn):
            return begun
    number = _refuse_wrong_turn(folder, game, turn)
    kept = saves.place_for_undone(folder, number)
    try:
        with open_mail(disk, home) as db:
            intend_undo(db, game, number, kept, now)
            saves.take_back(disk, folder, number)
            finish_undo(home, db, game)
    except (WrongInput, OSError) as wrong:
        if not kept.exists():
            raise
        text = f"turn {number} of {game} was taken back, but not everybody was told: {wrong}"
        hint = f"The next command for {game} does that; given again, this one takes no other turn."
        raise WrongInput(text, hint) from None
    return TakenBack(number, kept)


def _refuse_wrong_turn(folder: Path, game: str, turn: int | None) -> int:
    """Return the turn to take back, or refuse."""
    newest = saves.newest(folder)
    after = saves.undone(folder, newest + 1)
    if turn is None and after:
        text = f"turn {newest + 1} of {game} was taken back already, and nothing was run since."
        raise WrongInput(text, f"To take back turn {newest} too: pbem undo {game} --turn {newest}")
    if turn is not None and turn != newest:
        is_back = turn > newest and saves.undone(folder, turn)
        why = "was taken back already" if is_back else f"is not the newest, which is {newest}"
        raise WrongInput(f"turn {turn} of {game} {why}.", "Nothing was changed.")
    if newest == 0:
        raise WrongInput(f"{game} is at its start; there is no turn to take back.")
    return newest
