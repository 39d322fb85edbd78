"""Where a game stands, for its moderator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.owing import owing
from pbem.edge.gate import lodged, strays
from pbem.edge.home import Home
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
            "missed": {str(seat): count for seat, count in self.missed.items()},
        }


def status_of(home: Home, game: str) -> Status:
    """Return where a game stands."""
    saved = SavedGame(home, game)
    found, ask = lodged(saved), saved.ask
    deadline, waiting = saved.table.deadline, frozenset[Seat]()
    if isinstance(ask, Ask):
        position = saved.position.game
        waiting = owing(
            saved.opening,
            position,
            ask,
            found.orders,
            bots=saved.bots.keys(),
            forced=saved.start.forced,
        )
    return Status(
        game,
        saved.start.rules,
        saved.turn,
        ask.label if isinstance(ask, Ask) else "",
        tuple(seat for seat in saved.start.seats if isinstance(ask, Ask) and seat in ask.seats),
        tuple(seat for seat in saved.start.seats if seat in waiting),
        tuple(seat for seat in saved.start.seats if seat in found.submissions),
        (*found.bad.values(), *strays(saved)),
        deadline.isoformat() if deadline else "",
        saved.position.attendance.missed,
    )
