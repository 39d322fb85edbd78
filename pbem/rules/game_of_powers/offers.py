"""Trade as it is ordered: an offer, and what answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pbem.core.events import Seat
from pbem.rules.game_of_powers.state import Deal


@dataclass(frozen=True, slots=True)
class Proposal:
    """A trade offered to the owner of another ship, and the counter-offers that are accepted beforehand."""

    partner: Seat
    deal: Deal
    accepts: tuple[Deal, ...]


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept what is on the table; with terms, only if it gives at least and takes at most so much."""

    terms: Deal | None


@dataclass(frozen=True, slots=True)
class Decline:
    """Decline what is on the table."""


@dataclass(frozen=True, slots=True)
class Counter:
    """Answer an offer with another one."""

    deal: Deal


Answer: TypeAlias = Accept | Decline | Counter
