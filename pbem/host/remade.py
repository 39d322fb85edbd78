"""A lost turn that is made again: all are told, in its reports too, that the first one does not count."""

from __future__ import annotations

import datetime
from typing import Final

from pbem.core.events import Seat
from pbem.host.byhand import kept_for_hand, words_to_send
from pbem.host.telling import act_of, players, to_all, with_newest
from pbem.play.called import acts_of, called_in
from pbem.play.chain import short
from pbem.play.running import Terms
from pbem.play.saved import SavedGame
from pbem.store.records import Note

_LETTER: Final = (
    "Turn {turn} was lost, and the moderator has made it again. The report that you had of it does not "
    "count, nor does the root in its foot. The turn may be another one now: please read its new report. "
    "If you have sent orders since, see whether they still fit."
)


def told_of_remade(turn: int) -> str:
    """Return what all are told of a lost turn that was made again."""
    return f"turn {turn} was lost and made again: an earlier report of it does not count."


def with_remade(terms: Terms, saved: SavedGame) -> Terms:
    """Return the terms of the run that makes a lost turn again: its reports tell that to all."""
    acts = (*terms.policy.acts, told_of_remade(saved.turn + 1))
    return terms._replace(policy=terms.policy._replace(acts=acts))


def tell_remade(saved: SavedGame) -> tuple[str, ...]:
    """Tell all players if the newest turn was lost and made again, and let them have its report; once.

    The turn itself says that it was. So a run that was killed behind its commit is made good by the next.

    Args:
        saved: The game.

    Returns:
        What the moderator is to send by hand, in lines; nothing if all of it is mailed.
    """
    home, game, turn, root = saved.home, saved.name, saved.turn, str(saved.record["root"])
    noted, about = f"remade:{turn}", f"remade-{short(root)}"
    now = datetime.datetime.fromisoformat(str(saved.record["at"]))  # so the turn after it tells it not again
    named = called_in(saved.turns.at(turn), saved.record).named
    if told_of_remade(turn) not in map(named, acts_of(saved.record)):
        return ()
    with home.journal() as db:
        if db.note(game, noted) == root:
            return ()
    letter = _LETTER.format(turn=turn)

    def words(seat: Seat) -> str:
        return letter

    with kept_for_hand(home) as found:
        told = to_all(saved, now, about, f"Turn {turn} is made again", words)
        reports = (with_newest(saved, now, seat, about) for seat in players(saved))
        act = act_of(now, game, "remade", told_of_remade(turn), public=True)
        done = Note(game, noted, root)
        home.store.note((act, done, *told, *(one for rows in reports for one in rows)))
    return tuple(words_to_send(home, game, found))
