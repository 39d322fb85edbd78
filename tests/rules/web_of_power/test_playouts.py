"""Whole games: nothing is lost or made on the way, saves load again, and every game ends."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from pbem.contract import check
from pbem.core.interface import Ask, Json, Outcome
from pbem.rules.web_of_power.board import board_of
from pbem.rules.web_of_power.course import ROUND_OVER
from pbem.rules.web_of_power.rules import load
from pbem.rules.web_of_power.state import State
from pbem.text.codec import decode, dumps, encode
from tests.subjects import subject

from .table import playout, shipped_data, small_data, web_of_power


def assert_sound(state: State) -> None:
    facts, board = web_of_power().facts, board_of(web_of_power().facts, state)
    held = [card for player in state.players.values() for card in player.hand]
    discards = [card for card, count in state.discards.items() for _ in range(count)]
    every = Counter([*state.pile, *state.face_up, *held, *discards])
    assert every == Counter(facts.deck(len(state.seats)))
    assert set(state.cloisters) <= set(facts.home)
    for seat, player in state.players.items():
        assert 0 <= board.cloisters_left(seat) <= 20
        assert 0 <= board.advisors_left(seat) <= 8
        assert Counter(player.known) <= Counter(player.hand)
        assert player.hand == facts.in_order(player.hand)
        assert len(player.hand) == 3 or state.closing
    assert len(state.face_up) == 2 or state.closing
    for country, sent in state.advisors.items():
        assert sum(sent.values()) <= max(board.cloisters_in(country).values())
    assert len(state.pile) > 0 or state.closing or state.ended


TABLES: list[tuple[int, tuple[str, ...], dict[str, Json]]] = [
    (3, ("random",), {}),
    (3, ("greedy", "random"), {"alliances": "sea"}),
    (4, ("random",), {"next_in_turn": True}),
    (4, ("greedy",), {}),
    (5, ("random", "greedy"), {"start_player": "lot"}),
    (5, ("greedy",), {"next_in_turn": True, "alliances": "sea"}),
]


@pytest.mark.parametrize(("seats", "skills", "options"), TABLES)
def test_a_game_keeps_its_cards_and_pieces_and_ends(
    seats: int, skills: tuple[str, ...], options: dict[str, Json]
) -> None:
    rules, counts, points = web_of_power(), Counter[str](), 0
    halves = []
    for state, ask, _ in playout("one", skills, seats, **options):
        assert_sound(state)
        assert decode(State, json.loads(dumps(encode(state)))) == state
        now = sum(player.points for player in state.players.values())
        assert now == points or isinstance(ask, Outcome) or state.half == 2
        points = now
        halves.append(state.half)
        if isinstance(ask, Outcome):
            assert ask.reason == ROUND_OVER
            assert ask.scores == {seat: rules.view(state, None).players[seat].now for seat in state.seats}
            order = [
                *state.seats[state.seats.index(state.starter) :],
                *state.seats[: state.seats.index(state.starter)],
            ]
            assert state.to_move == order[0], "the last turn was at the right of the start marker"
            break
        assert isinstance(ask, Ask)
        (seat,) = ask.seats
        counts[seat] += 1
        assert ask.label == f"{seat}-{counts[seat]}"
        assert rules.view(state, None).players[seat].asks == counts[seat]
    assert halves == sorted(halves)
    assert set(halves) == {1, 2}


def with_numbers(data: dict[str, Any], **tables: dict[str, int]) -> dict[str, Any]:
    """Return facts with other numbers."""
    for name, numbers in tables.items():
        data[name].update(numbers)
    return data


MORE: dict[str, dict[str, int]] = {
    "cards": {"hand": 5, "face_up": 3},
    "turn": {"cards": 4, "pieces": 3, "in_empty_country": 2},
    "chains": {"least": 2},
}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(with_numbers(shipped_data(), **MORE), id="more-and-all-cards", marks=pytest.mark.worlds),
        pytest.param(with_numbers(small_data(), cards={"face_up": 0}), id="no-open-cards"),
        pytest.param(with_numbers(small_data(), turn={"joker": 3}, cards={"hand": 4}), id="jokers-of-three"),
    ],
)
def test_a_game_of_other_numbers_can_be_played_and_keeps_the_contract(data: dict[str, Any]) -> None:
    played = replace(subject("web-of-power", 3), rules=load(data))

    result = check(played, games=1, worlds=1)

    assert result.steps > 3
    assert not [breach for breach in result.breaches if "planted" not in breach], result
