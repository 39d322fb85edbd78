"""Bots play from the view alone, legally, and the greedy one well."""

from __future__ import annotations

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.game_of_powers.state import State

from .table import after, cards, game, hold, position, view_of

FAR = hold("", at="haithabu clockwise")


def best(state: State) -> Json:
    return game().suggest(view_of(state), Dice(b"bot", 1), "greedy")


THOUGHTS: list[tuple[str, State, Json]] = [
    (
        "plays a card that it can pay for",
        position(hold("30", at="palanga clockwise", tokens_of="military"), FAR),
        {"sail": "owidz", "play_cards": [30]},
    ),
    (
        "sails further with a card of 1 point for one of 6",
        position(hold("13 30", at="sorte_muld anticlockwise", tokens_of="military"), FAR, pile="9"),
        {"sail": "owidz", "reverse": 13, "play_cards": [30]},
    ),
    (
        "claims the dearer of two tasks",
        position(
            hold("12", at="aarhus clockwise", tokens_of="religious", played=cards("1 14 27 40 3 5 8 10")), FAR
        ),
        {
            "sail": "uppakra",
            "play_cards": [12],
            "claim": ["six_categories", "four_of_a_category", "four_sites", "five_uppakra"],
        },
    ),
]


@pytest.mark.parametrize(("state", "order"), [row[1:] for row in THOUGHTS], ids=[row[0] for row in THOUGHTS])
def test_the_greedy_bot(state: State, order: Json) -> None:
    assert best(state) == order


def test_the_greedy_bot_trades_what_helps_it_and_declines_what_does_not() -> None:
    white = hold("30", at="owidz anticlockwise", tokens_of="religious")
    black = hold("1", at="palanga clockwise", tokens_of="military")
    state = position(white, black, stock={"palanga": "commercial commercial"})
    trade: Json = {"with": "black", "give": ["religious"], "want": ["military"]}

    swapped = after(state, {"sail": 1, "take_tokens": ["any", "any"], "trade": trade})
    assert best(swapped) == {"accept": True}

    trade = {"with": "black", "give": ["commercial"], "want": [1]}
    bad = after(state, {"sail": 1, "take_tokens": ["any", "any"], "trade": trade})
    assert isinstance(found := best(bad), dict)
    assert "accept" not in found


def test_the_random_bot_tries_all_kinds_of_turns() -> None:
    black = hold("1", at="owidz clockwise", tokens_of="religious")
    state = position(hold("30 13 4", at="palanga clockwise", tokens_of="military"), black)
    found = [game().suggest(view_of(state), Dice(b"bot", step), "random") for step in range(300)]

    tried = {name for order in found if isinstance(order, dict) for name in order}
    assert tried == {"sail", "reverse", "extra", "take_tokens", "take_cards", "play_cards", "trade"}
