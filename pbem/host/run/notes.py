"""What the host notes of a game besides its turns: who is away, held back, what was voted, what was moved.

None of it is needed to recompute a turn: what a run made of it stands in the turn itself.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.time.pauses import Pause, read_pause
from pbem.play.config.nextdeadline import DEADLINE, LAST_DEADLINE, SINGLE, Absence
from pbem.play.homes.called import FORMER
from pbem.play.homes.cancelled import CANCELLED, Cancelled, kept_end, read_cancelled
from pbem.play.homes.home import Home
from pbem.store.journals.records import Act, Note, iso, with_offset

if TYPE_CHECKING:
    from pbem.store.journals.journal import Journal

Moment = datetime.datetime

AWAY: Final = "away:"
HELD: Final = "held:"
VOTE: Final = "vote:"
PAUSED: Final = "paused"

KNOWN: Final = "deadline known"
"""The deadline that each seat knew before it was moved, as long as no mail tells what it was moved to."""

SENT: Final = "sent:"
"""Before a seat: who sent the orders that stood when it changed hands, and their hash."""

TRIED: Final = "tried"
EPOCH: Final = "epoch:"
"""Before a seat: how often its secrets were made anew."""


class Notes(NamedTuple):
    """What is noted of a game.

    Attributes:
        deadlines: When orders are due for what turns asked whose deadline was moved.
        singles: What the game's file said of turns whose single deadline was moved, and to when it was.
        paused: The pause that was made last and not taken back, planned, begun or over; or None.
        held: The seats whose orders are held back, each with the reason.
        away: Absences of each seat.
        votes: What seats have voted for in which turn: (turn, kind, seat).
        tried: The last deadline after which a run was tried, with its turn; or None.
        acts: Public acts, the oldest first.
        cancelled: How the moderator ended the game, or None.
        former: The names that players had who left, or are called otherwise now.
        senders: Who sent the orders that stood when a seat changed hands, and their hash.
    """

    deadlines: Mapping[int, Moment] = {}
    singles: Mapping[int, tuple[Moment | None, Moment]] = {}
    paused: Pause | None = None
    held: Mapping[Seat, str] = {}
    away: Mapping[Seat, tuple[Absence, ...]] = {}
    votes: frozenset[tuple[int, str, Seat]] = frozenset()
    tried: tuple[int, Moment] | None = None
    acts: tuple[Act, ...] = ()
    cancelled: Cancelled | None = None
    former: tuple[str, ...] = ()
    senders: Mapping[Seat, tuple[str, str]] = {}

    def rest_at(self, now: Moment) -> Pause | None:
        """Return the pause that holds at a moment, if any does."""
        return self.paused if self.paused is not None and self.paused.holds(now) else None

    def pause_at(self, now: Moment) -> Pause | None:
        """Return the pause that holds at a moment or is to come, if any."""
        return self.paused if self.paused is not None and not self.paused.is_over(now) else None

    def is_away(self, seat: Seat, moment: Moment) -> bool:
        """Tell whether a seat's player has announced to be away at a moment."""
        return any(absence.covers(moment) for absence in self.away.get(seat, ()))


def notes_of(home: Home, game: str) -> Notes:
    """Return what is noted of a game; a home in which nothing was ever noted stays as it is."""
    if not home.has_journal:
        return Notes(cancelled=kept_end(home, game))

    with home.journal() as db:
        return read_notes(db, home, game)


def read_notes(db: Journal, home: Home, game: str) -> Notes:
    """Return what is noted of a game."""
    written = db.notes(game)

    def named(prefix: str) -> dict[Seat, str]:
        return {Seat(key.removeprefix(prefix)): one for key, one in written.items() if key.startswith(prefix)}

    return Notes(
        deadlines=_deadlines(written),
        singles=_singles(written),
        paused=read_pause(written.get(PAUSED)),
        held=named(HELD),
        away={seat: _absences(text) for seat, text in named(AWAY).items()},
        votes=frozenset(_vote(key) for key in named(VOTE)),
        tried=_turn_and_moment(written.get(TRIED)),
        acts=tuple(db.acts(game, public=True)),
        cancelled=kept_end(home, game) or read_cancelled(written.get(CANCELLED)),
        former=tuple(json.loads(written.get(FORMER, "[]"))),
        senders={seat: _sender(text) for seat, text in named(SENT).items()},
    )


def note(game: str, key: str, value: Json) -> Note:
    """Return something that is noted for a game; None forgets it."""
    return Note(game, key, None if value is None else json.dumps(value))


def deadline_note(game: str, turn: int, moment: Moment) -> Note:
    """Return the note of a deadline that was moved, which counts too when later turns are taken back."""
    return note(game, f"{DEADLINE}{turn}", with_offset(moment))


def single_note(game: str, turn: int, written: Moment | None, moment: Moment) -> Note:
    """Return the note of a single deadline that was moved: what the game's file said, and to when."""
    return note(game, f"{SINGLE}{turn}", [with_offset(written) if written else "", with_offset(moment)])


def turn_and_moment(turn: int, moment: Moment) -> list[Json]:
    """Return the value of a note that is about one turn."""
    return [turn, iso(moment)]


def _deadlines(written: Mapping[str, str]) -> dict[int, Moment]:
    last = _turn_and_moment(written.get(LAST_DEADLINE))
    found = {
        int(key.removeprefix(DEADLINE)): _moment(json.loads(text))
        for key, text in written.items()
        if key.startswith(DEADLINE)
    }
    return {**dict([last] if last else []), **found}


def _singles(written: Mapping[str, str]) -> dict[int, tuple[Moment | None, Moment]]:
    found = {}
    for key, text in written.items():
        if key.startswith(SINGLE):
            said, moved = json.loads(text)
            found[int(key.removeprefix(SINGLE))] = (_moment(said) if said else None, _moment(moved))
    return found


def _turn_and_moment(text: str | None) -> tuple[int, Moment] | None:
    if text is None:
        return None
    turn, moment = json.loads(text)
    return int(turn), _moment(moment)


def _absences(text: str) -> tuple[Absence, ...]:
    return tuple(Absence(_moment(start), _moment(end)) for start, end in json.loads(text))


def _sender(text: str) -> tuple[str, str]:
    name, sha = json.loads(text)
    return str(name), str(sha)


def _vote(key: str) -> tuple[int, str, Seat]:
    turn, kind, seat = key.split(":", 2)
    return int(turn), kind, Seat(seat)


def _moment(text: Any) -> Moment:
    return Moment.fromisoformat(str(text))
