"""Games whose next turn was taken back, and that wait for their moderator alone: each is told of once."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from pbem.host.run.lostturns import is_to_run_again
from pbem.host.run.notes import read_notes
from pbem.host.run.policy import way_again
from pbem.host.time.deadlines import is_closed, owing_seats
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.journals.journal import Journal

_TOLD: Final = "run awaited:"
"""Before a game: the key of the note of which turn, taken back how often, its moderator was told last."""


class RunAwaited(NamedTuple):
    """A turn that was taken back, and that nothing but a command runs again.

    Attributes:
        game: The game.
        mark: What tells it from other turns, and from the same turn taken back once more.
        brief: A few words for a subject.
        line: What the moderator must do next, in a line.
    """

    game: str
    mark: str
    brief: str
    line: str


def runs_awaited(
    home: Home, db: Journal, games: Iterable[str], now: datetime.datetime
) -> Iterator[RunAwaited]:
    """Yield the turns to run again whose orders are in, or their time is over, and that were not told of.

    A game that trips the program up is left out: the digest says so where it tells whom games wait for.
    """
    for game in games:
        try:
            turns = home.turns(game)
            number = turns.newest() + 1
            mark = f"{game} {number}.{turns.revision(number)}"
            if not turns.taken_back(number) or db.note("", f"{_TOLD}{game}") == mark:
                continue
            saved, notes = SavedGame(home, game), read_notes(db, home, game)
            is_ready = not owing_seats(saved, notes) or is_closed(saved, notes, now)
            is_ended = saved.cancelled is not None or notes.rest_at(now) is not None
            if is_ready and not is_ended and is_to_run_again(saved):
                way = way_again(saved, notes, now).command
                told = (
                    f"{game}: turn {number}, which was taken back, waits for you alone; this runs it: {way}"
                )
                yield RunAwaited(game, mark, f"{game}: run turn {number} again", told)
        except Exception:
            continue


def note_awaited(db: Journal, told: Sequence[RunAwaited]) -> None:
    """Note that the moderator was told of these."""
    for one in told:
        db.set_note("", f"{_TOLD}{one.game}", one.mark)
