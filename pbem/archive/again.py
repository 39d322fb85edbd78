"""A turn of a game that is over is played again, and all that its dice draw is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.core.dice import Dice
from pbem.core.engine.opening import Begun
from pbem.core.engine.turn import Run
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.play.homes.called import called_in
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.verify import play_again
from pbem.store.place import Place

Game = Begun[Any]


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of the dice: `value` of the numbers from 0 to `limit` - 1."""

    step: int
    label: str
    n: int
    limit: int
    value: int


@dataclass(frozen=True, slots=True)
class Again:
    """What a turn came to when it was played again.

    Attributes:
        run: All of it, its events with the names of players.
        draws: What its dice drew, each draw once.
    """

    run: Run[Game]
    draws: tuple[Draw, ...]


@dataclass(frozen=True, slots=True)
class WatchedDice(Dice):
    """Dice that write down what is drawn; those of bots and of other worlds are their own affair."""

    drawn: list[Draw] = field(default_factory=list)

    def below(self, limit: int, label: str, n: int = 0) -> int:
        """Return a draw, and write it down."""
        value = Dice.below(self, limit, label, n)
        self.drawn.append(Draw(self.step, label, n, limit, value))
        return value

    def with_luck(self, words: Mapping[Seat, str]) -> Dice:
        """Return the dice of the game, which are watched too."""
        return WatchedDice(Dice.with_luck(self, words).key, self.step, self.drawn)


def again(now: SavedGame, turn: Place, record: dict[str, Json]) -> Again | str:
    """Play a turn again; or say why it cannot be.

    Args:
        now: The game before the turn.
        turn: Where the turn lies.
        record: Its `turn.json`.
    """
    before = now.played_by(record["rules_version"])
    if before is None:
        return f"it was played by version {record['rules_version']} of the rules, and this is another"
    drawn = list[Draw]()
    try:
        run = play_again(before, turn, record, lambda seed, step: WatchedDice(seed, step, drawn))
    except Exception as fault:  # what was damaged since may break any rule; `pbem verify` says what it is
        return f"it cannot be played again ({type(fault).__name__})"
    named = run._replace(events=called_in(turn, record).events(run.events))
    return Again(named, once_each(drawn))


def once_each(drawn: list[Draw]) -> tuple[Draw, ...]:
    """Return what dice have drawn, each draw once: who asks twice for one gets the same."""
    return tuple(dict.fromkeys(drawn))
