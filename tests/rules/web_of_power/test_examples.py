"""The worked examples of the rules and the readings of them come out as they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.placing import Obstacle, fit_pieces, payments
from pbem.rules.web_of_power.scoring import score_alliance, score_chains, score_country
from pbem.rules.web_of_power.state import SEATS, Card, Country, Site
from tests.written import yaml_beside

from .table import GREEN, RED, web_of_power

EXAMPLES: dict[str, Any] = yaml_beside(__file__, "examples.yaml")
FACTS = web_of_power().facts


def rows(table: str) -> list[Any]:
    return [pytest.param(row, id=row["id"]) for row in EXAMPLES[table]]


def seated(names: Mapping[str, Any], *more: str) -> dict[str, Seat]:
    """Give each person of an example a colour."""
    people = dict.fromkeys([*names, *more])
    return dict(zip(people, SEATS, strict=False))


def laid_out(row: Mapping[str, Any]) -> tuple[Board, Seat]:
    """Return the map of an example, pieces on the first sites of its country, and the seat that acts."""
    there, sent = row.get("cloisters_there", {}), row.get("advisors_there", {})
    who = seated({**there, **sent}, row.get("player", "somebody"))
    owners = [who[name] for name, count in there.items() for _ in range(count)]
    country = Country(row["country"])
    taken = dict(zip(FACTS.lands[country].sites, owners, strict=False))
    board = Board(FACTS, taken, {country: {who[name]: count for name, count in sent.items()}} if sent else {})
    return board, who[row.get("player", "somebody")]


@pytest.mark.paragraph("contents", "removed")
@pytest.mark.parametrize("row", rows("cards"))
def test_a_game_is_played_with_so_many_cards(row: Mapping[str, Any]) -> None:
    assert {seats: len(FACTS.deck(seats)) for seats in (3, 4, 5)} == row["deck_after_removal"]


@pytest.mark.paragraph("one-piece-a-card", "joker", "three-two-one", "empty-country", "example-johanna")
@pytest.mark.paragraph("example-ville", "example-teemu", "example-inkeri")
@pytest.mark.parametrize("row", rows("placing"))
def test_a_placement_is_legal_as_the_rules_say(row: Mapping[str, Any]) -> None:
    board, seat = laid_out(row)
    country, hand = Country(row["country"]), FACTS.in_order(map(Card, row["hand"]))
    pay = FACTS.in_order(Card(card) for part in row["cards"] for card in part)

    fitted = fit_pieces(board, seat, country, tuple((piece,) for piece in row["pieces"]))
    paid = pay in payments(FACTS, hand, country, len(row["pieces"]))

    assert (paid and not isinstance(fitted, Obstacle)) is row["legal"]


@pytest.mark.paragraph("advisor-limit", "example-italien")
@pytest.mark.parametrize("row", rows("advisor_limit"))
def test_a_country_takes_so_many_advisors(row: Mapping[str, Any]) -> None:
    board, _ = laid_out({"country": row["country"], "cloisters_there": row["cloisters"]})

    assert board.advisor_room(Country(row["country"])) == row["max_advisors"]


@pytest.mark.paragraph("cloisters-first", "cloisters-second", "cloisters-third", "cloisters-others")
@pytest.mark.paragraph("example-lothringen")
@pytest.mark.parametrize("row", rows("cloister_scoring"))
def test_cloisters_score_as_the_rules_say(row: Mapping[str, Any]) -> None:
    held = {Seat(name): count for name, count in row["cloisters"].items()}

    assert score_country(held) == row["expect"]


@pytest.mark.paragraph("alliance-conditions", "alliance-points", "example-alliance", "example-alliance-15")
@pytest.mark.parametrize("row", [one for one in rows("alliance_scoring") if "advisors" in one.values[0]])
def test_an_alliance_scores_as_the_rules_say(row: Mapping[str, Any]) -> None:
    one, other = (
        {Seat(name): count for name, count in row["advisors"][country].items()} for country in row["alliance"]
    )
    points = score_alliance(one, other)

    assert {name: points.get(Seat(name), 0) for name in row["expect"]} == row["expect"]


@pytest.mark.paragraph("alliance-conditions", "alliance-points")
@pytest.mark.parametrize(
    ("one", "other", "points"),
    [
        ({RED: 2, GREEN: 1}, {RED: 1}, {RED: 4}),
        ({RED: 2, GREEN: 1}, {RED: 1, GREEN: 1}, {RED: 5}),
        ({RED: 2, GREEN: 2}, {RED: 1, GREEN: 1}, {RED: 6, GREEN: 6}),
        ({RED: 2, GREEN: 1}, {GREEN: 1}, {}),
        ({RED: 2, GREEN: 1}, {RED: 1, GREEN: 2}, {}),
        ({RED: 2}, {}, {}),
        ({}, {RED: 2}, {}),
        ({RED: 2, GREEN: 0}, {RED: 0, GREEN: 0}, {}),
        ({RED: 0, GREEN: 0}, {RED: 2, GREEN: 0}, {}),
        ({}, {}, {}),
    ],
)
def test_an_alliance_scores_for_who_has_or_shares_most_advisors_in_both_countries(
    one: dict[Seat, int], other: dict[Seat, int], points: dict[Seat, int]
) -> None:
    assert score_alliance(one, other) == points
    assert score_alliance(other, one) == points


@pytest.mark.paragraph("seals", "example-alliance-15")
@pytest.mark.parametrize("row", [one for one in rows("alliance_scoring") if "number" in one.values[0]])
def test_a_numbered_alliance_joins_the_countries_that_the_rules_name(row: Mapping[str, Any]) -> None:
    found = FACTS.alliances["land"][row["number"]]

    assert sorted(found) == sorted(row["alliance"])


@pytest.mark.paragraph("chains")
@pytest.mark.parametrize("row", rows("chain_scoring"))
def test_chains_score_as_the_rules_say(row: Mapping[str, Any]) -> None:
    board = Board(FACTS, {Site(site): RED for site in row["cloisters"]}, {})

    assert sum(map(len, score_chains(board, SEATS).get(RED, ()))) == row["expect"]
