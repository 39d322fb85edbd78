"""Why no turn of a game is made though its deadline has passed, as far as nothing else tells of it."""

from __future__ import annotations

import datetime

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.host.deadlines import is_closed
from pbem.host.notes import Notes
from pbem.host.reasons import reasons, signs_of
from pbem.play.running import unanswered
from pbem.play.saved import SavedGame


def why_it_stands(
    saved: SavedGame, notes: Notes, now: datetime.datetime, owing: tuple[Seat, ...]
) -> tuple[str, ...]:
    """Return why a turn is not made whose deadline has passed: a seat is waited for, or the gate.

    Args:
        saved: The game.
        notes: What is noted of it.
        now: The moment.
        owing: The seats that have nothing to answer the present ask with.
    """
    if not owing or notes.rest_at(now) is not None or not is_closed(saved, notes, now):
        return ()
    if left := unanswered(saved.table.silent, [seat for seat in owing if _is_left(saved, seat)]):
        return (left,)
    found = reasons(saved, notes, signs_of(saved, now, None), now, due=True, silent=owing)
    return tuple(str(one) for one in found if one.name in ("silent", "down", "clock"))


def _is_left(saved: SavedGame, seat: Seat) -> bool:
    """Tell whether nothing answers for a silent seat: by its policy, or for want of an order."""
    policy, ask = saved.table.silent[seat], saved.ask
    if isinstance(ask, Outcome) or ask.silence is not None or policy not in ("wait", "hold"):
        return False
    if policy == "wait":
        return True
    view = saved.opening.view(saved.position.game, seat)
    return saved.opening.choices(view).only is None and saved.opening.hold(view) is None
