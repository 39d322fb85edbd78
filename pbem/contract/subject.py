"""What the contract is checked on, and what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pbem.core.events import Seat
from pbem.core.interface import AnyRules
from pbem.text.schema import Schema

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True)
class Subject:
    """A rule system with what is needed to play and report it.

    Attributes:
        rules: The rules, built from their data.
        seats: The seats at the table.
        options: The rules' options in force.
        moves: The schema of `do`.
        environment: The report templates; None leaves reports out.
    """

    rules: AnyRules
    seats: tuple[Seat, ...]
    options: Mapping[str, Any]
    moves: Schema
    environment: Environment | None


@dataclass(slots=True)
class Checked:
    """What a check did and found.

    Attributes:
        breaches: Each breach once, in a sentence with the place.
        games: Games played.
        steps: Steps resolved.
        views: Pairs of views compared.
        reports: Pairs of reports and forms compared.
        worlds: Other worlds in which a step was resolved again.
        worlds_kept: Those in which every release came out the same, so that all else could be compared.
        events: Events by kind.
        planted_found: Planted leaks that were found; two where something is hidden.
    """

    breaches: list[str] = field(default_factory=list)
    games: int = 0
    steps: int = 0
    views: int = 0
    reports: int = 0
    worlds: int = 0
    worlds_kept: int = 0
    events: Counter[str] = field(default_factory=Counter)
    planted_found: int = 0

    def breach(self, text: str) -> None:
        """Note a breach, once."""
        if text not in self.breaches:
            self.breaches.append(text)

    def __str__(self) -> str:
        """Return the counts and the breaches, a line each."""
        counts = (
            f"{self.games} games, {self.steps} steps; "
            f"{self.views} views and {self.reports} reports compared; "
            f"{self.worlds_kept} of {self.worlds} worlds kept; {self.planted_found} planted leaks found"
        )
        return "\n".join([counts, *self.breaches])
