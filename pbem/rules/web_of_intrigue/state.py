"""What a game of Web of Intrigue is made of: its names and its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NewType, TypeAlias

from pbem.core.events import Seat

Square = NewType("Square", str)
"""Column letter from the left, row number from the top: "d5"."""

TileId = NewType("TileId", str)
"""An object or a special: "queen_victoria", "inflation"."""

HouseId = NewType("HouseId", str)

Category = NewType("Category", str)
"""What kind of object: "person", "country"."""

UNSEEN: Final = "?"
"""What stands on a square whose tile is obscured."""

Target: TypeAlias = Literal["secret", "none"] | int


@dataclass(frozen=True, slots=True)
class Options:
    """What may differ from game to game.

    Attributes:
        vp: Each turn's income is added up ("total"), or only the last one counts ("snapshot").
        turns: The game ends after this turn at the latest; 0 is no limit.
        target: The mean of all suggestions ("secret"), a number that all know, or "none".
        reveal_reach: Which squares a special may reveal: "anywhere", or only the own "diamond".
        guess_pays: What a right guess pays of the other's points: "eighth", say, or as the "table" has it.
        free_wrong_guesses: How many wrong guesses cost nothing: "all", or a number.
        sieve: Who sees which Houses bids leave to each player: "seats", "all" (spectators too), or "none".
    """

    vp: Literal["total", "snapshot"]
    turns: int
    target: Target
    reveal_reach: Literal["anywhere", "diamond"]
    guess_pays: str
    free_wrong_guesses: Literal["all"] | int
    sieve: Literal["seats", "all", "none"]


@dataclass(frozen=True, slots=True)
class Sighting:
    """A tile as it was seen at the end of a turn, or revealed in it."""

    tile: TileId
    turn: int


@dataclass(frozen=True, slots=True)
class Spotting:
    """The square of another player as a special revealed it, before the moves of that turn."""

    square: Square
    turn: int


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess at another player's House, and whether it was right; free ones come from specials."""

    turn: int
    player: Seat
    house: HouseId
    right: bool
    free: bool


@dataclass(frozen=True, slots=True)
class Blight:
    """Action points that a special takes from another player for one turn."""

    player: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class Player:
    """One seat's side of the game.

    Attributes:
        house: Its secret House.
        square: Where it stands.
        suggestion: The victory target it suggested, within the limits.
        reach: Radius of its diamond until the next report.
        gained: Action points won for this turn.
        blights: Whom it took action points from for this turn.
        objects: Points from controlled objects: added up so far, or of the last turn ("snapshot").
        bonus: Points from right guesses, likewise.
        transfers: Points moved by specials, for good.
        bonuses: Points of the last turn from each seat whose House it guessed.
        guesses: Its guesses, oldest first.
        memory: The tile last seen on each square it has ever seen.
        spotted: Where it last spotted other players.
        shrouds: Squares whose tiles it has obscured until the end of the next turn's orders.
        bids: How often it bid for objects of each category; all see that.
        proven: What its House must add at least, by category, as its bids prove to all.
    """

    house: HouseId
    square: Square
    suggestion: int
    reach: int
    gained: int = 0
    blights: tuple[Blight, ...] = ()
    objects: int = 0
    bonus: int = 0
    transfers: int = 0
    bonuses: Mapping[Seat, int] = field(default_factory=dict)
    guesses: tuple[Guess, ...] = ()
    memory: Mapping[Square, Sighting] = field(default_factory=dict)
    spotted: Mapping[Seat, Spotting] = field(default_factory=dict)
    shrouds: tuple[Square, ...] = ()
    bids: Mapping[Category, int] = field(default_factory=dict)
    proven: Mapping[Category, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Victory points in all."""
        return self.objects + self.bonus + self.transfers

    @property
    def known(self) -> set[Seat]:
        """The players whose House it has ever guessed."""
        return {guess.player for guess in self.guesses if guess.right}


@dataclass(frozen=True, slots=True)
class State:
    """A whole game, between two turns.

    Attributes:
        turn: The number of the turn that orders are asked for, from 1.
        options: What this game is played with.
        web: The tile on every square.
        owners: The controller of each controlled object.
        players: The side of each seat, in seating order.
    """

    turn: int
    options: Options
    web: Mapping[Square, TileId]
    owners: Mapping[TileId, Seat]
    players: Mapping[Seat, Player]

    def __post_init__(self) -> None:
        """Put the seats in seating order, and refuse a state in which they guess at or blight themselves.

        A saved game lists them as text, "10" before "2"; draws and reports must not depend on that.
        """
        seats = sorted(self.players, key=lambda seat: (len(seat), seat))
        object.__setattr__(self, "players", {seat: self.players[seat] for seat in seats})
        for seat, player in self.players.items():
            named = {*(guess.player for guess in player.guesses), *(one.player for one in player.blights)}
            if seat in named:
                raise ValueError(f"expected {seat} to guess at and blight other players, got itself")

    def lost(self, seat: Seat) -> int:
        """Return how many action points others take from a seat this turn (ruling 9)."""
        blights = (blight for player in self.players.values() for blight in player.blights)
        return sum(blight.amount for blight in blights if blight.player == seat)


def held_by(owners: Mapping[TileId, Seat], seat: Seat | None) -> frozenset[TileId]:
    """Return the objects that a seat controls."""
    return frozenset(tile for tile, owner in owners.items() if owner == seat)
