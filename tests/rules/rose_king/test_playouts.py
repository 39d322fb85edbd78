"""What holds in every position of every game."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask, Outcome
from pbem.rules.rose_king.state import RED, SEATS, WHITE, State
from pbem.text.codec import decode, dumps, encode

from .table import MIXED, RANDOM, playout, rose_king

SEEDS = [f"playout-{number}" for number in range(2)]


def assert_sound(state: State, own_tokens: int) -> None:
    """Check what no move may break: every card, token and square is there once."""
    facts = rose_king().facts
    hands = [state.players[seat].hand for seat in SEATS]
    everywhere = [*hands[0], *hands[1], *state.pile, *state.discards]
    assert sorted(everywhere, key=facts.deck.index) == list(facts.deck)
    assert all(hand == facts.in_order(hand) and len(hand) <= facts.hand_limit for hand in hands)
    left = [state.players[seat].tokens for seat in SEATS]
    pool = state.supply if state.supply is not None else sum(own or 0 for own in left)
    assert len(state.tokens) + pool == (2 * own_tokens or facts.tokens)
    assert set(state.tokens) <= set(facts.squares)
    assert all(0 <= state.players[seat].heroes <= facts.heroes for seat in SEATS)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("own_tokens", [0, 26])
@pytest.mark.parametrize("skills", [RANDOM, MIXED], ids=["random", "mixed"])
def test_a_game_keeps_its_cards_and_tokens_and_ends(
    seed: str, own_tokens: int, skills: Mapping[Seat, str]
) -> None:
    rules = rose_king()
    counts = dict.fromkeys(SEATS, 0)
    seat = RED
    for state, ask in playout(seed, skills, own_tokens):
        assert_sound(state, own_tokens)
        assert decode(State, json.loads(dumps(encode(state)))) == state
        view = rules.view(state, None)
        if isinstance(ask, Outcome):
            assert ask.scores == {RED: view.red.points, WHITE: view.white.points}
            assert view.to_move is None
            return
        counts[seat] += 1
        assert ask.label == f"{seat}-{counts[seat]}"
        assert isinstance(ask, Ask)
        assert ask.seats == (set() if ask.kind == "skip" else {seat})
        assert (view.red.asks, view.white.asks) == (counts[RED], counts[WHITE])
        seat = WHITE if seat == RED else RED
    pytest.fail("the game has no end")


def test_games_end_both_ways_and_have_skips_and_reshuffles() -> None:
    reasons, skips, reshuffles = set(), 0, 0
    for seed in range(12):
        discards = 0
        for state, ask in playout(f"ways-{seed}", RANDOM):
            reshuffles += len(state.discards) < discards
            discards = len(state.discards)
            if isinstance(ask, Outcome):
                reasons.add(ask.reason)
            else:
                skips += ask.kind == "skip"
    assert reasons == {"the last token was placed", "neither red nor white can move"}
    assert skips > 0
    assert reshuffles > 0
