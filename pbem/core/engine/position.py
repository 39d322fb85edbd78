"""What the loop starts from and comes to: a position, a policy, the steps taken and the whole run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from pbem.core.dice import Dice
from pbem.core.engine.book import Orders
from pbem.core.engine.missed import Attendance, Misses
from pbem.core.events import Recorded, Seat
from pbem.core.interface import Ask, Json, Label, Outcome, Step

S = TypeVar("S")


class Position(NamedTuple, Generic[S]):
    """A game between two turns.

    Attributes:
        game: The state.
        steps: How many steps were resolved so far; the next one's dice are keyed by this number.
        asked: The highest count asked so far, by owner of the label.
        over: Whether the end was announced.
        attendance: Who missed turns, and who plays in their place.
        outcome: How the game ended before its rules ended it; None if they decide.
    """

    game: S
    steps: int = 0
    asked: Mapping[str, int] = {}
    over: bool = False
    attendance: Attendance = Attendance()
    outcome: Outcome | None = None


class Policy(NamedTuple):
    """What a run is given besides orders: who answers without a fitting line, and what was decided.

    Attributes:
        due: The deadline of the ask that is open when the run begins has passed.
        silent: What a silent seat does then: "wait", "hold" or a bot's skill.
        bots: Seats that a bot plays at once, and its skill.
        forced: A seat without a real choice is not waited for.
        most_steps: A run ends after this many steps.
        misses: What becomes of seats that miss turns.
        excused: Seats whose silence is no missed turn, for their players are away with notice.
        arrived: Seats that missed turns under another player than the one who has them now.
        held: Seats whose orders the moderator holds back: none of their lines is looked at.
        acts: What the moderator did since the last turn, as all are told.
        ended: How the players ended the game by a vote; None lets it go on.
    """

    due: bool = False
    silent: Mapping[Seat, str] = {}
    bots: Mapping[Seat, str] = {}
    forced: bool = False
    most_steps: int = 100
    misses: Misses = Misses()
    excused: frozenset[Seat] = frozenset()
    arrived: frozenset[Seat] = frozenset()
    held: frozenset[Seat] = frozenset()
    acts: tuple[str, ...] = ()
    ended: Outcome | None = None


class TakenStep(NamedTuple):
    """A step as the turn records it: per seat the order and what gave it."""

    label: Label
    kind: str
    moves: Mapping[Seat, Json]
    sources: Mapping[Seat, str]


class Shot(NamedTuple, Generic[S]):
    """A step as it was resolved: the game before it, what it was given, and what it came to."""

    game: S
    moves: Mapping[Seat, Any]
    dice: Dice
    step: Step[S]


class Run(NamedTuple, Generic[S]):
    """What one batch run of one game comes to; nothing has been written yet.

    Attributes:
        position: The game after it.
        steps: The steps it took; none means that nothing happened.
        events: Everything that happened, each with its audience.
        orders: What every seat has lodged for later.
        ask: Whom the game waits for now, or how it ended.
        waiting: The seats that still owe an answer.
        shots: The steps as they were resolved, as many as `steps`, for those who look at what lay between.
    """

    position: Position[S]
    steps: tuple[TakenStep, ...]
    events: tuple[Recorded, ...]
    orders: Mapping[Seat, Orders]
    ask: Ask | Outcome
    waiting: frozenset[Seat]
    shots: tuple[Shot[S], ...] = ()
