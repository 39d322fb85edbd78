"""How votes stand, who may vote and how many ayes carry what."""

from __future__ import annotations

from typing import Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.host.run.notes import Notes
from pbem.play.homes.saved import SavedGame

KINDS: Final = ("pause", "extension", "draw", "end")
"""What can be voted for."""

WORDS: Final = {
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


class Count(NamedTuple):
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


def count(saved: SavedGame, notes: Notes, kind: str) -> Count:
    """Return how a vote stands: all must agree to end a game, more than half to stop the clock.

    Votes are for the turn in which they were given.
    """
    voters = tuple(
        seat for seat in saved.start.seats if seat not in saved.players.bots and seat not in saved.table.free
    )
    ayes = tuple(seat for seat in voters if (saved.turn, kind, seat) in notes.votes)
    needed = len(voters) if kind in ENDINGS else len(voters) // 2 + 1
    return Count(kind, ayes, voters, needed)


def open_votes(saved: SavedGame, notes: Notes, seat: Seat) -> tuple[str, ...]:
    """Return what others have proposed to vote for, and this seat has a vote for and has not given it."""
    if saved.table.votes == "none" or isinstance(saved.ask, Outcome):
        return ()
    counts = [count(saved, notes, kind) for kind in KINDS]
    return tuple(
        one.kind
        for one in counts
        if one.ayes and not one.is_carried and seat in one.voters and seat not in one.ayes
    )


def ending(saved: SavedGame, notes: Notes) -> Outcome | None:
    """Return how the players have ended the game by a vote, if they have."""
    if not any(turn == saved.turn and kind in ENDINGS for turn, kind, _ in notes.votes):
        return None
    if saved.table.votes == "none":
        return None
    for kind, words in ENDINGS.items():
        if (found := count(saved, notes, kind)).is_carried:
            return Outcome(words, (), {}, f"a vote, {len(found.ayes)} of {len(found.voters)}")
    return None


def by_vote(found: Count) -> str:
    """Return why a game is paused that the players voted to pause."""
    return f"a vote, {len(found.ayes)} of {len(found.voters)}"


def stands(found: Count) -> str:
    """Return how a vote stands: "1 of the 2 that are needed"."""
    return f"{len(found.ayes)} of the {found.needed} that are needed"
