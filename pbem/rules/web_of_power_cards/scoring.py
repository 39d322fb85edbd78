"""The score chart: land cards and circle symbols by country, chains, and the winner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pbem.core.events import Seat
from pbem.rules.kit.ranking import count_each, find_ahead, score_by_rank
from pbem.rules.web_of_power_cards.facts import Facts
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
