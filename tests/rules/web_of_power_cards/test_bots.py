"""Bots play from the view alone, legally, and the greedy one well."""

from __future__ import annotations

from pbem.core.dice import Dice
from pbem.rules.web_of_power_cards.state import MINUS, RETURN, THREE

from .table import RED, YELLOW, position, rules


def test_the_random_bot_tries_everything() -> None:
    state = position(
        "Fr1 Ba1 Fr2 Sa1",
        laws={"Fr1": THREE},
        stones={"Sa1": YELLOW},
        own_laws={YELLOW: [RETURN]},
        removed={YELLOW: 1},
    )
    view = rules().view(state, YELLOW)
    orders = [rules().suggest(view, Dice(b"bot", step), "random") for step in range(80)]
    fields = {name for order in orders if isinstance(order, dict) for name in order}
    assert fields == {"take", "also", "use", "claim", "from"}


def test_a_bot_that_can_take_nothing_skips_or_plays_the_law_card() -> None:
    for laws, expected in (([MINUS], {"skip"}), ([RETURN], {"skip", "take"})):
        stuck = position("Fr1", stones={"Fr1": RED}, removed={YELLOW: 3}, own_laws={YELLOW: laws})
        view = rules().view(stuck, YELLOW)
        orders = [rules().suggest(view, Dice(b"bot", step), "random") for step in range(20)]
        assert {next(iter(order)) for order in orders if isinstance(order, dict)} == expected
        assert rules().hold(view) == {"skip": True}
