"""Where an answer to an ask came from, and what its seat is told of it."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from pbem.core.engine.book import Line, OrderFired
from pbem.core.events import Event, Seat, only
from pbem.core.interface import Json, Label

M = TypeVar("M")

FORCED = "forced"
SILENCE = "silence"


class Answer(NamedTuple, Generic[M]):
    """One seat's part of a step.

    Attributes:
        do: The order as written.
        move: The order as read.
        source: What gave it: "order 2", "forced", "hold", "silence", "bot greedy" (the seat's player is
            one), "stand-in greedy" (for a silent player), "taken over by greedy" (for one silent too often).
        line: The line that gave it, if one did.
    """

    do: Json
    move: M
    source: str
    line: Line | None = None


def is_for_silent(source: str) -> bool:
    """Tell whether a move was made because a seat was silent: a missed turn."""
    return source == "hold" or source.startswith(("stand-in ", "taken over "))


def by_order(number: int) -> str:
    """Return how an ask was answered that a line of orders answered."""
    return f"was answered by order {number}"


def in_words(answer: Answer[M]) -> str:
    """Return how an ask was answered, for the owner of the move."""
    if answer.line is not None:
        return by_order(answer.line.number)
    if answer.source == FORCED:
        return "had one legal order, which was played"
    return f"was answered for you ({answer.source})"


def how_answered(label: Label, seat: Seat, answer: Answer[M]) -> tuple[Event, ...]:
    """Return what the owner of a move is told about where it came from."""
    if answer.line is not None:
        return (OrderFired(seat, label, answer.line.number, answer.do, to=only(seat)),)
    if answer.source.startswith("bot "):
        return ()
    from pbem.core.engine.notices import MoveForced, SeatSilent  # few turns tell any of this

    if answer.source == FORCED:
        return (MoveForced(seat, label, answer.do, to=only(seat)),)
    return (SeatSilent(seat, label, answer.source, answer.do, to=only(seat)),)
