"""A turn that is run again after an undo: whose report changed, and what the moderator sends by hand."""

from __future__ import annotations

import datetime
from typing import Final

from pbem.core.events import Seat
from pbem.host.byhand import kept_for_hand, words_to_send
from pbem.host.corrected import corrected_in_words
from pbem.host.reported import is_same_report
from pbem.host.telling import is_mailed, players, to_player, with_newest
from pbem.play.chain import short
from pbem.play.home import Home
from pbem.play.saved import SavedGame
from pbem.store.errors import WrongInput

Moment = datetime.datetime

_AND_NOW: Final = "Please read the new report. If you have sent orders since, see whether they still fit."


def stands(saved: SavedGame) -> tuple[str, str]:
    """Return what a seat is told whose report of the newest turn is as it was: a title, and the words."""
    turn, root = saved.turn, short(str(saved.record["root"]))
    text = (
        f"Turn {turn} was run again, and nothing in your report changed but its root, which is now {root}. "
        "The report that you have counts."
    )
    return f"Turn {turn} stands", text


def to_hand_out(home: Home, game: str, now: Moment) -> tuple[str, ...]:
    """Return what the moderator is to send by hand after a turn was run again, in lines.

    Args:
        home: The home.
        game: The id of the game, whose newest turn was taken back before.
        now: The moment.

    Returns:
        Letters, each with its readers, and where the reports lie that changed. Nothing if mail goes to all.
    """
    saved = SavedGame(home, game)
    about = f"corrected r{saved.turns.revision(saved.turn)}"
    with kept_for_hand(home) as found:
        for seat in players(saved):
            if is_mailed(home, saved.players.address(seat)):
                continue
            if _is_as_it_was(saved, seat):
                to_player(saved, now, seat, "notice", about, *stands(saved))
                continue
            text = f"{corrected_in_words(saved, seat)} {_AND_NOW}"
            to_player(saved, now, seat, "notice", about, f"Turn {saved.turn}: a corrected report", text)
            with_newest(saved, now, seat, about)
    return tuple(words_to_send(home, game, found))


def _is_as_it_was(saved: SavedGame, seat: Seat) -> bool:
    """Tell whether a seat's report says the same as before the turn was taken back."""
    before = saved.turns.taken_back(saved.turn)[-1].place
    try:
        return is_same_report(before, saved.turns.at(saved.turn), seat)
    except WrongInput:  # the turn was taken back because it is damaged: better sent once more than not
        return False
