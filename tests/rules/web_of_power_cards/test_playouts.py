"""What holds in every position of every game."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pytest

from pbem.core.interface import Ask, Json, Outcome
from pbem.rules.web_of_power_cards.events import CardTaken
from pbem.rules.web_of_power_cards.state import SEATS, State
from pbem.rules.web_of_power_cards.view import lay_out
from pbem.text.codec import decode, dumps, encode

from .table import playout, rules

MIXED = ("greedy", "random")


def assert_sound(state: State, players: int) -> None:
    """Check what no turn may break: every card, stone and law card is there once."""
    facts = rules().facts
    lying = [card for row in lay_out(state).rows for card in row]
    held = [card for player in state.players.values() for card in player.cards]
    assert Counter([*lying, *held]) == dict.fromkeys(facts.lands, 1)
    assert set(state.laws) <= set(lying)
    assert set(state.stones) <= set(lying)
    laws = [*state.laws.values(), *state.played, *(law for one in state.players.values() for law in one.laws)]
    assert Counter(laws) == Counter(facts.laws)
    for seat, player in state.players.items():
        on_cards = list(state.stones.values()).count(seat)
        assert player.reserve + player.removed + on_cards == facts.stones
        assert min(player.reserve, player.removed) >= 0
        assert on_cards <= facts.most_on_cards[players]


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("skills", [("random",), MIXED], ids=["random", "mixed"])
@pytest.mark.parametrize("options", [{}, {"own_claim_free": True}], ids=str)
def test_a_game_keeps_its_cards_and_stones_and_ends(
    players: int, skills: Sequence[str], options: dict[str, Json]
) -> None:
    for seed in range(1):
        counts: Counter[str] = Counter()
        last = None
        for state, ask, told in playout(f"playout-{seed}", players, skills, **options):
            assert_sound(state, players)
            assert decode(State, json.loads(dumps(encode(state)))) == state
            if isinstance(ask, Outcome):
                assert sum(len(player.cards) for player in state.players.values()) == 56
                assert rules().view(state, None).to_move is None
                break
            counts[state.to_move] += 1
            assert ask.label == f"{state.to_move}-{counts[state.to_move]}"
            assert last is None or SEATS.index(state.to_move) == (SEATS.index(last) + 1) % players
            last = state.to_move
            assert_turn(told)


def assert_turn(told: Sequence[object]) -> None:
    """Check what the rules say of the cards of a turn in which no law card was played."""
    if any(type(event).__name__ == "LawPlayed" for event in told):
        return
    taken = [event for event in told if isinstance(event, CardTaken)]
    assert len({event.country for event in taken}) <= 1
    assert sum(event.symbols for event in taken) <= 2


def test_somebody_can_always_take_a_card() -> None:
    """So a whole round of skips, which would end the game, cannot come about."""
    for players in (3, 5):
        for seed in range(4):
            for state, ask, _ in playout(f"stuck-{seed}", players):
                if isinstance(ask, Ask):
                    assert state.skips < players
                    assert any(rules().view(state, seat).can_take for seat in SEATS[:players])


def test_games_have_everything_that_can_happen() -> None:
    seen: set[str] = set()
    kinds: set[str] = set()
    for players, seed in [(3, seed) for seed in range(8)] + [(5, 0)]:
        for _, ask, told in playout(f"all-{seed}", players):
            kinds |= {ask.kind} if isinstance(ask, Ask) else set()
            seen |= {type(event).__name__ for event in told}
    assert seen == {kind.__name__ for kind in rules().event_kinds}
    assert kinds == {"turn", "skip"}
