"""The shipped facts add up, and wrong ones are refused with a sentence."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from pbem.rules.web_of_power_cards import SYSTEM
from pbem.rules.web_of_power_cards.rules import load
from pbem.rules.web_of_power_cards.state import SEATS, Take

from .table import rules, shipped_data


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files(SYSTEM.package) / name).read_text(encoding="utf-8"))
    return found


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


@pytest.mark.parametrize(
    ("order", "fits"),
    [
        ({"take": ["Fr3"]}, True),
        ({"take": "Fr3"}, True),
        ({"take": [["Fr3", "bayern"], "any"]}, True),
        ({"take": ["Fr3"], "also": "frankreich", "use": "three_symbols", "claim": "Ba1"}, True),
        ({"take": ["Fr3"], "also": ["Fr4"], "use": ["three_symbols"], "pay": ["It1"]}, True),
        ({"take": ["Fr3"], "claim": ["Ba1"], "from": ["It1", "It2"]}, True),
        ({"skip": True}, True),
        ({}, False),
        ({"take": []}, False),
        ({"take": [[]]}, False),
        ({"take": [[["Fr3"]]]}, False),
        ({"take": [""]}, False),
        ({"also": ["Fr3"]}, False),
        ({"take": ["Fr3"], "use": [""]}, False),
        ({"take": ["Fr3"], "skip": True}, False),
        ({"skip": True, "claim": ["Fr3"]}, False),
        ({"skip": False}, False),
        ({"take": ["Fr3"], "move": ["Fr4"]}, False),
        ("Fr3", False),
    ],
    ids=str,
)
def test_the_orders_schema_takes(order: Any, fits: bool) -> None:
    assert jsonschema.Draft202012Validator(schema("orders.schema.json")).is_valid(order) == fits


def put(table: str, key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data[table][key] = value

    return change


def card(number: int, **fields: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data["land_cards"]["list"][number] |= fields

    return change


WRONG: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (put("countries", "total", 57), "for total: expected 57, got 56"),
    (lambda data: data["land_cards"]["list"].pop(), "cards of daenemark: expected 4, got 3"),
    (card(0, country="burgund"), "Fr1: expected a country of frankreich, .*, got burgund"),
    (card(0, country="sachsen"), "expected Sa and a number for sachsen, got Fr1"),
    (card(1, id="Fr1"), "expected each card once, got Fr1 twice"),
    (card(0, symbol="crown"), "Fr1: expected a symbol of cross, .*, got crown"),
    (card(0, symbols=1), r"cards for totals.two_symbols: expected 16, got 15"),
    (card(0, route="ship"), r"cards for totals.ship: expected 15, got 16"),
    (put("routes", "list", ["ship"]), "Fr3: expected a route of ship, got carriage"),
    (put("routes", "list", ["ship", "sledge"]), "totals.sledge: expected a whole number, got None"),
    (put("layout", "columns", 13), "one a card: expected 56, got 52"),
    (put("law_cards", "total", 9), "law_cards: cards: expected 9, got 8"),
    (put("law_places", "list", [[1, 2]]), "one a law card: expected 8, got 1"),
    (put("law_places", "list", [[1, 2]] * 8), "different places: expected 8, got 1"),
    (
        lambda data: data["law_places"]["list"].__setitem__(0, [5, 1]),
        r"expected rows 1 to 4 and columns 1 to 14, got \[5, 1\]",
    ),
    (put("claiming_stones", "per_player", 2), "expected 1 to 2 for 3 players, got 3"),
    (put("claiming_stones", "most_on_cards", []), "expected 1 to 3 for 3 players, got 0"),
    (put("taking", "symbols", 1), "expected at least the 2 symbols of one card, .* got 1 and 3"),
    (put("taking", "symbols_with_law", 1), "with the law card no fewer, got 2 and 1"),
    (lambda data: data.pop("scoring"), "scoring: expected a table, got None"),
    (lambda data: data["law_cards"]["list"].pop(3), "law_cards: cards: expected 8, got 6"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG, ids=[row[1] for row in WRONG])
def test_facts_that_do_not_add_up_are_refused(change: Callable[[Any], None], sentence: str) -> None:
    data = shipped_data()
    change(data)
    with pytest.raises(ValueError, match=sentence):
        load(data)


OF_ANOTHER_KIND: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (lambda data: data["law_places"]["list"].__setitem__(0, 5), "law_places.list.0"),
    (put("claiming_stones", "most_on_cards", 3), "claiming_stones.most_on_cards"),
    (put("taking", "symbols", "two"), "taking.symbols"),
    (put("scoring", "chain", True), "scoring.chain"),
    (put("countries", "list", 9), "countries.list"),
    (put("countries", "list", [9]), "countries.list.0"),
    (put("circle_symbols", "list", "cross"), "circle_symbols.list"),
    (lambda data: data["law_cards"]["list"][0].update(id="joker"), "law_cards.list.0.id"),
    (card(0, id=1), "land_cards.list.0.id"),
]


@pytest.mark.parametrize(("change", "place"), OF_ANOTHER_KIND, ids=[row[1] for row in OF_ANOTHER_KIND])
def test_entries_of_another_kind_are_refused_by_the_schema(change: Callable[[Any], None], place: str) -> None:
    data = shipped_data()
    change(data)
    found = jsonschema.Draft202012Validator(schema("data.schema.json")).iter_errors(data)
    assert [".".join(map(str, error.absolute_path)) for error in found] == [place]


def test_the_system_seats_three_to_five() -> None:
    assert [SYSTEM.seat_names(count) for count in SYSTEM.seats] == [SEATS[:3], SEATS[:4], SEATS]
