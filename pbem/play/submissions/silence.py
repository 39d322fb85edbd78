"""What becomes of a seat that is silent at the deadline: as its policy has it, and as its position allows."""

from __future__ import annotations

import datetime
import json
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.play.config.nextdeadline import DEADLINE, LAST_DEADLINE, SINGLE
from pbem.play.homes.saved import GamePosition, SavedGame

SILENCE: Final = {
    "wait": "the game waits for you",
    "hold": "the least that the rules allow is done for you",
    "random": "a bot orders for you",
    "greedy": "a bot orders for you",
}
"""What becomes of a seat that is silent at the deadline, by its policy; the end of a sentence."""


NOTHING_LEFT: Final = "the game waits for you, for nothing can be done in your place"
"""What becomes of a seat for which something should be done where there is nothing to do."""


def when_silent(saved: SavedGame, position: GamePosition, seat: Seat) -> str:
    """Return what becomes of a seat if nothing of its answers by the deadline; the end of a sentence.

    Of a seat that is not asked nobody can say whether there will be something that can be done for it.
    """
    policy = saved.table.silent[seat]
    if policy != "hold":
        return SILENCE[policy]
    if not _is_asked(saved, position, seat):
        return f"{SILENCE[policy]}, if there is such an order"
    return NOTHING_LEFT if is_left(saved, position, seat) else SILENCE[policy]


def has_deadline(saved: SavedGame) -> bool:
    """Tell whether a game has a deadline now, or a schedule that sets more, as far as anything says so."""
    last, table = datetime.datetime.fromisoformat(str(saved.record["at"])), saved.table
    if table.schedule.days or (table.deadline is not None and table.deadline > last):
        return True
    if not saved.home.has_journal:
        return False
    with saved.home.journal() as db:
        moved = [json.loads(text)[1] for text in db.notes(saved.name, SINGLE).values()]
        if any(datetime.datetime.fromisoformat(text) > last for text in moved):
            return True
        keys = (f"{DEADLINE}{saved.turn}", LAST_DEADLINE)
        return any(db.note(saved.name, key) is not None for key in keys)


def is_left(saved: SavedGame, position: GamePosition, seat: Seat) -> bool:
    """Tell whether a seat is asked and nothing answers for it: by its policy, or for want of an order."""
    policy = saved.table.silent[seat]
    if policy not in ("wait", "hold") or not _is_asked(saved, position, seat):
        return False
    if policy == "wait":
        return True
    view = saved.view(position.game, seat)
    return saved.opening.hold(view) is None and saved.opening.choices(view).only is None


def _is_asked(saved: SavedGame, position: GamePosition, seat: Seat) -> bool:
    """Tell whether a seat is asked, and silence is no answer by the rules themselves."""
    ask = saved.asked_at(position)
    return isinstance(ask, Ask) and seat in ask.seats and ask.silence is None
