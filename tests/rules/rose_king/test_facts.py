"""The shipped facts add up, and wrong ones are refused with a sentence."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from pbem.rules.rose_king import SYSTEM
from pbem.rules.rose_king.moves import target
from pbem.rules.rose_king.rules import load
from pbem.rules.rose_king.state import Card, Square

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


def test_facts_do_not_depend_on_the_order_of_names_in_a_table() -> None:
    sorted_by_name = json.loads(json.dumps(shipped_data(), sort_keys=True))
    assert load(sorted_by_name).facts == rose_king().facts


@pytest.mark.paragraph("players")
def test_the_system_seats_red_and_white() -> None:
    assert SYSTEM.seat_names(2) == ("red", "white")
    assert list(SYSTEM.seats) == [2]
