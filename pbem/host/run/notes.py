"""What the host notes of a game besides its turns: moved deadlines, absences, pauses, and how votes stand."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.play.config.gamefile import (
    DEADLINE,
    SINGLE,
    Absence,
    GameTable,
    moved_deadlines,
    moved_singles,
    read_turn_and_moment,
)
from pbem.play.homes.home import Home
from pbem.play.homes.players import Person
from pbem.play.homes.saved import CANCELLED, Cancellation, SavedGame, read_cancelled, read_end_file
from pbem.store.errors import RequestRefused, WrongInput
from pbem.store.interface import WAIT_SECONDS, Change
from pbem.store.records import Act, Note, iso, iso_with_offset

if TYPE_CHECKING:
    from pbem.store.journal import Journal
    from pbem.store.records import QueuedNotice


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

    def told(self, table: GameTable, now: Moment, *, to_all: bool = False) -> str:
        """Return it in words, for the moderator or all: "paused since" a moment, or from and until when."""
        spelled = table.public_moment_text if to_all else table.spelled
        until = f" until {spelled(self.end)}" if self.end is not None else ""
        begun = "paused since" if self.start <= now else "to be paused from"
        return f"{begun} {spelled(self.start)}{until} ({self.why})"

    def pause_clause(self, table: GameTable, seat: Seat) -> str:
        """Return what a player is told beside a deadline while the game rests, with a space in front."""
        if self.end is None:
            return " The game is paused: when it goes on, you are told what is due then."
        return f" The game is paused until {table.spelled(self.end, seat)}."

    def noted(self) -> list[Json]:
        """Return the value of its note."""
        moved: Json = None
        if self.moved is not None:
            turn, before, after = self.moved
            moved = [turn, iso_with_offset(before), iso_with_offset(after)]
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


class Sender(NamedTuple):
    """Who sent the orders that stood when a seat changed hands.

    Attributes:
        who: Which player, from `Tenure.who`; the name if an older pbem noted it.
        sha: SHA-256 of the orders.
        name: The name of the player then.
    """

    who: str
    sha: str
    name: str


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
        senders: Who sent the orders that stood when a seat changed hands.
    """

    deadlines: Mapping[int, Moment] = {}
    singles: Mapping[int, tuple[Moment | None, Moment]] = {}
    paused: Pause | None = None
    held: Mapping[Seat, str] = {}
    away: Mapping[Seat, tuple[Absence, ...]] = {}
    votes: frozenset[tuple[int, str, Seat]] = frozenset()
    tried: tuple[int, Moment] | None = None
    acts: tuple[Act, ...] = ()
    cancelled: Cancellation | None = None
    senders: Mapping[Seat, Sender] = {}

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
        return Notes(cancelled=read_end_file(home, game))

    with home.journal() as db:
        return read_notes(db, home, game)


def read_notes(db: Journal, home: Home, game: str) -> Notes:
    """Return what is noted of a game."""
    written = db.notes(game)

    def named(prefix: str) -> dict[Seat, str]:
        return {Seat(key.removeprefix(prefix)): one for key, one in written.items() if key.startswith(prefix)}

    return Notes(
        deadlines=moved_deadlines(written),
        singles=moved_singles(written),
        paused=read_pause(written.get(PAUSED)),
        held=named(HELD),
        away={seat: _absences(text) for seat, text in named(AWAY).items()},
        votes=frozenset(_vote(key) for key in named(VOTE)),
        tried=read_turn_and_moment(written.get(TRIED)),
        acts=tuple(db.acts(game, public=True)),
        cancelled=read_end_file(home, game) or read_cancelled(written.get(CANCELLED)),
        senders={seat: _read_sender(text) for seat, text in named(SENT).items()},
    )


def note(game: str, key: str, value: Json) -> Note:
    """Return something that is noted for a game; None forgets it."""
    return Note(game, key, None if value is None else json.dumps(value))


def deadline_note(game: str, turn: int, moment: Moment) -> Note:
    """Return the note of a deadline that was moved, which counts too when later turns are taken back."""
    return note(game, f"{DEADLINE}{turn}", iso_with_offset(moment))


def single_note(game: str, turn: int, written: Moment | None, moment: Moment) -> Note:
    """Return the note of a single deadline that was moved: what the game's file said, and to when."""
    return note(
        game, f"{SINGLE}{turn}", [iso_with_offset(written) if written else "", iso_with_offset(moment)]
    )


def turn_and_moment(turn: int, moment: Moment) -> list[Json]:
    """Return the value of a note that is about one turn."""
    return [turn, iso(moment)]


def _absences(text: str) -> tuple[Absence, ...]:
    return tuple(Absence(_moment(start), _moment(end)) for start, end in json.loads(text))


def _read_sender(text: str) -> Sender:
    who, sha, *name = map(str, json.loads(text))
    return Sender(who, sha, *(name or [who]))


def _vote(key: str) -> tuple[int, str, Seat]:
    turn, kind, seat = key.split(":", 2)
    return int(turn), kind, Seat(seat)


def _moment(text: Any) -> Moment:
    return Moment.fromisoformat(str(text))


class GameHold(NamedTuple):
    """A game that is held for an act.

    Attributes:
        saved: The game.
        notes: What is noted of it.
        begun: A change that an earlier command had begun, and that was finished now; or None.
    """

    saved: SavedGame
    notes: Notes
    begun: Change | None


@contextmanager
def hold_game(home: Home, game: str, *, to_bring_back: bool = False) -> Iterator[GameHold]:
    """Open a game for an act, while no run is at work on it.

    Args:
        home: The home.
        game: The id of the game.
        to_bring_back: The game may be one that the moderator has ended.

    Raises:
        RequestRefused: The game is over, or a turn went by while this waited.
        WrongInput: There is no such game, or it is damaged.
    """
    turn = SavedGame(home, game).turn
    with home.held(game, wait_seconds=WAIT_SECONDS) as begun:
        home.store.tidy(f"games/{game}", f"orders/{game}")
        saved = SavedGame(home, game)
        if saved.turn != turn:
            hint = "Look at it, and try again."
            raise RequestRefused(f"{game}: turn {saved.turn} was run just now.", hint, to_player=hint)
        if isinstance(saved.ask, Outcome):
            raise RequestRefused(f"{game} is over.", "Nothing more can be done in it.")
        if not to_bring_back:
            refuse_cancelled(saved)
        with record_tenures(saved):
            yield GameHold(saved, notes_of(home, game), begun)


@contextmanager
def record_tenures(saved: SavedGame) -> Iterator[None]:
    """Note who plays in a game that is held, before and after an act.

    The first time it is noted behind it only, so that what was cut off and is done again comes to the same.
    What keeps it from being noted is told elsewhere.
    """
    if saved.tenures.has_notes:
        note_tenures(saved)
    try:
        yield
    finally:
        with suppress(WrongInput, OSError):
            note_tenures(SavedGame(saved.home, saved.name))


def note_tenures(saved: SavedGame) -> None:
    """Note who plays in a game that is held; a home without notes stays without."""
    if saved.home.has_journal and not saved.tenures.is_journal_current():
        with saved.home.journal() as db:
            db.write([saved.tenures.noted()])


class GameEndedError(RequestRefused):
    """Nothing can be done in a game that its moderator has ended; it says how that was."""


def refuse_cancelled(saved: SavedGame) -> None:
    """Refuse a game that its moderator has ended.

    Raises:
        GameEndedError: It is so.
    """
    if saved.cancelled is not None:
        hint = f"Bring it back: pbem cancel {saved.name} --undo"
        told = f"{saved.name}: {saved.cancelled.told()}."
        raise GameEndedError(told, hint, to_player="Nothing can be done in it.")


@contextmanager
def collect_unmailable(home: Home) -> Iterator[Mapping[str, QueuedNotice]]:
    """Keep what is to be told and cannot be mailed while something is done in a home."""
    found: dict[str, QueuedNotice] = {}
    home.unmailed = found
    try:
        yield found
    finally:
        home.unmailed = None


def standby_replacements(saved: SavedGame) -> dict[Seat, Person]:
    """Return the seats that standbys took in the newest turn for turns missed, and who had each before.

    None if that turn or the one before it is missing or damaged: that keeps nobody's report back.
    """
    try:
        if not saved.position.attendance.substitutes:
            return {}
        before = SavedGame(saved.home, saved.name, at_turn=saved.turn - 1).players
    except WrongInput:
        return {}
    seats = saved.players.standby_seats_since(before.position.attendance)
    return {seat: Person(before.holder(seat), before.address(seat)) for seat in seats}


VOTE_KINDS: Final = ("pause", "extension", "draw", "end")
"""What can be voted for."""

VOTE_NAMES: Final = {
    "pause": "a pause",
    "extension": "a later deadline",
    "draw": "a draw",
    "end": "an end without a result",
}
"""What is voted for, as acts and letters name it."""

ENDINGS: Final = {
    "draw": "the players voted for a draw",
    "end": "the players voted to end the game without a result",
}


class VoteCount(NamedTuple):
    """How a vote stands.

    Attributes:
        kind: What is voted for.
        ayes: The seats that voted for it, in this turn.
        voters: The seats that have a vote: those that people play.
        needed: How many ayes carry it.
    """

    kind: str
    ayes: tuple[Seat, ...]
    voters: tuple[Seat, ...]
    needed: int

    @property
    def is_carried(self) -> bool:
        """Whether it is decided."""
        return bool(self.voters) and len(self.ayes) >= self.needed


def vote_count(saved: SavedGame, notes: Notes, kind: str) -> VoteCount:
    """Return how a vote stands: all must agree to end a game, more than half to stop the clock.

    Votes are for the turn in which they were given.
    """
    voters = tuple(
        seat for seat in saved.start.seats if seat not in saved.players.bots and seat not in saved.table.free
    )
    ayes = tuple(seat for seat in voters if (saved.turn, kind, seat) in notes.votes)
    needed = len(voters) if kind in ENDINGS else len(voters) // 2 + 1
    return VoteCount(kind, ayes, voters, needed)


def open_votes(saved: SavedGame, notes: Notes, seat: Seat) -> tuple[str, ...]:
    """Return what others have proposed to vote for, and this seat has a vote for and has not given it."""
    if saved.table.votes == "none" or isinstance(saved.ask, Outcome):
        return ()
    counts = [vote_count(saved, notes, kind) for kind in VOTE_KINDS]
    return tuple(
        one.kind
        for one in counts
        if one.ayes and not one.is_carried and seat in one.voters and seat not in one.ayes
    )


def vote_outcome(saved: SavedGame, notes: Notes) -> Outcome | None:
    """Return how the players have ended the game by a vote, if they have."""
    if not any(turn == saved.turn and kind in ENDINGS for turn, kind, _ in notes.votes):
        return None
    if saved.table.votes == "none":
        return None
    for kind, words in ENDINGS.items():
        if (found := vote_count(saved, notes, kind)).is_carried:
            return Outcome(words, (), {}, f"a vote, {len(found.ayes)} of {len(found.voters)}")
    return None


def vote_reason(found: VoteCount) -> str:
    """Return why a game is paused that the players voted to pause."""
    return f"a vote, {len(found.ayes)} of {len(found.voters)}"


def vote_count_text(found: VoteCount) -> str:
    """Return how a vote stands: "1 of the 2 that are needed"."""
    return f"{len(found.ayes)} of the {found.needed} that are needed"
