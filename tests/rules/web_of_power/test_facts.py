"""The shipped facts add up, and wrong ones are refused with a sentence."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.rules.web_of_power import SYSTEM
from pbem.rules.web_of_power.facts import plain
from pbem.rules.web_of_power.state import SEATS, Country, Site

from .table import cards, web_of_power


@pytest.mark.paragraph("contents", "countries")
def test_there_are_nine_countries_51_sites_55_cards_and_five_types() -> None:
    facts = web_of_power().facts
    assert (len(facts.lands), len(facts.home), len(facts.deck(5)), len(facts.counts)) == (9, 51, 55, 5)
    assert (facts.limits.cloisters, facts.limits.advisors, facts.limits.hand) == (20, 8, 3)
    assert [len(shown) for shown in facts.shows.values()] == [2, 2, 2, 2, 1]
    assert facts.lands[Country("frankreich")].card == "frankreich"


@pytest.mark.paragraph("seals", "alliances")
@pytest.mark.parametrize("chosen", ["land", "sea", "sea_2", "sea_3"])
def test_there_are_15_alliances_in_the_order_of_numbers(chosen: str) -> None:
    found = web_of_power().facts.alliances[chosen]
    assert list(found) == list(range(1, 16))
    degrees = Counter(country for pair in found.values() for country in pair)
    assert [degrees[Country(name)] for name in ("frankreich", "italien", "england")] == [5, 4, 3]


def test_the_sets_of_alliances_differ_by_four_pairs() -> None:
    land, sea = (
        {frozenset(pair) for pair in web_of_power().facts.alliances[name].values()}
        for name in ("land", "sea")
    )
    assert {"-".join(sorted(pair)) for pair in sea - land} == {
        "aragon-england",
        "frankreich-italien",
        "lothringen-schwaben",
        "burgund-schwaben",
    }
    assert len(land - sea) == 4


@pytest.mark.paragraph("dotted-lines")
def test_england_has_no_road_to_the_mainland_and_every_country_hangs_together() -> None:
    facts = web_of_power().facts
    for country, land in facts.lands.items():
        found = [land.sites[0]]
        for site in found:
            found += [one for one in facts.near[site] if facts.home[one] == country and one not in found]
        assert sorted(found) == sorted(land.sites)
    crossings = {
        frozenset((facts.home[site], facts.home[end])) for site, ends in facts.near.items() for end in ends
    }
    borders = {pair for pair in crossings if len(pair) == 2}
    assert len(borders) == 14
    assert not any("england" in pair for pair in borders)


def test_roads_in_words_name_every_road_once() -> None:
    facts = web_of_power().facts
    told = [road for one in facts.places["land"].values() for road in one.roads]
    ends = [
        (site, end) for road in told for site, _, rest in [road.partition(": ")] for end in rest.split(", ")
    ]
    assert len(ends) == len({frozenset(pair) for pair in ends}) == 71
    assert all(end in facts.near[Site(site)] for site, end in ends)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Würzburg", "wuerzburg"),
        ("wuerzburg", "wuerzburg"),
        ("St. Gallen", "st_gallen"),
        ("St Albans", "st_albans"),
    ],
)
def test_a_site_goes_by_its_id_and_its_name(name: str, meant: str) -> None:
    assert web_of_power().facts.site_names[plain(name)] == meant


def test_a_card_goes_by_either_of_its_countries() -> None:
    names = web_of_power().facts.card_names
    assert {names[plain(name)] for name in ("Franken", "aragon", "franken_aragon", "Franken/Aragon")} == {
        "franken_aragon"
    }


@pytest.mark.parametrize("seats", [SEATS[:2], SEATS[1:4], (*SEATS, SEATS[0])])
def test_only_the_first_three_to_five_colours_can_sit_down(seats: Any) -> None:
    with pytest.raises(ValueError, match="expected the first 3 to 5 of yellow, red"):
        web_of_power().setup(seats, {}, {}, Dice(b"x", 0))


def test_a_set_of_alliances_that_the_data_lack_is_refused() -> None:
    with pytest.raises(ValueError, match="expected the alliances land, sea, sea_2, sea_3, got air"):
        web_of_power().setup(SEATS[:3], {"alliances": "air"}, {}, Dice(b"x", 0))


def test_cards_stand_in_card_order() -> None:
    assert cards("fr fa") == cards("fa fr") == ("franken_aragon", "frankreich")
    assert [SYSTEM.seat_names(count)[-1] for count in (3, 4, 5)] == list(SEATS[2:])
