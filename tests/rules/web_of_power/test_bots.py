"""Bots play from the view alone, legally, and the greedy one well."""

from __future__ import annotations

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Json, Outcome
from pbem.rules.web_of_power import SYSTEM
from pbem.rules.web_of_power.state import State

from .table import YELLOW, playout, position, web_of_power

THOUGHTS: list[tuple[str, State, Json]] = [
    (
        "makes the fourth of a chain",
        position(hands={YELLOW: "fa bb li"}, taken="yellow: hirsau ottobeuren st_gallen; red: corvey"),
        {"pieces": ["mainz"]},
    ),
    (
        "completes an alliance rather than found another cloister",
        position(hands={YELLOW: "fa bb bb"}, taken="yellow: koeln; red: mainz corvey", half=2,
                 sent="lothringen: yellow 2, red 1; franken: green 1"),
        {"pieces": ["advisor"]},
    ),
    (
        "places two pieces rather than one",
        position(hands={YELLOW: "es es fr"}, taken="yellow: york; red: st_albans"),
        {"country": "england", "pieces": 2},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("state", "wanted"), [row[1:] for row in THOUGHTS], ids=[row[0] for row in THOUGHTS])
def test_the_greedy_bot(state: State, wanted: dict[str, Json]) -> None:
    rules = web_of_power()
    order = rules.suggest(rules.view(state, YELLOW), Dice(b"bot", 1), "greedy")
    assert isinstance(order, dict)
    plan = order["place"]
    assert isinstance(plan, dict)
    pieces = plan["pieces"]
    assert isinstance(pieces, list)
    if isinstance(wanted["pieces"], int):
        assert (plan["country"], len(pieces)) == (wanted["country"], wanted["pieces"])
    else:
        assert set(wanted["pieces"]) <= set(pieces)  # type: ignore[arg-type]


def test_the_greedy_bot_draws_what_makes_a_pair() -> None:
    rules = web_of_power()
    state = position(hands={YELLOW: "fa bb fr"}, taken="red: mainz", face_up="es fr")
    order = rules.suggest(rules.view(state, YELLOW), Dice(b"bot", 1), "greedy")
    assert isinstance(order, dict)
    assert order["draw"] in (["frankreich"], ["match"])


def test_the_random_bot_tries_every_kind_of_turn() -> None:
    rules = web_of_power()
    view = rules.view(position(hands={YELLOW: "fa fa bb"}, taken="red: mainz corvey"), YELLOW)
    found = [rules.suggest(view, Dice(b"bot", step), "random") for step in range(200)]
    texts = [str(order) for order in found]
    for part in ("discard", "'advisor', 'advisor'", "'york'", "'draw': ['pile']", "'draw': ['frankreich']"):
        assert any(part in text for text in texts), part


def test_simulations_count_turns_and_where_points_come_from() -> None:
    told = [event for _, _, events in playout("tally", ("greedy",), 3) for event in events]
    *_, (state, outcome, _) = playout("tally", ("greedy",), 3)
    assert isinstance(outcome, Outcome)
    tables = SYSTEM.tally(web_of_power(), outcome, told)
    assert sum(tables["points_for"].values()) == sum(outcome.scores.values())
    assert tables["pieces"]["cloisters"] == len(state.cloisters)
    assert tables["pieces"]["advisors"] == sum(sum(held.values()) for held in state.advisors.values())
    assert sum(tables["turns"].values()) == sum(player.asks for player in state.players.values())
