"""What a turn comes to, and what of its order could not be carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.events import Event, Seat
from pbem.rules.web_of_power_cards.events import ClaimBroken
from pbem.rules.web_of_power_cards.state import Card, Law
from pbem.rules.web_of_power_cards.table import Table


@dataclass(frozen=True, slots=True)
class Missed:
    """A part of an order that cannot be carried out.

    Attributes:
        path: Where in `do`; its first word is the field.
        why: The reason.
        card: The card that cannot be taken; None if it is about a stone.
        by_law: The law card that would help, may be used and may still turn up.
    """

    path: tuple[str | int, ...]
    why: str
    card: Card | None = None
    by_law: Law | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What a turn comes to.

    Attributes:
        table: The table after it.
        taken: The cards taken, in order.
        laws: The law cards that the seat holds after it, as far as known.
        played: The law cards that it played.
        unknown: Law cards that it took without knowing them, on a view.
        broken: The owner of the stone on each card that was taken from under another's.
        told: What happened, in order.
        missed: What could not be carried out.
    """

    table: Table
    taken: tuple[Card, ...]
    laws: tuple[Law, ...]
    played: tuple[Law, ...]
    unknown: int
    broken: Mapping[Card, Seat]
    told: tuple[Event, ...]
    missed: tuple[Missed, ...]

    @property
    def paid_from_card(self) -> bool:
        """Whether a stone on a card was given up."""
        return any(isinstance(event, ClaimBroken) and event.paid_from for event in self.told)

    @property
    def why_unpaid(self) -> str:
        """Why no stone on a card was given up, where none was."""
        return "a stone of your reserve pays first" if self.broken else "you pay nothing for these cards"
