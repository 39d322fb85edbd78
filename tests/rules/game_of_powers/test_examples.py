"""Every worked example of the rules, and what follows from stated numbers."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.game_of_powers import events
from pbem.rules.game_of_powers.facts import plus
from pbem.rules.game_of_powers.rules import load
from pbem.rules.game_of_powers.scoring import bonuses
from pbem.rules.game_of_powers.state import State
from tests.written import yaml_beside

from .table import BLACK, WHITE, after, cards, do, game, hold, position, shipped_data, tokens, view_of, wrong

EXAMPLES: dict[str, Any] = yaml_beside(__file__, "examples.yaml")


def rows(name: str) -> list[Any]:
    return [pytest.param(row, id=row["id"]) for row in EXAMPLES[name]]


def laid_out(before: dict[str, Any]) -> State:
    """Return the position before an example, with two others far away."""
    mover = hold(before["hand"], at=before["at"], tokens_of=before.get("tokens", ""))
    return position(mover, hold("", at="haithabu clockwise"), hold("", at="haithabu clockwise"))


@pytest.mark.paragraph("move-b", "move-c", "move-example")
@pytest.mark.parametrize(
    "row", [row for row in EXAMPLES["moves"] if "order" in row], ids=lambda row: row["id"]
)
def test_a_ship_sails_as_in_the_example(row: dict[str, Any]) -> None:
    facts = game().facts
    ended, _ = do(laid_out(row["before"]), row["order"])

    white = ended.players[WHITE]
    assert (white.city, white.direction) == (row["after"]["city"], row["after"]["direction"])
    assert list(white.hand) == row["after"]["hand"]
    start = row["before"]["at"].split()[0]
    assert [facts.ahead(start, white.direction, far) for far in (1, 2, 3)] == row["path"]


@pytest.mark.paragraph("move-a", "move-e")
@pytest.mark.parametrize(
    "row", [row for row in EXAMPLES["moves"] if "legal" in row], ids=lambda row: row["id"]
)
def test_without_a_card_a_ship_reaches_the_next_two_cities(row: dict[str, Any]) -> None:
    state = laid_out(row["before"])
    for city in row["legal"]:
        assert wrong(state, {"sail": city, "take_tokens": ["any", "any"]}) == []
    for city in row["illegal"]:
        assert wrong(state, {"sail": city, "take_tokens": ["any", "any"]})[0].startswith("sail: ")


@pytest.mark.paragraph("take-cards", "take-cards-example")
@pytest.mark.parametrize("row", rows("take_cards"))
def test_cards_are_taken_and_laid_out_as_in_the_example(row: dict[str, Any]) -> None:
    before = laid_out(row["before"])
    ended, told = do(before, row["order"])

    (taken,) = (event for event in told if isinstance(event, events.CardsTaken))
    (laid,) = (event for event in told if isinstance(event, events.CardsLaidOut))
    assert (taken.section, len(taken.cards), len(laid.cards)) == (
        row["section"],
        row["taken"],
        row["refilled"],
    )
    assert laid.cards == before.pile[:2]
    assert len(ended.fields[taken.section]) == len(before.fields[taken.section])


@pytest.mark.paragraph("play-cards", "play-cost", "play-example")
@pytest.mark.parametrize("row", rows("plays"))
def test_cards_are_played_and_paid_as_in_the_example(row: dict[str, Any]) -> None:
    before = laid_out(row["before"])
    ended, told = do(before, row["order"])

    played = [event for event in told if isinstance(event, events.CardPlayed)]
    assert [event.paid for event in played] == row["paid"]
    assert sum(event.paid for event in played) == row["total"]
    assert len(ended.players[WHITE].played) == row["played"]
    assert ended.players[WHITE].tokens == tokens("")
    assert ended.pool == plus(before.pool, tokens("military " * row["total"]))


@pytest.mark.paragraph("play-cards", "play-site")
@pytest.mark.parametrize("row", rows("refused_plays"))
def test_a_card_is_played_only_at_the_site_that_it_comes_from(row: dict[str, Any]) -> None:
    assert row["says"] in wrong(laid_out(row["before"]), row["order"])[0]


@pytest.mark.paragraph("task-four-sites", "task-same", "task-example")
@pytest.mark.parametrize("row", rows("tasks"))
def test_a_task_token_is_collected_once_as_in_the_example(row: dict[str, Any]) -> None:
    white = hold("", played=cards(row["played"]))
    state = position(white, hold("", at="owidz clockwise"))
    order = {"sail": 1, "take_tokens": ["any", "any"], "claim": row["claim"]}

    ended, _ = do(state, order)
    assert ended.players[WHITE].tasks == {row["claim"]: row["value"]}

    more = hold("", played=cards(f"{row['played']} {row['later']}"), tasks={row["claim"]: row["value"]})
    assert (
        "you have collected a token for four sites already"
        in wrong(position(more, hold("", at="owidz clockwise")), order)[0]
    )


@pytest.mark.paragraph("task-one")
@pytest.mark.parametrize("row", rows("one_a_turn"))
def test_one_task_token_is_collected_a_turn(row: dict[str, Any]) -> None:
    state = position(hold("", played=cards(row["played"])), hold("", at="owidz clockwise"))

    ended, _ = do(state, {"sail": 1, "take_tokens": ["any", "any"], "claim": row["claims"]})

    assert ended.players[WHITE].tasks == {row["claims"][0]: 6}


@pytest.mark.paragraph(
    "task-tokens", "task-five-of-a-site", "task-six", "task-four-of-a-category", "task-pairs"
)
@pytest.mark.parametrize("row", rows("task_tokens"))
def test_there_are_twelve_task_tokens_of_these_values(row: dict[str, Any]) -> None:
    tasks = {str(name): list(task.values) for name, task in game().facts.tasks.items()}
    same_site = [value for name, values in tasks.items() if name.startswith("five_") for value in values]
    found = {name: values for name, values in tasks.items() if not name.startswith("five_")}

    assert {**found, "five_same_site": same_site} == row["tokens"]
    assert sum(len(values) for values in tasks.values()) == row["total"]


@pytest.mark.paragraph("task-tokens")
@pytest.mark.parametrize("number", [11, 13])
def test_tables_with_another_number_of_task_tokens_are_refused(number: int) -> None:
    data = copy.deepcopy(shipped_data())
    first, *others = data["tasks"]["list"]
    total = data["tasks"]["total"]
    first["values"] = [6] * (number - sum(len(task["values"]) for task in others))
    with pytest.raises(ValueError, match=f"{total}.*{number}|{number}.*{total}"):
        load(data)
    assert total == 12


@pytest.mark.paragraph("trade", "trade-example")
@pytest.mark.parametrize("row", rows("trades"))
def test_a_trade_is_countered_and_made_as_in_the_example(row: dict[str, Any]) -> None:
    mike = hold("", at="owidz clockwise", tokens_of=row["before"]["mike"])
    ann = hold("", at="wisloujscie clockwise", tokens_of=f"{row['before']['ann']} commercial")
    state = position(mike, ann, stock={"wisloujscie": "diplomatic diplomatic"})
    trade: Json = {"with": "black", **row["offer"]}
    order: Json = {"sail": "wisloujscie", "take_tokens": ["any", "any"], "trade": trade}

    ended = after(state, order, {"counter": row["counter"]}, {"accept": True})

    assert ended.players[WHITE].tokens == tokens(f"{row['after']['mike']} diplomatic diplomatic")
    assert ended.players[BLACK].tokens == tokens(f"{row['after']['ann']} commercial")
    assert view_of(ended, BLACK).traded


@pytest.mark.paragraph("end-bonus")
@pytest.mark.parametrize("row", rows("bonus"))
def test_the_bonus_is_for_most_unplayed_cards_and_tokens(row: dict[str, Any]) -> None:
    assets = {Seat(seat): count for seat, count in row["assets"].items()}

    assert bonuses(game().facts, assets) == row["expect"]
