"""Every worked example of the rules comes out as it says."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.rules.web_of_power_cards.scoring import count_lands, score_chain, score_lands, score_symbols
from pbem.rules.web_of_power_cards.state import SEATS
from pbem.rules.web_of_power_cards.table import may_move, may_place
from pbem.rules.web_of_power_cards.view import lay_out
from tests.written import yaml_beside

from .table import YELLOW, position, rules

EXAMPLES: dict[str, list[dict[str, Any]]] = yaml_beside(__file__, "examples.yaml")


def rows(name: str) -> Any:
    return [pytest.param(row, id=row["id"]) for row in EXAMPLES[name]]


@pytest.mark.parametrize(("players", "most"), EXAMPLES["claiming"][0]["max_on_cards"].items())
@pytest.mark.paragraph("claim-three", "claim-four", "claim-move")
def test_so_many_stones_may_lie_on_cards(players: int, most: int) -> None:
    assert rules().facts.most_on_cards[players] == most
    row = ["Fr1", "Fr2", "Fr3", "Fr4"]
    fewer, table = (
        lay_out(position(" ".join(row), players=players, stones=dict.fromkeys(row[:lying], YELLOW)))
        for lying in (most - 1, most)
    )
    assert may_place(rules().facts, fewer, YELLOW)
    assert not may_place(rules().facts, table, YELLOW)
    assert may_move(rules().facts, table, YELLOW)


@pytest.mark.parametrize("row", rows("land_scoring"))
@pytest.mark.paragraph("land-most", "land-next", "land-none", "land-tie", "land-example", "land-example-tie")
def test_land_cards_score_by_rank(row: dict[str, Any]) -> None:
    held = {Seat(name): count for name, count in row["held"].items()}
    assert (
        sum(held.values()) == row["total"] == count_lands(rules().facts, rules().facts.lands)[row["country"]]
    )
    assert score_lands(held) == row["expect"]


@pytest.mark.parametrize("row", rows("symbol_scoring"))
@pytest.mark.paragraph("symbol-most", "symbol-fewer", "symbol-tie", "symbol-once", "symbol-example")
def test_circle_symbols_score_for_the_most_of_one_type(row: dict[str, Any]) -> None:
    assert score_symbols({Seat(name): types for name, types in row["held"].items()}) == row["expect"]


@pytest.mark.parametrize("row", rows("chain_scoring"))
@pytest.mark.paragraph("chain", "chain-example")
def test_chains_score_from_five_on(row: dict[str, Any]) -> None:
    routes = {"ship": row["ships"], "carriage": row["carriages"]}
    assert score_chain(rules().facts, routes) == row["expect"]


def test_the_routes_of_the_chain_example_are_all_there_are() -> None:
    ships = sum(row["ships"] for row in EXAMPLES["chain_scoring"])
    carriages = sum(row["carriages"] for row in EXAMPLES["chain_scoring"])
    routes = [land.route for land in rules().facts.lands.values()]
    assert (routes.count("ship"), routes.count("carriage")) == (ships, carriages)


def test_seats_sit_in_the_order_of_their_colours() -> None:
    assert SEATS == ("yellow", "red", "green", "purple", "blue")
