"""The facts, built from the data tables and checked against the totals that stand in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pbem.core.interface import Json
from pbem.rules.kit.tables import Checked, checked, ids_by_name, wrong
from pbem.rules.web_of_power.facts import Alliance, Facts, Land, Limits, describe, plain
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
    if len(pairs) != table["total"]:
        wrong("roads", f"{table['total']} roads", len(pairs))
    for one, other in pairs:
        for end in (one, other):
            if end not in home:
                wrong(f"roads: {one} to {other}", "two sites of the map", end)
        if one == other or pairs.count((one, other)) + pairs.count((other, one)) != 1:
            wrong(f"roads: {one} to {other}", "one road between two sites", "another one or a loop")
    joined = {*pairs, *((other, one) for one, other in pairs)}
    return {site: tuple(end for end in home if (site, end) in joined) for site in home}


def _alliances(countries: Checked, table: Checked) -> dict[str, tuple[Alliance, ...]]:
    """Return every set of alliances, each checked against the number of alliances that countries have."""
    listed = {one["number"]: tuple(map(Country, one["countries"])) for one in table["list"]}
    if len(listed) != len(table["list"]):
        wrong("alliances", "each number once", sorted(one["number"] for one in table["list"]))
    sets = {STANDARD: listed}
    for other in table["other_sets"]:
        changed = {one["number"]: tuple(map(Country, one["countries"])) for one in other["replaced"]}
        if strange := changed.keys() - listed.keys():
            wrong(f"alliances: {other['name']}", "numbers of the list", min(strange))
        if other["name"] in sets:
            wrong("alliances", "each set to have a name of its own", other["name"])
        sets[other["name"]] = {**listed, **changed}
    for name, pairs in sets.items():
        _check_alliances(f"alliances: {name}", countries, table["total"], list(pairs.values()))
    return {
        name: tuple(Alliance(number, (one, other)) for number, (one, other) in sorted(pairs.items()))
        for name, pairs in sets.items()
    }


def _check_alliances(place: str, countries: Checked, total: int, pairs: list[tuple[Country, ...]]) -> None:
    if len(pairs) != total:
        wrong(place, f"{total} alliances", len(pairs))
    if len({frozenset(pair) for pair in pairs}) != total or any(one == other for one, other in pairs):
        wrong(place, f"{total} different pairs of countries", len({frozenset(pair) for pair in pairs}))
    _check_numbers(place, countries, "alliances", Counter(country for pair in pairs for country in pair))


def _check_numbers(place: str, countries: Checked, what: str, found: Counter[str]) -> None:
    """Check that each country has as many sites or alliances as it says, and that there is no other."""
    for one in countries["list"]:
        if (got := found.pop(one["id"], 0)) != one[what]:
            wrong(f"{place}: {one['id']}", f"{one[what]} {what}", got)
    if found:
        wrong(place, "countries of the list", min(found))


def _check_lists(countries: Checked, sites: Checked, cards: Checked, layout: Checked) -> None:
    """Check that there are as many countries, sites and cards as the tables say, and each country once."""
    for what, table in (("countries", countries), ("sites", sites)):
        ids = [one["id"] for one in table["list"]]
        if not len(ids) == len({*ids}) == table["total"]:
            wrong(what, f"{table['total']} different {what}", len({*ids}))
    names, rows = [one["id"] for one in countries["list"]], layout["rows"]
    _check_each("countries: scoring_order", "each country once", names, countries["scoring_order"])
    _check_each("map: rows", "each country once", names, [name for row in rows for name in row if name])
    _check_numbers("sites", countries, "sites", Counter(one["country"] for one in sites["list"]))
    if (total := sum(one["count"] for one in cards["list"])) != cards["total"]:
        wrong("cards", f"{cards['total']} cards", total)
    shown = sorted(country for one in cards["list"] for country in one["countries"])
    _check_each("cards", "each country on one type of card", names, shown)


def _check_each(place: str, expected: str, names: list[str], found: list[str]) -> None:
    if sorted(found) != sorted(names):
        wrong(place, expected, ", ".join(found))


def _check_decks(facts: Facts) -> None:
    """Check that there are cards for all hands, the open cards and a pile; so a hand can always be filled."""
    limits = facts.limits
    for seats in (3, 4, 5):
        if seats not in facts.removed:
            wrong("cards: removed", f"a number for {seats} seats", "none")
        if (most := min(facts.counts.values())) < facts.removed[seats]:
            wrong(f"cards: removed: {seats} seats", f"{most} or fewer", facts.removed[seats])
        needed = seats * limits.hand + limits.face_up + 1
        if (got := len(facts.deck(seats))) < needed:
            wrong(f"cards: {seats} seats", f"{needed} cards or more", got)
    if not limits.joker <= limits.cards <= limits.hand:
        wrong("turn: cards", f"{limits.joker} to {limits.hand}, as a hand holds", limits.cards)
