"""What the loop itself tells: press, moves made for a seat, where answers came from, the end of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

from pbem.core.book import Line, OrderFired, Orders, Press
from pbem.core.events import ALL, MODERATOR, Event, Seat, event_kind, only
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


def press_events(orders: Mapping[Seat, Orders]) -> tuple[PressSent, ...]:
    """Return the press of all seats as events.

    What is unsigned comes last and in the order of its words: its place must not tell who sent it.

    Args:
        orders: What each seat has lodged, in seating order.
    """
    sent = [(seat, press) for seat, lodged in orders.items() for press in lodged.press]
    signed = [_press_event(seat, press) for seat, press in sent if not press.anonymous]
    unsigned = [_press_event(seat, press) for seat, press in sent if press.anonymous]
    return (*signed, *sorted(unsigned, key=lambda event: (event.say, event.readers)))


def press_readers(press: Press, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the seats that read a message, without its sender; the moderator has none."""
    return tuple(seat for seat in seats if press.to == ALL or seat in press.to)


def is_to_moderator(press: Press) -> bool:
    """Tell whether a message names the moderator among its readers, who reads no report."""
    return press.to != ALL and MODERATOR in press.to


def _press_event(sender: Seat, press: Press) -> PressSent:

    if press.to == ALL:
        return PressSent(Seat("") if press.anonymous else sender, ALL, press.say, to=ALL)
    named = tuple(sorted(press.to))
    seats = (frozenset(press.to) - {MODERATOR}) | {sender}
    return PressSent(Seat("") if press.anonymous else sender, named, press.say, to=seats)


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


def order_answer_text(number: int) -> str:
    """Return how an ask was answered that a line of orders answered."""
    return f"was answered by order {number}"


def answer_text(answer: Answer[M]) -> str:
    """Return how an ask was answered, for the owner of the move."""
    if answer.line is not None:
        return order_answer_text(answer.line.number)
    if answer.source == FORCED:
        return "had one legal order, which was played"
    return f"was answered for you ({answer.source})"


def answer_events(label: Label, seat: Seat, answer: Answer[M]) -> tuple[Event, ...]:
    """Return what the owner of a move is told about where it came from."""
    if answer.line is not None:
        return (OrderFired(seat, label, answer.line.number, answer.do, to=only(seat)),)
    if answer.source.startswith("bot "):
        return ()

    if answer.source == FORCED:
        return (MoveForced(seat, label, answer.do, to=only(seat)),)
    return (SeatSilent(seat, label, answer.source, answer.do, to=only(seat)),)
