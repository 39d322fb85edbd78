"""A lost turn that is made again: all are told, in its reports too, that the first one does not count."""

from __future__ import annotations

import datetime
from typing import Final

from pbem.core.events import Seat
from pbem.host.byhand import kept_for_hand, words_to_send
from pbem.host.telling import act_of, players, to_all, with_newest
from pbem.play.called import acts_of, called_in
from pbem.play.chain import short
from pbem.play.running import Terms, ToTell
from pbem.play.saved import SavedGame
from pbem.store.records import Note, Row

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


def is_remade(saved: SavedGame) -> bool:
    """Tell whether the newest turn was lost and made again, as the turn itself says."""
    acts = acts_of(saved.record)
    return bool(acts) and told_of_remade(saved.turn) in map(
        called_in(saved.turns.at(saved.turn), saved.record).named, acts
    )


def tell_remade(saved: SavedGame) -> ToTell:
    """Return what all players are told of a newest turn that was made again, with its report; once.

    Args:
        saved: The game, whose newest turn was lost and made again.
    """
    home, game, turn, root = saved.home, saved.name, saved.turn, str(saved.record["root"])
    noted, about = f"remade:{turn}", f"remade-{short(root)}"
    now = datetime.datetime.fromisoformat(str(saved.record["at"]))  # so the turn after it tells it not again
    with home.journal() as db:
        if db.note(game, noted) == root:
            return ToTell()
    letter = _LETTER.format(turn=turn)

    def words(seat: Seat) -> str:
        return letter

    with kept_for_hand(home) as found:
        told = to_all(saved, now, about, f"Turn {turn} is made again", words)
        reports = [one for seat in players(saved) for one in with_newest(saved, now, seat, about)]
    act = act_of(now, game, "remade", told_of_remade(turn), public=True)
    rows: tuple[Row, ...] = (act, Note(game, noted, root), *told, *reports)
    return ToTell(rows, tuple(words_to_send(home, game, found)))
