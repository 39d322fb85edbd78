"""Acts: what the moderator, the host or the players together did to a game, written down as it happens."""

from __future__ import annotations

import datetime

from pbem.store.records import MODERATOR, Act, iso

Moment = datetime.datetime


def act_of(now: Moment, game: str, act: str, detail: str, *, public: bool, who: str = MODERATOR) -> Act:
    """Return an act as it is written down.

    Args:
        now: The moment.
        game: The game, or "".
        act: The verb.
        detail: What was done, in words without secrets; if public, as the reports of the next turn say it.
        public: It touched the game, so that all its players may read it.
        who: Who did it: the moderator, the host or a seat.
    """
    return Act(iso(now), who, game, act, detail, int(public))
