"""The cards, the stones and the numbers of the game, built from the data tables and checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pbem.core.interface import Json
from pbem.rules.kit.tables import Checked, checked, demand, ids_by_name, same
from pbem.rules.web_of_power_cards.state import ANY, LAWS, Card, Country, Law, Take, plain, read_move


@dataclass(frozen=True, slots=True)
class Land:
    """What a land card shows: its country, its circle symbols (0 to 2 of one type), and perhaps a route."""

    country: Country
    symbol: str | None
    symbols: int
    route: str | None


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that is the same in every game.

    Attributes:
        countries: The countries in the order in which they are scored, with the cards of each.
        names: The names of the countries.
        symbols: The types of circle symbols.
        routes: The kinds of routes.
        lands: What every land card shows, in the order of the countries.
        rows: Rows of the layout.
        columns: Cards in each row.
        laws: All law cards.
        law_names: The name of each type of law card.
        titles: The names of countries and law cards, by id.
        law_places: Row and column (from 1) of the land cards that a law card lies on.
        stones: Claiming stones of each player.
        most_on_cards: How many of them may lie on cards, by the number of players.
        limit: Circle symbols that may be taken in one turn.
        limit_with_law: The same with the law card for it.
        chain: From so many ships or carriages on each counts.
        penalty: What a law card of minus two victory points costs.
        law_words: Each law card by every name for it, as `plain` writes it.
        words: Cards, countries and `any` by every name that orders may use for them.
        several: The cards that a country or `any` stands for: those with the most circle symbols first, then
            in the order of the score chart.
        law_pays_first: The stone that a law card brings back pays before one on a card; not in version 1.
    """

    countries: Mapping[Country, int]
    names: Mapping[Country, str]
    symbols: tuple[str, ...]
    routes: tuple[str, ...]
    lands: Mapping[Card, Land]
    rows: int
    columns: int
    laws: tuple[Law, ...]
    law_names: Mapping[Law, str]
    titles: Mapping[str, str]
    law_places: tuple[tuple[int, int], ...]
    stones: int
    most_on_cards: Mapping[int, int]
    limit: int
    limit_with_law: int
    chain: int
    penalty: int
    words: Mapping[str, str]
    law_words: Mapping[str, Law]
    several: Mapping[str, tuple[Card, ...]]
    law_pays_first: bool = True

    def read(self, order: Json) -> Take:
        """Return an order as a move, with names as players write them."""
        return read_move(order, self.words, self.law_words)

    def named(self, name: str) -> tuple[Card, ...]:
        """Return the cards that a name in an order stands for: those of a country, any, or one card."""
        return self.several[name] if name in self.several else (Card(name),)

    def are_cards(self, names: Iterable[str]) -> bool:
        """Tell whether names in an order are of single cards, none of which stands for several."""
        return not any(name in self.several for name in names)

    def none_of(self, names: Iterable[str]) -> str:
        """Say that nothing of what names stand for can be taken."""
        kinds = [f"card of {self.names[Country(one)]}" if one in self.countries else one for one in names]
        return f"no {'card' if ANY in kinds else ' and no '.join(kinds)} can be taken then"

    def all_named(self, names: Iterable[str]) -> tuple[Card, ...]:
        """Return the cards that several names stand for, in order and each once."""
        return tuple(dict.fromkeys(card for name in names for card in self.named(name)))


def load_facts(data: Mapping[str, Json]) -> Facts:
    """Build the facts from the tables of `data/web_of_power_cards.yaml`.

    Raises:
        ValueError: The tables do not add up.

    Source: rulebook, "Contents" and "The Land cards".
    """
    countries, taking, scoring = (checked(data, name) for name in ("countries", "taking", "scoring"))
    stones, laws, layout = (checked(data, name) for name in ("claiming_stones", "law_cards", "layout"))
    lands = _lands(countries["list"], checked(data, "land_cards")["list"])
    names = {Country(one["id"]): one["name"] for one in countries["list"]}
    law_names: dict[Law, str] = {one["id"]: one["name"] for one in laws["list"]}
    by_symbols = sorted(lands, key=lambda card: -lands[card].symbols)
    alone = [(word, word) for word in (ANY, *lands)]
    facts = Facts(
        countries={Country(one["id"]): one["cards"] for one in countries["list"]},
        names=names,
        symbols=tuple(checked(data, "circle_symbols")["list"]),
        routes=tuple(checked(data, "routes")["list"]),
        lands=lands,
        rows=layout["rows"],
        columns=layout["columns"],
        laws=tuple(one["id"] for one in laws["list"] for _ in range(one["count"])),
        law_names=law_names,
        titles=dict([*names.items(), *law_names.items()]),
        law_places=tuple((row, column) for row, column in checked(data, "law_places")["list"]),
        stones=stones["per_player"],
        most_on_cards={one["players"]: one["stones"] for one in stones["most_on_cards"]},
        limit=taking["symbols"],
        limit_with_law=taking["symbols_with_law"],
        chain=scoring["chain"],
        penalty=scoring["penalty"],
        law_words=ids_by_name(law_names.items(), plain),
        words=ids_by_name([*alone, *names.items()], plain),
        several={
            name: tuple(card for card in by_symbols if name in (ANY, lands[card].country))
            for name in (ANY, *names)
        },
    )
    _check_lands(facts, countries, checked(data, "land_cards")["totals"])
    _check_laws(facts, laws)
    _check_stones(facts)
    return facts


def _lands(countries: list[Checked], cards: list[Checked]) -> dict[Card, Land]:
    """Read the land cards, each of which is there once and of a country with its code."""
    codes = {one["id"]: one["code"] for one in countries}
    lands: dict[Card, Land] = {}
    for one in cards:
        card, country = Card(one["id"]), one["country"]
        demand(country in codes, f"land_cards: {card}", f"a country of {', '.join(codes)}", country)
        code = codes[country]
        demand(card.rstrip("0123456789") == code, "land_cards", f"{code} and a number for {country}", card)
        demand(card not in lands, "land_cards", "each card once", f"{card} twice")
        lands[card] = Land(Country(country), one.get("symbol"), one.get("symbols", 0), one.get("route"))
    return lands


def _check_lands(facts: Facts, told: Checked, totals: Checked) -> None:
    """Raise ValueError where the land cards do not add up to what is stated of them."""
    lands = facts.lands.values()
    counts = Counter(land.country for land in lands)
    for country, cards in facts.countries.items():
        same(f"land_cards: cards of {country}", cards, counts[country])
    same("countries: cards of all countries, for total", told["total"], sum(facts.countries.values()))
    same("layout: places in rows x columns, one a card", len(facts.lands), facts.rows * facts.columns)
    symbols, routes = Counter(land.symbols for land in lands), Counter(land.route for land in lands)
    for number, name in ((2, "two_symbols"), (1, "one_symbol"), (0, "no_symbol")):
        same(f"land_cards: cards for totals.{name}", totals[name], symbols[number])
    for route in facts.routes:
        demand(route in totals, f"land_cards.totals.{route}", "a whole number", None)
        same(f"land_cards: cards for totals.{route}", totals[route], routes[route])
    for card, land in facts.lands.items():
        shown = (("symbol", land.symbol, facts.symbols), ("route", land.route, facts.routes))
        for what, found, known in shown:
            is_known = found in (None, *known)
            demand(is_known, f"land_cards: {card}", f"a {what} of {', '.join(known)}", found)


def _check_laws(facts: Facts, told: Checked) -> None:
    """Raise ValueError where the law cards do not fit onto the layout."""
    same("law_cards: cards", told["total"], len(facts.laws))
    same("law_cards: types", len(LAWS), len(facts.law_names))
    same("law_places: places, one a law card", len(facts.laws), len(facts.law_places))
    same("law_places: different places", len(facts.law_places), len(set(facts.law_places)))
    for row, column in facts.law_places:
        is_there = 1 <= row <= facts.rows and 1 <= column <= facts.columns
        places = f"rows 1 to {facts.rows} and columns 1 to {facts.columns}"
        demand(is_there, "law_places", places, f"[{row}, {column}]")


def _check_stones(facts: Facts) -> None:
    """Raise ValueError where stones and limits make no game."""
    for players in (3, 4, 5):
        most = facts.most_on_cards.get(players, 0)
        expected = f"1 to {facts.stones} for {players} players"
        demand(1 <= most <= facts.stones, "claiming_stones: most_on_cards", expected, most)
    highest = max(land.symbols for land in facts.lands.values())
    limit, with_law = facts.limit, facts.limit_with_law
    expected = f"at least the {highest} symbols of one card, and with the law card no fewer"
    demand(highest <= limit <= with_law, "taking", expected, f"{limit} and {with_law}")
