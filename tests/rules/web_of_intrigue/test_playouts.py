"""What holds in every position of every game."""

from __future__ import annotations

import pytest

from pbem.core.events import ALL
from pbem.core.interface import Ask, Outcome
from pbem.rules.web_of_intrigue.events import BidMade, ObjectsCounted
from pbem.rules.web_of_intrigue.scoring import income
from pbem.rules.web_of_intrigue.state import State
from pbem.text.codec import decode, encode

from .table import all_play, of, playout, woi


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
def test_every_position_is_sound(skill: str, seats: int, options: dict[str, object]) -> None:
    facts = woi().facts
    tiles = sorted((*facts.objects, *facts.specials))
    for number, (state, ask, events) in enumerate(playout("one", all_play(skill, seats), **options)):
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
