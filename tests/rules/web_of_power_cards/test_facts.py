"""The shipped facts add up, and wrong ones are refused with a sentence."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.rules.web_of_power_cards import SYSTEM
from pbem.rules.web_of_power_cards.state import SEATS, Take

from .table import rules


@pytest.mark.paragraph("contents", "lands")
def test_there_are_56_land_cards_of_nine_countries_8_law_cards_and_15_stones() -> None:
    facts = rules().facts
    assert (len(facts.lands), len(facts.laws), facts.stones * len(SEATS)) == (56, 8, 15)
    assert list(facts.countries.values()) == [8, 7, 7, 7, 6, 6, 6, 5, 4]
    assert Counter(land.country for land in facts.lands.values()) == facts.countries
    assert sum(land.symbols > 0 for land in facts.lands.values()) > 56 / 2


@pytest.mark.paragraph("routes")
def test_many_cards_show_a_ship_or_a_carriage_and_none_both() -> None:
    routes = Counter(land.route for land in rules().facts.lands.values())
    assert routes == {"ship": 15, "carriage": 12, None: 29}


def test_a_country_has_two_or_three_types_of_symbols() -> None:
    facts = rules().facts
    for country in facts.countries:
        types = {facts.lands[card].symbol for card in facts.lands if facts.lands[card].country == country}
        assert 2 <= len(types - {None}) <= 3, country


def test_the_symbols_of_the_examples_can_really_be_collected() -> None:
    symbols = Counter[str]()
    for land in rules().facts.lands.values():
        if land.country == "frankreich" and land.symbol:
            symbols[land.symbol] += land.symbols
    assert (symbols["cross"], symbols["fan"]) == (4, 3)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("Fr6", "Fr6"),
        ("fr6", "Fr6"),
        (" FR6 ", "Fr6"),
        ("daenemark", "daenemark"),
        ("Dänemark", "daenemark"),
        ("DÄNEMARK", "daenemark"),
        ("Any", "any"),
        ("Fr9", "Fr9"),
    ],
)
def test_cards_and_countries_are_known_however_their_names_are_written(word: str, meant: str) -> None:
    assert rules().read(
        {"take": [[word]], "also": [word], "pay": [word], "claim": [word], "from": [word]}
    ) == (Take(((meant,),), also=(meant,), pay=(meant,), claim=(meant,), lift=(meant,)))


def test_the_system_seats_three_to_five() -> None:
    assert [SYSTEM.seat_names(count) for count in SYSTEM.seats] == [SEATS[:3], SEATS[:4], SEATS]
