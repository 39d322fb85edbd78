"""What the loop itself tells: press, moves made for a seat, the moderator's acts, and the end of the game."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.events import Event, Seat, event_kind
from pbem.core.interface import Json, Label


@event_kind
class PressSent(Event):
    """A message from a seat to others; from nobody (""), if it is anonymous."""

    sender: Seat
    readers: str | tuple[Seat, ...]
    say: str


@event_kind
class MoveForced(Event):
    """A seat had one legal order only, and it was played without waiting."""

    seat: Seat
    label: Label
    do: Json


@event_kind
class SeatSilent(Event):
    """No moves received by the deadline: the game's policy answered for the seat."""

    seat: Seat
    label: Label
    policy: str
    do: Json


@event_kind
class GameEnded(Event):
    """How the game ended, for everybody."""

    reason: str
    winners: tuple[Seat, ...]
    scores: Mapping[Seat, int]
    decided_by: str


@event_kind
class GameStopped(Event):
    """The players ended the game by a vote, before its rules ended it."""

    reason: str
    decided_by: str


@event_kind
class ModeratorActed(Event):
    """The moderator did something that touched the game, or writes to all."""

    text: str


@event_kind
class SeedPublished(Event):
    """The game is over, and so is the secret: anybody can recompute its dice now.

    Attributes:
        seed: The host's seed in hexadecimal; its SHA-256 is the commitment of the invitation.
    """

    seed: str


@event_kind
class BotTookOver(Event):
    """A seat missed too many turns in a row, and a bot plays it until orders come again."""

    seat: Seat
    skill: str
    missed: int


@event_kind
class PlayerReplaced(Event):
    """A seat missed too many turns in a row, and a standby plays it from now on."""

    seat: Seat
    player: str
    missed: int


@event_kind
class PlayerReturned(Event):
    """Orders came for a seat that a bot had taken over; it is its player's again."""

    seat: Seat
