"""What can happen in Web of Power. Only the cards that a seat draws from the pile are its own secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pbem.core.events import Event, Seat
from pbem.rules.web_of_power.state import Card, Country, Site


@dataclass(frozen=True, kw_only=True)
class PiecesPlaced(Event):
    """A seat paid cards for pieces in a country: a site is a cloister on it, the others are advisors."""

    seat: Seat
    country: Country
    pieces: tuple[str, ...]
    cards: tuple[Card, ...]

    releases: ClassVar[tuple[str, ...]] = ("country", "pieces", "cards")


@dataclass(frozen=True, kw_only=True)
class CardDiscarded(Event):
    """A seat placed no piece and threw a card away."""

    seat: Seat
    card: Card

    releases: ClassVar[tuple[str, ...]] = ("card",)


@dataclass(frozen=True, kw_only=True)
class CardsDrawn(Event):
    """A seat drew these cards from the pile; nobody else is told which."""

    seat: Seat
    cards: tuple[Card, ...]

    releases: ClassVar[tuple[str, ...]] = ("cards",)


@dataclass(frozen=True, kw_only=True)
class HandFilled(Event):
    """A seat took these open cards, and so many from the pile; which it chose can tell of its hand."""

    seat: Seat
    taken: tuple[Card, ...]
    from_pile: int

    releases: ClassVar[tuple[str, ...]] = ("taken", "from_pile")


@dataclass(frozen=True, kw_only=True)
class CardsTurnedUp(Event):
    """These cards were turned up beside the pile, which has so many left."""

    cards: tuple[Card, ...]
    pile: int

    releases: ClassVar[tuple[str, ...]] = ("cards",)


@dataclass(frozen=True, kw_only=True)
class PileRanOut(Event):
    """The last card of the pile was taken, for the first or the second time; who still has a turn then."""

    half: int
    still: tuple[Seat, ...]


@dataclass(frozen=True, kw_only=True)
class CloistersScored(Event):
    """The cloisters of each country were scored: points by country and seat, and all points after it."""

    half: int
    points: Mapping[Country, Mapping[Seat, int]]
    totals: Mapping[Seat, int]


@dataclass(frozen=True, kw_only=True)
class AlliancesScored(Event):
    """The alliances were scored: points by number, of those that brought any, and what these join."""

    points: Mapping[int, Mapping[Seat, int]]
    countries: Mapping[int, tuple[Country, ...]]
    totals: Mapping[Seat, int]


@dataclass(frozen=True, kw_only=True)
class ChainsScored(Event):
    """The chains were scored: the rows of cloisters of each seat that has any, and all points after it."""

    chains: Mapping[Seat, tuple[tuple[Site, ...], ...]]
    totals: Mapping[Seat, int]


@dataclass(frozen=True, kw_only=True)
class SecondHalfBegun(Event):
    """The discards were shuffled into a new pile of so many cards, and this seat goes on."""

    cards: int
    seat: Seat
