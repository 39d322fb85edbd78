"""The shipped facts add up, and wrong ones are refused with a sentence."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from pbem.play.config.registry import find_rules
from pbem.rules.rose_king import SYSTEM
from pbem.rules.rose_king.moves import target
from pbem.rules.rose_king.rules import load
from pbem.rules.rose_king.state import Card, Square
from pbem.store.errors import WrongInput

from .table import rose_king, shipped_data


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((files(SYSTEM.package) / name).read_text(encoding="utf-8"))
    return found


@pytest.mark.paragraph("board", "power-cards", "tokens")
def test_there_are_81_squares_24_cards_and_52_tokens() -> None:
    facts = rose_king().facts
    assert (len(facts.squares), len(set(facts.deck)), facts.tokens) == (81, 24, 52)
    assert facts.squares[:2] == ("A1", "B1")
    assert facts.squares[-1] == "I9"


def test_the_centre_is_as_far_from_every_edge() -> None:
    facts = rose_king().facts
    assert len(facts.leaps[facts.crown_start]) == 24


@pytest.mark.paragraph("directions")
@pytest.mark.parametrize(
    ("square", "card", "to"),
    [("E5", "N1", "E4"), ("E5", "NE3", "H2"), ("E5", "W2", "C5"), ("A9", "SE1", None), ("I1", "SW3", "F4")],
)
def test_directions_are_those_of_the_board(square: str, card: str, to: str | None) -> None:
    assert target(rose_king().facts, Square(square), Card(card)) == to


def test_the_orders_schema_names_every_card() -> None:
    assert tuple(schema("orders.schema.json")["properties"]["play"]["enum"]) == rose_king().facts.deck


@pytest.mark.paragraph("turn")
@pytest.mark.parametrize(
    ("order", "fits"),
    [
        ({"play": "N2"}, True),
        ({"play": "N2", "hero": True}, True),
        ({"draw": True}, True),
        ({}, False),
        ({"play": "N4"}, False),
        ({"play": "N2", "hero": False}, False),
        ({"hero": True}, False),
        ({"draw": False}, False),
        ({"draw": True, "play": "N2"}, False),
        ({"draw": True, "hero": True}, False),
        ({"play": "N2", "to": "E3"}, False),
        ("draw", False),
    ],
)
def test_the_orders_schema_takes_exactly_one_of_three_moves(order: Any, fits: bool) -> None:
    assert jsonschema.Draft202012Validator(schema("orders.schema.json")).is_valid(order) == fits


@pytest.mark.parametrize(
    ("table", "key", "value", "sentence"),
    [
        ("power_cards", "total", 25, "expected 25, got 24"),
        ("power_cards", "copies", 2, "expected 24, got 48"),
        ("power_cards", "distances", [1, 2], "expected 24, got 16"),
        ("hands", "limit", 13, "hands.limit: expected 12 at most"),
        ("board", "crown_start", "K5", "expected a square of the board, got K5"),
        ("power_tokens", "total", 82, "expected 1 to 81"),
        ("power_tokens", "total", 0, "expected 1 to 81"),
    ],
)
def test_facts_that_do_not_add_up_are_refused(table: str, key: str, value: Any, sentence: str) -> None:
    data = shipped_data()
    data[table][key] = value
    with pytest.raises(ValueError, match=sentence):
        load(data)


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [
        ("power_cards", "distances", 3),
        ("power_cards", "directions", [{"name": "N", "east": 0}]),
        ("power_cards", "directions", {"N": [0, -1]}),
        ("hands", "limit", "five"),
    ],
)
def test_entries_of_another_kind_are_refused_by_the_schema(table: str, key: str, value: Any) -> None:
    data = shipped_data()
    data[table][key] = value
    with pytest.raises(WrongInput):
        find_rules("rose-king").load(data)


def test_facts_do_not_depend_on_the_order_of_names_in_a_table() -> None:
    sorted_by_name = json.loads(json.dumps(shipped_data(), sort_keys=True))
    assert load(sorted_by_name).facts == rose_king().facts


@pytest.mark.paragraph("players")
def test_the_system_seats_red_and_white() -> None:
    assert SYSTEM.seat_names(2) == ("red", "white")
    assert list(SYSTEM.seats) == [2]
