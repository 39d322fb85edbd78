"""The score chart: land cards and circle symbols by country, chains, the winner, and what cards change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from pbem.core.events import Seat
from pbem.rules.kit.ranking import count_each, find_ahead, score_by_rank
from pbem.rules.web_of_power_cards.facts import Facts, Land
from pbem.rules.web_of_power_cards.state import MINUS, Card, Country, Law

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Column:
    """One seat's part of the score chart.

    Attributes:
        lands: Points for land cards, by country.
        symbols: Points for circle symbols, by country.
        subtotal: Both together.
        chain: Points for ships and carriages.
        penalty: Points lost by law cards; None is unknown.
        total: All points, a penalty that is known taken off.
    """

    lands: Mapping[Country, int]
    symbols: Mapping[Country, int]
    subtotal: int
    chain: int
    penalty: int | None
    total: int


def score_lands(held: Mapping[K, int]) -> dict[K, int]:
    """Return the points of each seat for the land cards of one country.

    Args:
        held: Its cards of the country.

    Source: rulebook, "Scoring and the end of the game", Land cards: the first rank earns as many points as
    cards are held by all together.
    """
    return score_by_rank(sum(held.values()), held)


def score_symbols(held: Mapping[Seat, Mapping[str, int]]) -> dict[Seat, int]:
    """Return the points of each seat for the circle symbols of one country.

    Args:
        held: Its symbols of each type in the country.

    Source: rulebook, "Scoring and the end of the game", Symbol scoring: the most of any one type, for all who
    have as many, once each.
    """
    return score_most({seat: max(types.values(), default=0) for seat, types in held.items()})


def score_most(held: Mapping[K, int]) -> dict[K, int]:
    """Return the points of each seat for the circle symbols of one country, of the type it has most of."""
    most = max(held.values(), default=0)
    return {one: most if count == most else 0 for one, count in held.items()}


def score_chain(facts: Facts, routes: Mapping[str, int]) -> int:
    """Return the points for routes: ships and carriages count each for themselves, from five on.

    Args:
        facts: The numbers.
        routes: How many ships and carriages a seat holds.

    Source: rulebook, "Scoring and the end of the game", Chain scoring.
    """
    return sum(count for count in routes.values() if count >= facts.chain)


def count_routes(facts: Facts, cards: Iterable[Card]) -> dict[str, int]:
    """Return how many cards show each kind of route."""
    shown = (facts.lands[card].route for card in cards)
    return count_each(facts.routes, (route for route in shown if route is not None))


def count_lands(facts: Facts, cards: Iterable[Card]) -> dict[Country, int]:
    """Return how many cards there are of each country."""
    return count_each(facts.countries, (facts.lands[card].country for card in cards))


def count_symbols(facts: Facts, cards: Iterable[Card]) -> dict[Country, dict[str, int]]:
    """Return how many symbols of each type there are in each country."""
    counts: dict[Country, dict[str, int]] = {country: {} for country in facts.countries}
    for card in cards:
        land = facts.lands[card]
        if land.symbol is not None:
            types = counts[land.country]
            types[land.symbol] = types.get(land.symbol, 0) + land.symbols
    return counts


def fill_chart(
    facts: Facts, held: Mapping[Seat, tuple[Card, ...]], laws: Mapping[Seat, tuple[Law, ...] | None]
) -> dict[Seat, Column]:
    """Fill in the score chart, country by country, as if the game ended with these cards.

    Args:
        facts: The cards and the numbers.
        held: The land cards of each seat.
        laws: The law cards of each seat that are known; None where they are not.

    Source: rulebook, "Scoring and the end of the game".
    """
    counted = {seat: count_lands(facts, cards) for seat, cards in held.items()}
    symbols = {seat: count_symbols(facts, cards) for seat, cards in held.items()}
    lands, circles = {}, {}
    for country in facts.countries:
        lands[country] = score_lands({seat: counts[country] for seat, counts in counted.items()})
        circles[country] = score_symbols({seat: types[country] for seat, types in symbols.items()})
    chart = {}
    for seat, cards in held.items():
        of_lands = {country: points[seat] for country, points in lands.items()}
        of_symbols = {country: points[seat] for country, points in circles.items()}
        subtotal = sum(of_lands.values()) + sum(of_symbols.values())
        chain = score_chain(facts, count_routes(facts, cards))
        known = laws[seat]
        penalty = None if known is None else lose_points(facts, known)
        total = subtotal + chain - (penalty or 0)
        chart[seat] = Column(of_lands, of_symbols, subtotal, chain, penalty, total)
    return chart


def lose_points(facts: Facts, laws: tuple[Law, ...]) -> int:
    """Return what the law cards that a seat still holds cost: those of minus two points, two each.

    Source: rulebook, "Scoring and the end of the game", last paragraph.
    """
    return facts.penalty * laws.count(MINUS)


def decide(totals: Mapping[Seat, int], cards: Mapping[Seat, int]) -> tuple[tuple[Seat, ...], str]:
    """Return the winner and what decided; nobody where points and cards are equal.

    Args:
        totals: All points of each seat.
        cards: How many land cards it holds.

    Source: rulebook, "Scoring and the end of the game", last paragraph.
    """
    ahead, decided_by = find_ahead(totals, ("points", totals), ("more land cards", cards))
    return (ahead, decided_by) if len(ahead) == 1 else ((), "points and land cards are equal")


class Standing:
    """The holdings of all seats, counted once, to be asked what further cards would change."""

    def __init__(self, facts: Facts, held: Mapping[Seat, tuple[Card, ...]]) -> None:
        self.facts = facts
        self.places = {seat: place for place, seat in enumerate(held)}
        self.routes: dict[Seat, Mapping[str, int]] = {
            seat: count_routes(facts, cards) for seat, cards in held.items()
        }
        lands = [count_lands(facts, cards) for cards in held.values()]
        symbols = [count_symbols(facts, cards) for cards in held.values()]
        self._shares = {
            country: _Shares(tuple(one[country] for one in lands), tuple(one[country] for one in symbols))
            for country in facts.countries
        }

    def change(self, seat: Seat, cards: Sequence[Card]) -> dict[Seat, int]:
        """Return how many points each seat wins or loses if one takes some cards."""
        changes = [0] * len(self.places)
        for country, shares in self._shares_after(seat, cards).items():
            pairs = zip(shares.points, self._shares[country].points, strict=True)
            changes = [change + then - now for change, (then, now) in zip(changes, pairs, strict=True)]
        changes[self.places[seat]] += self._chains_gain(seat, cards)
        return dict(zip(self.places, changes, strict=True))

    def swing(self, seat: Seat, card: Card) -> float:
        """Return what a card brings a seat, and what the others lose by it on average."""
        land = self.facts.lands[card]
        gain, of_others = self._shares[land.country].gains(self.places[seat], land)
        return gain + self._chains_gain(seat, [card]) - of_others / (len(self.places) - 1)

    def after(self, seat: Seat, cards: Sequence[Card]) -> Standing:
        """Return the holdings once a seat took some cards."""
        found = Standing.__new__(Standing)
        found.facts, found.places = self.facts, self.places
        found._shares = {**self._shares, **self._shares_after(seat, cards)}
        found.routes = {**self.routes, seat: self._routes_after(seat, cards)}
        return found

    def _shares_after(self, seat: Seat, cards: Sequence[Card]) -> dict[Country, _Shares]:
        """Return the shares of the countries of which a seat took some cards."""
        found: dict[Country, _Shares] = {}
        for land in map(self.facts.lands.__getitem__, cards):
            shares = found.get(land.country) or self._shares[land.country]
            found[land.country] = shares.with_card(self.places[seat], land)
        return found

    def _chains_gain(self, seat: Seat, cards: Sequence[Card]) -> int:
        """Return the points that some cards bring a seat by ships and carriages."""
        routes, after = self.routes[seat], self._routes_after(seat, cards)
        if after is routes:
            return 0
        return score_chain(self.facts, after) - score_chain(self.facts, routes)

    def _routes_after(self, seat: Seat, cards: Sequence[Card]) -> Mapping[str, int]:
        """Return the ships and carriages of a seat once it took some cards."""
        routes = self.routes[seat]
        for card in cards:
            if (route := self.facts.lands[card].route) is not None:
                routes = {**routes, route: routes[route] + 1}
        return routes


class _Shares:
    """What all seats hold of one country, in their order: land cards, and circle symbols of each type.

    Standings share it as long as nobody takes a card of the country, and so what was worked out for one of
    them is known to all.
    """

    __slots__ = ("_gains", "_lands", "_symbols", "_with", "points")

    def __init__(self, lands: tuple[int, ...], symbols: tuple[Mapping[str, int], ...]) -> None:
        self.points = _points(lands, tuple([max(types.values(), default=0) for types in symbols]))
        self._lands = lands
        self._symbols = symbols
        self._with: dict[tuple[int, str | None, int], _Shares] = {}
        self._gains: dict[tuple[int, str | None, int], tuple[int, int]] = {}

    def with_card(self, place: int, land: Land) -> _Shares:
        """Return the shares once the seat at a place took one more card of the country."""
        key = (place, land.symbol, land.symbols)
        if key not in self._with:
            lands, symbols = [*self._lands], [*self._symbols]
            lands[place] += 1
            if land.symbol is not None:
                types = symbols[place]
                symbols[place] = {**types, land.symbol: types.get(land.symbol, 0) + land.symbols}
            self._with[key] = _Shares(tuple(lands), tuple(symbols))
        return self._with[key]

    def gains(self, place: int, land: Land) -> tuple[int, int]:
        """Return the points that one more card brings the seat at a place, and all others together."""
        key = (place, land.symbol, land.symbols)
        if key not in self._gains:
            after = self.with_card(place, land).points
            gain = after[place] - self.points[place]
            self._gains[key] = (gain, sum(after) - sum(self.points) - gain)
        return self._gains[key]


@lru_cache(maxsize=1 << 14)
def _points(lands: tuple[int, ...], symbols: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of each seat in a country.

    Args:
        lands: The land cards of each.
        symbols: The circle symbols of each, of the type of which it has most.
    """
    of_lands = score_lands(dict(enumerate(lands)))
    of_symbols = score_most(dict(enumerate(symbols)))
    return tuple(of_lands[place] + of_symbols[place] for place in range(len(lands)))
