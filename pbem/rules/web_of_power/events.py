"""What can happen in Web of Power. Only the cards that a seat draws from the pile are its own secret."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.events import Seat
from pbem.rules.kit.ruled import Happened
from pbem.rules.web_of_power.state import Card, Country, Site


class PiecesPlaced(Happened, releases=("country", "pieces", "cards")):
    """A seat paid cards for pieces in a country: a site is a cloister on it, the others are advisors."""

    seat: Seat
    country: Country
    pieces: tuple[str, ...]
    cards: tuple[Card, ...]


class CardDiscarded(Happened, releases=("card",)):
    """A seat placed no piece and threw a card away."""

    seat: Seat
    card: Card


class CardsDrawn(Happened, releases=("cards",)):
    """A seat drew these cards from the pile; nobody else is told which."""

    seat: Seat
    cards: tuple[Card, ...]


class HandFilled(Happened, releases=("taken", "from_pile")):
    """A seat took these open cards, and so many from the pile; which it chose can tell of its hand."""

    seat: Seat
    taken: tuple[Card, ...]
    from_pile: int


class CardsTurnedUp(Happened, releases=("cards",)):
    """These cards were turned up beside the pile, which has so many left."""

    cards: tuple[Card, ...]
    pile: int


class PileRanOut(Happened):
    """The last card of the pile was taken, for the first or the second time; who still has a turn then."""

    half: int
    still: tuple[Seat, ...]


class CloistersScored(Happened):
    """The cloisters of each country were scored: points by country and seat, and all points after it."""

    half: int
    points: Mapping[Country, Mapping[Seat, int]]
    totals: Mapping[Seat, int]


class AlliancesScored(Happened):
    """The alliances were scored: points by number, of those that brought any, and what these join."""

    points: Mapping[int, Mapping[Seat, int]]
    countries: Mapping[int, tuple[Country, ...]]
    totals: Mapping[Seat, int]


class ChainsScored(Happened):
    """The chains were scored: the rows of cloisters of each seat that has any, and all points after it."""

    chains: Mapping[Seat, tuple[tuple[Site, ...], ...]]
    totals: Mapping[Seat, int]


class SecondHalfBegun(Happened):
    """The discards were shuffled into a new pile of so many cards, and this seat goes on."""

    cards: int
    seat: Seat
