"""What cards are worth as things stand: the points that they would change on the score chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pbem.core.events import Seat
from pbem.rules.web_of_power_cards import scoring
from pbem.rules.web_of_power_cards.facts import Facts, Land
from pbem.rules.web_of_power_cards.state import Card, Country


class Standing:
    """The holdings of all seats, counted once, to be asked what further cards would change."""

    def __init__(self, facts: Facts, held: Mapping[Seat, tuple[Card, ...]]) -> None:
        self.facts = facts
        self.places = {seat: place for place, seat in enumerate(held)}
        self.routes: dict[Seat, Mapping[str, int]] = {
            seat: scoring.count_routes(facts, cards) for seat, cards in held.items()
        }
        lands = [scoring.count_lands(facts, cards) for cards in held.values()]
        symbols = [scoring.count_symbols(facts, cards) for cards in held.values()]
        self._shares = {
            country: _Shares(tuple(one[country] for one in lands), tuple(one[country] for one in symbols))
            for country in facts.countries
        }

    def change(self, seat: Seat, cards: Sequence[Card]) -> dict[Seat, int]:
        """Return how many points each seat wins or loses if one takes some cards."""
        return dict(zip(self.places, self._changes(seat, cards), strict=True))

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

    def _changes(self, seat: Seat, cards: Sequence[Card]) -> list[int]:
        """Return the points that each seat wins or loses, in the order of the seats."""
        changes = [0] * len(self.places)
        for country, shares in self._shares_after(seat, cards).items():
            pairs = zip(shares.points, self._shares[country].points, strict=True)
            changes = [change + then - now for change, (then, now) in zip(changes, pairs, strict=True)]
        changes[self.places[seat]] += self._chains_gain(seat, cards)
        return changes

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
        return scoring.score_chain(self.facts, after) - scoring.score_chain(self.facts, routes)

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
    of_lands = scoring.score_lands(dict(enumerate(lands)))
    of_symbols = scoring.score_most(dict(enumerate(symbols)))
    return tuple(of_lands[place] + of_symbols[place] for place in range(len(lands)))
