"""Bots play from the view alone, legally, and the greedy one well."""

from __future__ import annotations

from pbem.core.dice import Dice
from pbem.core.interface import Outcome
from pbem.rules.web_of_power import SYSTEM

from .table import YELLOW, playout, position, web_of_power


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
