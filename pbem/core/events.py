"""What happened, and who may know it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, NamedTuple, NewType, TypeAlias, TypeVar, dataclass_transform

Seat = NewType("Seat", str)

ALL: Final = "all"
MODERATOR: Final = Seat("moderator")
"""Who reads press besides the seats; nobody who sits at the table."""

Audience: TypeAlias = Literal["all"] | frozenset[Seat]

E = TypeVar("E", bound="Event")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Event:
    """One fact of a turn. Two faces of one fact are two events.

    Attributes:
        to: The seats who may know it, or ALL; there is no default.
        releases: Names of the fields whose value was hidden before and is now given away as the rules
            intend (a drawn card, a revealed tile). The contract compares only worlds in which they are equal.
        announces: Names of the fields that tell what another seat ordered, as the rules intend, though what
            it does stays hidden and no view shows it afterwards (a special that is called out).
    """

    to: Audience
    releases: ClassVar[tuple[str, ...]] = ()
    announces: ClassVar[tuple[str, ...]] = ()

    # Said once: made anew for each kind, these took a thirtieth of a run that starts.

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({said})"


@dataclass_transform(frozen_default=True)
def event_kind(kind: type[E], *, kw_only: bool = False) -> type[E]:
    """Make a kind of event a frozen dataclass that compares and shows itself as all events do."""
    return dataclass(frozen=True, kw_only=kw_only, eq=False, repr=False)(kind)


def only(*seats: Seat) -> Audience:
    """Return the audience of just these seats."""
    return frozenset(seats)


class Recorded(NamedTuple):
    """An event in the record of a turn, with the label of the ask whose step it belongs to."""

    at: str
    event: Event


def visible(events: Iterable[Recorded], seat: Seat | None) -> tuple[Recorded, ...]:
    """Return the events this seat may know; None is the spectator. The only filter there is."""
    return tuple(
        entry for entry in events if entry.event.to == ALL or (seat is not None and seat in entry.event.to)
    )
