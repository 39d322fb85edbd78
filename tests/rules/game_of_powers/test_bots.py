"""Bots play from the view alone, legally, and the greedy one well."""

from __future__ import annotations

from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.game_of_powers.state import State

from .table import after, game, hold, position, view_of


def orders(state: State) -> Json:
    """Return what the greedy bot orders."""
    return game().suggest(view_of(state), Dice(b"bot", 1), "greedy")


def test_the_greedy_bot_trades_what_helps_it_and_declines_what_does_not() -> None:
    white = hold("30", at="owidz anticlockwise", tokens_of="religious")
    black = hold("1", at="palanga clockwise", tokens_of="military")
    state = position(white, black, stock={"palanga": "commercial commercial"})
    trade: Json = {"with": "black", "give": ["religious"], "want": ["military"]}

    swapped = after(state, {"sail": 1, "take_tokens": ["any", "any"], "trade": trade})
    assert orders(swapped) == {"accept": True}

    trade = {"with": "black", "give": ["commercial"], "want": [1]}
    bad = after(state, {"sail": 1, "take_tokens": ["any", "any"], "trade": trade})
    assert isinstance(found := orders(bad), dict)
    assert "accept" not in found


def test_the_random_bot_tries_all_kinds_of_turns() -> None:
    black = hold("1", at="owidz clockwise", tokens_of="religious")
    state = position(hold("30 13 4", at="palanga clockwise", tokens_of="military"), black)
    found = [game().suggest(view_of(state), Dice(b"bot", step), "random") for step in range(300)]

    tried = {name for order in found if isinstance(order, dict) for name in order}
    assert tried == {"sail", "reverse", "extra", "take_tokens", "take_cards", "play_cards", "trade"}
