"""What cards are worth as things stand: the points that they would change on the score chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.core.events import Seat
from pbem.rules.web_of_power_cards import scoring
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.state import Card, Country


class Standing:
    """The holdings of all seats, counted once, to be asked what further cards would change."""

    def __init__(self, facts: Facts, held: Mapping[Seat, tuple[Card, ...]]) -> None:
        self.facts = facts
        self.lands = {seat: scoring.count_lands(facts, cards) for seat, cards in held.items()}
        self.symbols = {seat: scoring.count_symbols(facts, cards) for seat, cards in held.items()}
        self.routes = {seat: scoring.count_routes(facts, cards) for seat, cards in held.items()}
        self._now = {country: self._country(country, None, ()) for country in facts.countries}

    def change(self, seat: Seat, cards: Iterable[Card]) -> dict[Seat, int]:
        """Return how many points each seat wins or loses if one takes some cards."""
        by_country: dict[Country, list[Card]] = {}
        routes = dict(self.routes[seat])
        for card in cards:
            land = self.facts.lands[card]
            by_country.setdefault(land.country, []).append(card)
            if land.route is not None:
                routes[land.route] += 1
        changed = dict.fromkeys(self.lands, 0)
        for country, taken in by_country.items():
            after = self._country(country, seat, taken)
            for one in changed:
                changed[one] += after[one] - self._now[country][one]
        chain = scoring.score_chain(self.facts, routes) - scoring.score_chain(self.facts, self.routes[seat])
        changed[seat] += chain
        return changed

    def _country(self, country: Country, seat: Seat | None, taken: Iterable[Card]) -> dict[Seat, int]:
        """Return the points of all seats in a country, once a seat took some more cards of it."""
        lands = {one: counts[country] for one, counts in self.lands.items()}
        symbols: dict[Seat, Mapping[str, int]] = {one: types[country] for one, types in self.symbols.items()}
        if seat is not None:
            types = dict(symbols[seat])
            for card in taken:
                lands[seat] += 1
                land = self.facts.lands[card]
                if land.symbol is not None:
                    types[land.symbol] = types.get(land.symbol, 0) + land.symbols
            symbols[seat] = types
        of_lands, of_symbols = scoring.score_lands(lands), scoring.score_symbols(symbols)
        return {one: of_lands[one] + of_symbols[one] for one in lands}
