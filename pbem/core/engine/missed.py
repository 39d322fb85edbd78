"""Missed turns: how many a seat missed in a row, and who plays it then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.core.events import ALL, Event, Seat

STANDBY = "standby"


class Substitute(NamedTuple):
    """Who plays a seat in place of the player that the moderator's file names.

    Attributes:
        of: The name that was replaced; the substitute counts only while the file names it.
        by: The name of the standby.
    """

    of: str
    by: str


class Misses(NamedTuple):
    """What becomes of a seat that misses turns.

    Attributes:
        after: So many missed in a row are too many; 0 never.
        then: A bot's skill, or "standby". Without a standby left the seat goes on as before.
        standbys: Names of those who wait for a seat, the next one first.
        players: Name of the player in each seat.
    """

    after: int = 0
    then: str = STANDBY
    standbys: tuple[str, ...] = ()
    players: Mapping[Seat, str] = {}


class Attendance(NamedTuple):
    """Who missed turns, as a game remembers it.

    Attributes:
        missed: Turns in a row that a seat missed, if any.
        substitutes: The standbys that have taken seats.
    """

    missed: Mapping[Seat, int] = {}
    substitutes: Mapping[Seat, Substitute] = {}


def taken_over(attendance: Attendance, misses: Misses) -> dict[Seat, str]:
    """Return the seats that a bot has taken over, with its skill; new orders give them back."""
    if not misses.after or misses.then == STANDBY:
        return {}
    return {seat: misses.then for seat, count in attendance.missed.items() if count >= misses.after}


def attended(attendance: Attendance, seat: Seat) -> Attendance:
    """Return the attendance after a seat sent orders or one of its lines was played."""
    if seat not in attendance.missed:
        return attendance
    missed = {one: count for one, count in attendance.missed.items() if one != seat}
    return Attendance(missed, attendance.substitutes)


def anew(attendance: Attendance, arrived: Iterable[Seat]) -> Attendance:
    """Return the attendance of those who play now: what others missed before them is not counted."""
    for seat in arrived:
        attendance = attended(attendance, seat)
    return attendance


def missed_again(attendance: Attendance, seat: Seat, misses: Misses) -> tuple[Attendance, tuple[Event, ...]]:
    """Return the attendance after a seat missed a turn, and what all are told if it was one too many."""
    count = attendance.missed.get(seat, 0) + 1
    counted = Attendance({**attendance.missed, seat: count}, attendance.substitutes)
    if not misses.after or count < misses.after:
        return counted, ()
    from pbem.core.engine.notices import BotTookOver, PlayerReplaced  # few turns tell any of this

    if misses.then != STANDBY:
        told = (BotTookOver(seat, misses.then, count, to=ALL),) if count == misses.after else ()
        return counted, told
    waiting = [name for name in misses.standbys if name not in _seated(attendance)]
    if not waiting:
        return counted, ()
    substitute = Substitute(misses.players.get(seat, seat), waiting[0])
    replaced = Attendance(attended(counted, seat).missed, {**attendance.substitutes, seat: substitute})
    return replaced, (PlayerReplaced(seat, substitute.by, count, to=ALL),)


def _seated(attendance: Attendance) -> set[str]:
    return {substitute.by for substitute in attendance.substitutes.values()}
