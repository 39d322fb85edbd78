"""The map, the cards and the pieces: what is the same in every game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_power.state import Card, Country, Site

Alliances: TypeAlias = Mapping[int, tuple[Country, Country]]
"""The two countries of each alliance, by its number and in the order of numbers: so they are scored."""


@dataclass(frozen=True, slots=True)
class Land:
    """One country.

    Attributes:
        name: Its name on the map.
        card: The type of card that shows it.
        sites: Its places for cloisters.
    """

    name: str
    card: Card
    sites: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class Place(Land):
    """A country as reports describe it.

    Attributes:
        allied: The countries that it is allied with.
        roads: Its roads in words, each road of the map in one country only: "bremen: corvey, magdeburg".
    """

    allied: tuple[Country, ...]
    roads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """The numbers of the rules.

    Attributes:
        hand: Cards that a seat fills its hand up to.
        face_up: Open cards beside the pile.
        cards: Cards that a turn may play.
        pieces: Pieces that a turn may place.
        joker: Cards of one type that stand for any country.
        in_empty_country: Pieces that a turn may place where no piece is yet.
        cloisters: Cloisters of each seat.
        advisors: Advisors of each seat.
        chain: The shortest chain that scores.
    """

    hand: int
    face_up: int
    cards: int
    pieces: int
    joker: int
    in_empty_country: int
    cloisters: int
    advisors: int
    chain: int


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """Everything that is the same in every game.

    Attributes:
        lands: The countries, in the order in which they are scored.
        rows: The countries as the report lays them out; "" is sea.
        home: The country of each site.
        number: The place of each site in the list of all.
        near: The sites that a road joins to each site.
        alliances: The sets of alliances by name.
        places: What reports say of each country, by the set of alliances.
        counts: How many cards of each type there are, in card order.
        shows: The countries that each type of card shows.
        removed: Cards of each type that are left out, by the number of seats.
        limits: The numbers.
        titles: Sites, countries and types of cards as the map names them, by id.
        site_names: Sites by every name that players may use for them.
        country_names: Countries likewise.
        card_names: Cards likewise, also by the countries that they show.
    """

    lands: Mapping[Country, Land]
    rows: tuple[tuple[str, ...], ...]
    home: Mapping[Site, Country]
    number: Mapping[Site, int]
    near: Mapping[Site, tuple[Site, ...]]
    alliances: Mapping[str, Alliances]
    places: Mapping[str, Mapping[Country, Place]]
    counts: Mapping[Card, int]
    shows: Mapping[Card, tuple[Country, ...]]
    removed: Mapping[int, int]
    limits: Limits
    titles: Mapping[str, str]
    site_names: Mapping[str, Site]
    country_names: Mapping[str, Country]
    card_names: Mapping[str, Card]

    def deck(self, seats: int) -> tuple[Card, ...]:
        """Return the cards that a game of so many seats is played with, in card order.

        Source: rulebook, "Set-up": with fewer than five some of each type are left out.
        """
        return tuple(one for one, count in self.counts.items() for _ in range(count - self.removed[seats]))

    def in_order(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Return cards in card order."""
        return tuple(sorted(cards, key=[*self.counts].index))

    def allied(self, country: Country, chosen: str) -> Alliances:
        """Return the alliances of a country in one set of them."""
        return {number: pair for number, pair in self.alliances[chosen].items() if country in pair}


def plain(name: str) -> str:
    """Return a name as names are compared: lower case, one underscore for whatever joins words."""
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


def describe(
    lands: Mapping[Country, Land], near: Mapping[Site, tuple[Site, ...]], alliances: Alliances
) -> dict[Country, Place]:
    """Return what reports say of each country with one set of alliances."""
    pairs = alliances.values()
    order = [site for land in lands.values() for site in land.sites]
    later = {
        site: [end for end in near[site] if order.index(end) > number] for number, site in enumerate(order)
    }
    return {
        country: Place(
            **same_fields(land, "name", "card", "sites"),
            allied=tuple(one for one in lands if (country, one) in pairs or (one, country) in pairs),
            roads=tuple(f"{site}: {', '.join(later[site])}" for site in land.sites if later[site]),
        )
        for country, land in lands.items()
    }
