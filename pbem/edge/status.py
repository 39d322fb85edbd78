"""Where a game stands, for its moderator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pbem.core.book import Orders
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.edge.gate import lodged, strays
from pbem.edge.home import Home
from pbem.edge.hosting.deadlines import deadline_in_force
from pbem.edge.hosting.notes import Notes, notes_of
from pbem.edge.hosting.owed import owing_seats
from pbem.edge.hosting.terms import why_unattended_rests
from pbem.edge.saved import SavedGame


@dataclass(frozen=True, slots=True)
class Status:
    """Where a game stands.

    Attributes:
        game: The id of the game.
        rules: The name of its rules.
        turn: Its newest turn.
        label: The present ask; "" when it is over.
        asked: The seats that are asked.
        owing: Those of them that have nothing to answer it with: no line that plays now, and no bot.
        lodged: The seats with a submission that no turn has taken.
        bad: Orders files that do not check, with the first mistake of each.
        deadline: When orders are due, ISO 8601, or "".
        missed: How many turns in a row each seat has missed, if any.
        rests: What keeps the game or a seat from going on, and who is away; in words.
    """

    game: str
    rules: str
    turn: int
    label: str
    asked: tuple[Seat, ...]
    owing: tuple[Seat, ...]
    lodged: tuple[Seat, ...]
    bad: tuple[str, ...]
    deadline: str
    missed: Mapping[Seat, int]
    rests: tuple[str, ...] = ()

    def line(self) -> str:
        """Return the status as one line for people."""
        if not self.label:
            return f"{self.game}: {self.rules}, turn {self.turn}; the game is over"
        parts = [f"{self.game}: {self.rules}, turn {self.turn}; asks {', '.join(self.asked)} ({self.label})"]
        parts.append(f"waits for {', '.join(self.owing) or 'nobody'}")
        parts.append(f"orders lodged: {', '.join(self.lodged) or 'none'}")
        if self.deadline:
            parts.append(f"due {self.deadline}")
        if self.missed:
            parts.append(f"missed in a row: {', '.join(f'{seat} {n}' for seat, n in self.missed.items())}")
        parts.extend(self.rests)
        parts.extend(f"BAD {fault}" for fault in self.bad)
        return "; ".join(parts)

    def as_json(self) -> dict[str, Json]:
        """Return the status for programs."""
        return {
            "game": self.game,
            "rules": self.rules,
            "turn": self.turn,
            "label": self.label,
            "asked": list[Json](self.asked),
            "owing": list[Json](self.owing),
            "lodged": list[Json](self.lodged),
            "bad": list[Json](self.bad),
            "deadline": self.deadline,
            "rests": list[Json](self.rests),
            "missed": {str(seat): count for seat, count in self.missed.items()},
        }


def status_of(home: Home, game: str) -> Status:
    """Return where a game stands."""
    saved, notes = SavedGame(home, game), notes_of(home, game)
    found, ask = lodged(saved, held=notes.held), saved.ask
    deadline = deadline_in_force(saved, notes)
    return Status(
        game,
        saved.start.rules,
        saved.turn,
        ask.label if isinstance(ask, Ask) else "",
        tuple(seat for seat in saved.start.seats if isinstance(ask, Ask) and seat in ask.seats),
        owing_seats(saved, notes, found),
        tuple(seat for seat in saved.start.seats if seat in found.submissions),
        (*found.bad.values(), *strays(saved)),
        deadline.isoformat() if deadline else "",
        saved.position.attendance.missed,
        tuple(_rests(saved, notes, found.orders)),
    )


def _rests(saved: SavedGame, notes: Notes, orders: Mapping[Seat, Orders]) -> Iterator[str]:
    """Yield what keeps the game or a seat from going on, and who is away."""
    if isinstance(saved.ask, Outcome):
        return
    if rests := why_unattended_rests(saved, notes):
        yield rests
    if waits := [seat for seat in saved.start.seats if orders.get(seat, Orders()).wait]:
        yield f"{', '.join(waits)} would rather wait for the deadline"
    for seat, why in notes.held.items():
        yield f"orders of {seat} are held back ({why})"
    for seat, found in notes.away.items():
        yield from (
            f"{seat} is away from {absence.start.isoformat()} to {absence.end.isoformat()}"
            for absence in found
        )
