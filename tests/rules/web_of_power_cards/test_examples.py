"""Every worked example of the rules comes out as it says."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask
from pbem.rules.web_of_power_cards.scoring import count_lands, score_chain, score_lands, score_symbols
from pbem.rules.web_of_power_cards.state import SEATS, Card
from pbem.rules.web_of_power_cards.table import may_move, may_place
from pbem.rules.web_of_power_cards.view import lay_out
from tests.written import yaml_beside

from .table import GREEN, RED, YELLOW, do, is_legal, position, rules

EXAMPLES: dict[str, list[dict[str, Any]]] = yaml_beside(__file__, "examples.yaml")


def rows(name: str) -> Any:
    return [pytest.param(row, id=row["id"]) for row in EXAMPLES[name]]


def find_cards(wanted: list[dict[str, Any]]) -> list[Card]:
    """Return different cards that show what an example says."""
    found: list[Card] = []
    for one in wanted:
        found.append(
            next(
                card
                for card, land in rules().facts.lands.items()
                if (land.country, land.symbols) == (one["country"], one["symbols"]) and card not in found
            )
        )
    return found


@pytest.mark.parametrize("row", rows("taking"))
@pytest.mark.paragraph("take-colour", "take-symbols", "take-example", "law-three", "law-colours")
def test_a_card_can_follow_as_the_rules_say(row: dict[str, Any]) -> None:
    *taken, following = find_cards([*row["taken"], row["next"]])
    law = row.get("law")
    state = position(*taken, following, own_laws={YELLOW: [law] if law else []})
    order: dict[str, Any] = {"take": [*taken, following], **({"use": [law]} if law else {})}

    assert is_legal(state, {"take": [*taken]})
    assert is_legal(state, order) == row["next_legal"]


@pytest.mark.parametrize("row", [row for row in EXAMPLES["claiming"] if "before" in row], ids=["claim-1"])
@pytest.mark.paragraph("stone-foreign", "stone-example")
def test_who_breaks_a_claim_gives_up_a_stone_and_the_owner_has_its_own_back(row: dict[str, Any]) -> None:
    before = row["before"]
    stones = {"Fr2": YELLOW, "Fr3": YELLOW, "Fr4": YELLOW, "Ba1": RED, "Ba2": RED, "Ba3": RED}
    state = position("Ba1 Fr1 Fr2 Fr3 Fr4 Ba2 Ba3 It1", stones=stones)
    for seat, name in ((YELLOW, "andreas"), (RED, "beate")):
        lying = list(stones.values()).count(seat)
        assert {"reserve": state.players[seat].reserve, "on_cards": lying} == before[name]

    after, _ = do(state, {"take": ["Ba1"], "pay": ["Fr3"]})

    for seat, name in ((YELLOW, "andreas"), (RED, "beate")):
        player = after.players[seat]
        lying = list(after.stones.values()).count(seat)
        assert {"reserve": player.reserve, "on_cards": lying, "removed": player.removed} == row["after"][name]
    assert Card("Fr3") not in after.stones


@pytest.mark.parametrize("row", [EXAMPLES["claiming"][1]], ids=["claim-2"])
@pytest.mark.paragraph("stone-none", "stone-skip")
def test_without_a_stone_cards_under_stones_of_others_cannot_be_taken(row: dict[str, Any]) -> None:
    state = position("Fr1 Ba1 Fr2", stones={"Fr1": RED, "Fr2": GREEN}, removed={YELLOW: 3})
    assert state.players[YELLOW].reserve == row["stones_left"]
    assert is_legal(state, {"take": ["Fr1"]}) == row["card_under_foreign_stone_legal"]

    ask = rules().ask(state)

    assert isinstance(ask, Ask)
    assert (ask.kind, ask.seats) == ("skip", frozenset())
    assert row["all_exposed_cards_foreign_claimed"] == "turn_skipped"
    assert rules().resolve(state, {}, None).state.to_move == RED  # type: ignore[arg-type]


@pytest.mark.parametrize(("players", "most"), EXAMPLES["claiming"][2]["max_on_cards"].items())
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
