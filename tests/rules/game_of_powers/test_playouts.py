"""What holds in every position of every game."""

from __future__ import annotations

import json

import pytest

from pbem.core.interface import Ask, Outcome
from pbem.rules.game_of_powers.facts import plus, total
from pbem.rules.game_of_powers.state import SEATS, State
from pbem.text.codec import decode, dumps, encode

from .table import game, playout, skills


def assert_sound(state: State) -> None:
    """Check what no step may break: every card and token is there once, and nobody holds too much."""
    facts = game().facts
    hands = [card for player in state.players.values() for card in player.hand]
    played = [card for player in state.players.values() for card in player.played]
    laid = [card for field in state.fields.values() for card in field]
    everywhere = [*hands, *played, *laid, *state.pile, *state.under, *state.box]
    assert sorted(everywhere, key=int) == list(facts.cards)
    everything = state.pool
    for some in (*state.stock.values(), *(player.tokens for player in state.players.values())):
        assert min(some.values()) >= 0
        everything = plus(everything, some)
    assert set(everything.values()) == {facts.per_type}
    for seat, player in state.players.items():
        assert len(player.hand) <= facts.hand_limit
        assert total(player.tokens) <= facts.token_limit
        assert player.hand == facts.in_order(player.hand)
        assert set(player.open) <= set(player.hand)
        assert seat not in player.shown
        assert all(set(seen) <= set(player.hand) - set(player.open) for seen in player.shown.values())
    for name, task in facts.tasks.items():
        given = [player.tasks[name] for player in state.players.values() if name in player.tasks]
        assert sorted([*given, *state.tasks[name]], reverse=True) == list(task.values)
    assert all(len(field) <= facts.sections[section] for section, field in state.fields.items())
    assert not state.box or len(state.order) <= facts.seats_to_box
    assert not state.under or len(state.order) > facts.seats_to_box
    short = any(len(field) < facts.sections[section] for section, field in state.fields.items())
    assert short == state.is_last


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("bots", [("random",), ("greedy", "random")], ids="-".join)
def test_a_game_keeps_its_cards_and_tokens_and_ends(seats: int, bots: tuple[str, ...]) -> None:
    rules, counts = game(), dict.fromkeys(SEATS[:seats], 0)
    for state, ask, _ in playout("playout 0", skills(seats, *bots)):
        assert_sound(state)
        assert decode(State, json.loads(dumps(encode(state)))) == state
        view = rules.view(state, None)
        assert [side.asks for side in view.players.values()] == [
            state.players[seat].asks + (seat == state.to_move and not state.is_over) for seat in state.order
        ]
        if isinstance(ask, Outcome):
            assert ask.scores == {seat: side.points + side.bonus for seat, side in view.players.items()}
            assert set(counts.values()) == {counts[state.order[0]]}, "all have had as many turns"
            return
        assert isinstance(ask, Ask)
        if "." not in ask.label:
            counts[state.to_move] += 1
        assert ask.label.partition(".")[0] == f"{state.to_move}-{counts[state.to_move]}"
        assert view.asked in ask.seats
    pytest.fail("the game has no end")


def test_games_without_tasks_and_trade_end_too() -> None:
    *_, (state, outcome, _) = playout("bare", skills(3, "random"), tasks=False, trade=False)

    assert isinstance(outcome, Outcome)
    assert all(not player.tasks for player in state.players.values())
