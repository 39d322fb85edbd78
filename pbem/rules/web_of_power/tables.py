"""The facts, built from the data tables and checked against the totals that stand in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, Final

from pbem.core.interface import Json
from pbem.rules.kit.tables import Checked, checked, demand, ids_by_name, wrong
from pbem.rules.web_of_power.facts import Alliances, Facts, Land, Limits, describe, plain
from pbem.rules.web_of_power.state import ADVISOR, ANY, CLOISTER, MATCH, PILE, Card, Country, Site

STANDARD = "land"
"""The name of the set of alliances that the data list in full."""


def load_facts(data: Mapping[str, Json]) -> Facts:
    """Build the facts from the tables of `data/web_of_power.yaml`.

    Raises:
        ValueError: The tables do not add up.

    Source: rulebook, "Contents" and "The board"; the status of each table says what the rulebook lacks.
    """
    countries, sites, cards = (checked(data, name) for name in ("countries", "sites", "cards"))
    shows = {Card(one["id"]): tuple(map(Country, one["countries"])) for one in cards["list"]}
    _check_lists(countries, sites, cards, checked(data, "map"))
    card_of = {country: card for card, shown in shows.items() for country in shown}
    names = {one["id"]: one["name"] for one in countries["list"]}
    home = {Site(one["id"]): Country(one["country"]) for one in sites["list"]}
    lands = {
        country: Land(
            names[country], card_of[country], tuple(site for site, land in home.items() if land == country)
        )
        for country in map(Country, countries["scoring_order"])
    }
    near = _roads(home, checked(data, "roads"))
    alliances = _alliances(countries, checked(data, "alliances"))
    facts = Facts(
        lands=lands,
        rows=tuple(tuple(row) for row in checked(data, "map")["rows"]),
        home=home,
        number={site: number for number, site in enumerate(home)},
        near=near,
        alliances=alliances,
        places={name: describe(lands, near, pairs) for name, pairs in alliances.items()},
        counts={Card(one["id"]): one["count"] for one in cards["list"]},
        shows=shows,
        removed={one["seats"]: one["of_each"] for one in cards["removed"]},
        limits=_limits(data),
        titles={
            **names,
            **{one["id"]: one["name"] for one in sites["list"]},
            **{card: "-".join(names[country] for country in shown) for card, shown in shows.items()},
        },
        site_names=_names((one["id"], one["name"]) for one in sites["list"]),
        country_names=_names(names.items()),
        card_names=_names([*((card, card) for card in shows), *((card_of[c], c) for c in card_of)]),
    )
    _check_decks(facts)
    return facts


LIMITS: Final[Mapping[str, tuple[str, ...]]] = {
    "cards": ("hand", "face_up"),
    "turn": ("cards", "pieces", "joker", "in_empty_country"),
    "pieces": ("cloisters", "advisors"),
}
"""The limits that stand in each table under their own name."""


def _limits(data: Mapping[str, Json]) -> Limits:
    found = {name: checked(data, table)[name] for table, names in LIMITS.items() for name in names}
    return Limits(**found, chain=checked(data, "chains")["least"])


def _names(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the id for each id and name; none is a word of orders."""
    return ids_by_name(pairs, plain, (CLOISTER, ADVISOR, ANY, MATCH, PILE))


def _roads(home: Mapping[Site, Country], table: Checked) -> dict[Site, tuple[Site, ...]]:
    """Return the neighbours of each site, in the order of sites."""
    pairs = [tuple(road) for road in table["list"]]
    demand(len(pairs) == table["total"], "roads", f"{table['total']} roads", len(pairs))
    for one, other in pairs:
        place = f"roads: {one} to {other}"
        for end in (one, other):
            demand(end in home, place, "two sites of the map", end)
        is_only = one != other and pairs.count((one, other)) + pairs.count((other, one)) == 1
        demand(is_only, place, "one road between two sites", "another one or a loop")
    joined = {*pairs, *((other, one) for one, other in pairs)}
    return {site: tuple(end for end in home if (site, end) in joined) for site in home}


def _alliances(countries: Checked, table: Checked) -> dict[str, Alliances]:
    """Return every set of alliances, each checked against the number of alliances that countries have."""
    listed = _pairs(table["list"])
    numbers = sorted(one["number"] for one in table["list"])
    demand(len(listed) == len(numbers), "alliances", "each number once", numbers)
    sets = {STANDARD: listed}
    for other in table["other_sets"]:
        name, changed = other["name"], _pairs(other["replaced"])
        strange = changed.keys() - listed.keys()
        if strange:
            wrong(f"alliances: {name}", "numbers of the list", min(strange))
        demand(name not in sets, "alliances", "each set to have a name of its own", name)
        sets[name] = {**listed, **changed}
    for name, pairs in sets.items():
        _check_alliances(f"alliances: {name}", countries, table["total"], pairs)
    return {name: dict(sorted(pairs.items())) for name, pairs in sets.items()}


def _pairs(rows: Iterable[Checked]) -> Alliances:
    """Return the countries of alliances by number."""
    return {one["number"]: (one["countries"][0], one["countries"][1]) for one in rows}


def _check_alliances(place: str, countries: Checked, total: int, pairs: Alliances) -> None:
    demand(len(pairs) == total, place, f"{total} alliances", len(pairs))
    different = len({frozenset(pair) for pair in pairs.values()})
    demand(different == total, place, f"{total} different pairs of countries", different)
    _check_numbers(place, countries, "alliances", Counter(chain(*pairs.values())))


def _check_numbers(place: str, countries: Checked, what: str, found: Counter[str]) -> None:
    """Check that each country has as many sites or alliances as it says, and that there is no other."""
    for one in countries["list"]:
        got = found.pop(one["id"], 0)
        demand(got == one[what], f"{place}: {one['id']}", f"{one[what]} {what}", got)
    if found:
        wrong(place, "countries of the list", min(found))


def _check_lists(countries: Checked, sites: Checked, cards: Checked, layout: Checked) -> None:
    """Check that there are as many countries, sites and cards as the tables say, and each country once."""
    for what, table in (("countries", countries), ("sites", sites)):
        ids = [one["id"] for one in table["list"]]
        is_right = len(ids) == len({*ids}) == table["total"]
        demand(is_right, what, f"{table['total']} different {what}", len({*ids}))
    names = [one["id"] for one in countries["list"]]
    _check_each("countries: scoring_order", "each country once", names, countries["scoring_order"])
    _check_each("map: rows", "each country once", names, [*filter(None, chain(*layout["rows"]))])
    _check_numbers("sites", countries, "sites", Counter(one["country"] for one in sites["list"]))
    total = sum(one["count"] for one in cards["list"])
    demand(total == cards["total"], "cards", f"{cards['total']} cards", total)
    shown = sorted(chain(*(one["countries"] for one in cards["list"])))
    _check_each("cards", "each country on one type of card", names, shown)


def _check_each(place: str, expected: str, names: list[str], found: list[str]) -> None:
    demand(sorted(found) == sorted(names), place, expected, ", ".join(found))


def _check_decks(facts: Facts) -> None:
    """Check that there are cards for all hands, the open cards and a pile; so a hand can always be filled."""
    limits, most = facts.limits, min(facts.counts.values())
    for seats in (3, 4, 5):
        demand(seats in facts.removed, "cards: removed", f"a number for {seats} seats", "none")
        out, needed = facts.removed[seats], seats * limits.hand + limits.face_up + 1
        demand(out <= most, f"cards: removed: {seats} seats", f"{most} or fewer", out)
        got = len(facts.deck(seats))
        demand(got >= needed, f"cards: {seats} seats", f"{needed} cards or more", got)
    is_right = limits.joker <= limits.cards <= limits.hand
    demand(is_right, "turn: cards", f"{limits.joker} to {limits.hand}, as a hand holds", limits.cards)
