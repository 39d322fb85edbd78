"""Turns: playing, heroes, drawing, skipping and the end."""

from __future__ import annotations

import pytest

from pbem.core.dice import Dice
from pbem.core.interface import Ask, Label
from pbem.rules.rose_king.state import RED, SEATS, WHITE, State
from tests.behaviour import turns

from .table import cards, deal, do, position, rose_king


def ask(state: State) -> Ask:
    found = rose_king().ask(state)
    assert isinstance(found, Ask)
    return found


@pytest.mark.paragraph("board", "hands", "tokens", "start", "heroes")
def test_a_deal_gives_each_five_cards_and_leaves_the_centre_empty() -> None:
    state = deal("deal")
    assert [len(state.players[seat].hand) for seat in SEATS] == [5, 5]
    assert [state.players[seat].heroes for seat in SEATS] == [4, 4]
    assert (len(state.pile), state.discards, state.supply, state.crown, state.tokens) == (
        14,
        (),
        52,
        "E5",
        {},
    )
    assert ask(state) == Ask("move", Label("red-1"), frozenset({RED}))


@pytest.mark.paragraph("players")
def test_only_red_and_white_can_sit_down() -> None:
    with pytest.raises(ValueError, match="expected the seats red and white"):
        rose_king().setup((WHITE, RED), {}, {}, Dice(b"x", 0))


def test_own_tokens_are_dealt_as_the_option_says() -> None:
    state = deal("own", own_tokens=26)
    assert state.supply is None
    assert [state.players[seat].tokens for seat in SEATS] == [26, 26]


@pytest.mark.paragraph("reshuffle")
def test_the_dice_order_the_reshuffled_pile() -> None:
    state = position(red="N1", pile="", discards="E1 E2 E3 W1 W2 W3")
    for step in range(3):
        dice = Dice(b"reshuffle", step)
        after, _ = do(state, {"draw": True}, dice)
        drawn, *rest = dice.shuffled(state.discards, "reshuffle")
        assert after.players[RED].hand == rose_king().facts.in_order((*cards("N1"), drawn))
        assert after.pile == tuple(rest)


@pytest.mark.paragraph(
    "play",
    "start",
    "turn",
    "hero-turns",
    "skip",
    "heroes",
    "end-stuck",
    "end-at-once",
    "total",
    "end-last-token",
    "draw",
    "reshuffle",
    "compulsion",
)
@pytest.mark.parametrize("row", turns.named("rose-king"))
def test_a_turn_comes_to_what_its_row_says(row: turns.Row) -> None:
    assert turns.played(row) == row["steps"]
