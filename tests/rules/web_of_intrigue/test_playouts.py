"""What holds in every position of every game."""

from __future__ import annotations

import json

import pytest

from pbem.core.dice import Dice
from pbem.core.events import ALL
from pbem.core.interface import Ask, Outcome
from pbem.rules.web_of_intrigue.events import BidMade, ObjectsCounted
from pbem.rules.web_of_intrigue.scoring import income
from pbem.rules.web_of_intrigue.state import State
from pbem.text.codec import decode, dumps, encode, encode_event

from .table import all_play, of, playout, woi


@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize(
    ("skill", "seats", "options"),
    [
        ("random", 12, {}),
        ("random", 2, {}),
        ("greedy", 12, {}),
        ("greedy", 5, {"vp": "snapshot", "turns": 8}),
        ("random", 7, {"target": "none", "turns": 6, "reveal_reach": "diamond"}),
        ("greedy", 3, {"target": 80}),
    ],
)
def test_every_position_is_sound(seed: str, skill: str, seats: int, options: dict[str, object]) -> None:
    facts = woi().facts
    tiles = sorted((*facts.objects, *facts.specials))
    for number, (state, ask, events) in enumerate(playout(seed, all_play(skill, seats), **options)):
        assert list(state.web) == list(facts.grid.squares)
        assert sorted(state.web.values()) == tiles
        assert set(state.owners) <= set(facts.objects)
        assert set(state.owners.values()) <= set(state.players)
        assert state.turn == number + 1
        assert sum(player.transfers for player in state.players.values()) == 0
        for seat, player in state.players.items():
            assert player.square in facts.grid.places
            assert all(seen.turn < state.turn for seen in player.memory.values())
            if state.options.vp == "snapshot" and number:
                assert player.objects == income(facts, state.owners, seat)
        assert decode(State, encode(state)) == state
        assert isinstance(ask, Outcome) or ask == Ask("orders", ask.label, frozenset(state.players))
        assert len(of(events, ObjectsCounted)) == (number > 0)
        assert all(event.to == ALL or len(event.to) == 1 for event in events)
        assert len(of(events, BidMade)) <= 3 * seats
    assert isinstance(ask, Outcome)
    assert set(ask.scores) == set(state.players)
    assert ask.winners


def test_a_loaded_game_goes_on_and_reads_as_the_one_in_memory() -> None:
    rules = woi()
    for state, ask, _ in playout("loaded", all_play("random", 12)):
        if state.turn % 3 != 1:
            continue
        loaded = decode(State, json.loads(dumps(encode(state))))
        for seat in (*state.players, None):
            assert json.dumps(encode(rules.view(loaded, seat))) == json.dumps(encode(rules.view(state, seat)))
        if isinstance(ask, Ask):
            dice = Dice(b"loaded", state.turn)
            moves = {
                seat: rules.read(rules.suggest(rules.view(state, seat), dice.apart(seat), "random"))
                for seat in state.players
            }
            steps = [rules.resolve(one, moves, dice) for one in (state, loaded)]
            told = [[json.dumps(encode_event(event)) for event in step.events] for step in steps]
            assert told[0] == told[1]
            assert dumps(encode(steps[0].state)) == dumps(encode(steps[1].state))


@pytest.mark.parametrize("skill", ["random", "greedy"])
def test_bots_give_legal_orders_and_spend_no_more_than_they_have(skill: str) -> None:
    rules = woi()
    for state, ask, _ in playout("legal", all_play("random", 12), turns=10):
        for seat in state.players:
            view = rules.view(state, seat)
            order = rules.suggest(view, Dice(b"legal", state.turn).apart(seat), skill)
            if isinstance(ask, Outcome):
                assert order is None
                continue
            move = rules.read(order)
            assert rules.check(view, move) == ()
            assert rules.forecast(view, move).lines
            assert view.own is not None
            spent = sum(action.points for action in move.actions.values())
            assert spent <= view.own.action_points
            if skill == "greedy" and move.actions:
                assert spent == view.own.action_points


def test_a_silent_seat_holds_its_place() -> None:
    rules = woi()
    for state, ask, _ in playout("hold", all_play("random", 3), turns=3):
        if isinstance(ask, Ask):
            for seat in state.players:
                view = rules.view(state, seat)
                assert rules.check(view, rules.read(rules.hold(view))) == ()
