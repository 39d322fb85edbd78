"""A pause of a game as it is noted: from a moment on, until another or until somebody ends it."""

from __future__ import annotations

import datetime
import json
from typing import NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.config.gamefile import Table
from pbem.store.journals.records import iso, with_offset

Moment = datetime.datetime


class Pause(NamedTuple):
    """A pause, planned or begun; one that is over stays noted until the next.

    Attributes:
        start: When it begins.
        why: Why, as the players are told.
        end: When it ends by itself; None if somebody must let the game go on.
        moved: The turn whose deadline was moved for it when it was made, from when, and to when; or None.
    """

    start: Moment
    why: str
    end: Moment | None = None
    moved: tuple[int, Moment, Moment] | None = None

    def holds(self, now: Moment) -> bool:
        """Tell whether the game rests at a moment."""
        return self.start <= now and not self.is_over(now)

    def is_over(self, now: Moment) -> bool:
        """Tell whether it has ended by itself."""
        return self.end is not None and self.end <= now

    def told(self, table: Table, now: Moment, *, to_all: bool = False) -> str:
        """Return it in words, for the moderator or all: "paused since" a moment, or from and until when."""
        spelled = table.spelled_to_all if to_all else table.spelled
        until = f" until {spelled(self.end)}" if self.end is not None else ""
        begun = "paused since" if self.start <= now else "to be paused from"
        return f"{begun} {spelled(self.start)}{until} ({self.why})"

    def beside_a_deadline(self, table: Table, seat: Seat) -> str:
        """Return what a player is told beside a deadline while the game rests, with a space in front."""
        if self.end is None:
            return " The game is paused: when it goes on, you are told what is due then."
        return f" The game is paused until {table.spelled(self.end, seat)}."

    def noted(self) -> list[Json]:
        """Return the value of its note."""
        moved: Json = None
        if self.moved is not None:
            turn, before, after = self.moved
            moved = [turn, with_offset(before), with_offset(after)]
        return [iso(self.start), self.why, iso(self.end) if self.end is not None else None, moved]


def read_pause(text: str | None) -> Pause | None:
    """Return the pause of a note; None if there is none. An older version noted the start and the reason."""
    if text is None:
        return None
    start, why, end, moved = [*json.loads(text), None, None][:4]
    return Pause(
        Moment.fromisoformat(start),
        str(why),
        Moment.fromisoformat(end) if end else None,
        (int(moved[0]), Moment.fromisoformat(moved[1]), Moment.fromisoformat(moved[2])) if moved else None,
    )
