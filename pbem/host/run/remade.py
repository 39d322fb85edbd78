"""A lost turn that is made again: all are told, in its reports too, that the first one does not count."""

from __future__ import annotations

import datetime
from typing import Final

from pbem.core.events import Seat
from pbem.host.notices.byhand import words_to_send
from pbem.host.notices.telling import act_of, players, to_all, with_newest
from pbem.host.notices.unmailed import kept_for_hand
from pbem.play.homes.chain import short
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.takenback import told_of_remade
from pbem.play.turn.running import Terms, ToTell
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Note

_LETTER: Final = (
    "Turn {turn} was lost, and the moderator has made it again. The report that you had of it does not "
    "count, nor does the root in its foot. The turn may be another one now: please read its new report. "
    "If you have sent orders since, see whether they still fit."
)


def with_remade(terms: Terms, saved: SavedGame) -> Terms:
    """Return the terms of the run that makes a lost turn again: its reports tell that to all."""
    acts = (*terms.policy.acts, told_of_remade(saved.turn + 1))
    return terms._replace(policy=terms.policy._replace(acts=acts))


def tell_remade(saved: SavedGame, done: Note) -> ToTell:
    """Return what all players are told of a newest turn that was made again, with its report.

    Args:
        saved: The game, whose newest turn was lost and made again.
        done: What notes that they are told.
    """
    home, game, turn = saved.home, saved.name, saved.turn
    about = f"remade-{short(str(saved.record['root']))}"
    now = datetime.datetime.fromisoformat(str(saved.record["at"]))  # so the turn after it tells it not again
    letter = _LETTER.format(turn=turn)

    def words(seat: Seat) -> str:
        return letter

    facts = facts_of("turn-remade", turn=turn)
    with kept_for_hand(home) as found:
        told = to_all(saved, now, about, f"Turn {turn} is made again", words, facts=facts)
        reports = [one for seat in players(saved) for one in with_newest(saved, now, seat, about)]
    act = act_of(now, game, "remade", told_of_remade(turn), public=True, facts=facts)
    return ToTell((act, done, *told, *reports), tuple(words_to_send(home, game, found)))
