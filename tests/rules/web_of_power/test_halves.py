"""Set-up, the two halves, the last round and the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Outcome
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.course import NO_ROOM
from pbem.rules.web_of_power.scoring import decide, final_points
from pbem.rules.web_of_power.state import SEATS, Country, Site

from .table import (
    GREEN,
    RED,
    YELLOW,
    deal,
    do,
    kinds,
    place,
    position,
    web_of_power,
)


@pytest.mark.paragraph("prepare", "deal")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_three_hidden_cards_are_dealt_and_two_lie_open(seats: int) -> None:
    state = deal("deal", seats)
    facts = web_of_power().facts
    assert [len(player.hand) for player in state.players.values()] == [3] * seats
    assert [player.points for player in state.players.values()] == [0] * seats
    assert len(state.face_up) == 2
    everything = [*state.pile, *state.face_up]
    everything += [card for player in state.players.values() for card in player.hand]
    assert Counter(everything) == Counter(facts.deck(seats))
    assert (state.cloisters, state.advisors, state.half, state.closing) == ({}, {}, 1, False)


@pytest.mark.paragraph("start-player", "clockwise")
def test_yellow_begins_unless_it_is_drawn_by_lot() -> None:
    assert deal("anything").starter == deal("anything").to_move == YELLOW
    lots = {deal(f"lot {number}", start_player="lot").starter for number in range(40)}
    assert lots == set(SEATS[:4])
    state = deal("lot", start_player="lot")
    assert web_of_power().ask(state) == Ask("move", f"{state.starter}-1", frozenset({state.starter}))  # type: ignore[arg-type]


def full_board(owner: Seat, but: str = "") -> dict[Site, Seat]:
    home = web_of_power().facts.home
    left = [site for site in home if site != but]
    return {site: owner if place < 20 else SEATS[1 + place % 2] for place, site in enumerate(left)}


@pytest.mark.paragraph("no-room")
def test_the_game_ends_when_no_piece_can_be_placed() -> None:
    taken = full_board(YELLOW, but="chartreuse")
    state = replace(
        position(hands={YELLOW: "fa bb li"}, to_move=RED),
        cloisters=taken,
        advisors={
            Country("franken"): {YELLOW: 8},
            Country("bayern"): {RED: 8},
            Country("england"): {GREEN: 8},
        },
    )
    state, told = do(state, place("burgund", "chartreuse"))
    assert "HandFilled" not in kinds(told)
    ended = web_of_power().ask(state)
    assert isinstance(ended, Outcome)
    assert ended.reason == NO_ROOM
    assert kinds(told) == ["PiecesPlaced", "CloistersScored", "AlliancesScored", "ChainsScored"]


def test_a_full_map_takes_advisors_as_long_as_there_are_any_and_there_is_room() -> None:
    facts = web_of_power().facts
    full = full_board(YELLOW)
    gone = {Country("franken"): {YELLOW: 8}, Country("bayern"): {RED: 8}, Country("england"): {GREEN: 8}}
    assert Board(facts, full, {}).takes_a_piece(SEATS[:3])
    assert not Board(facts, full, gone).takes_a_piece(SEATS[:3])
    assert Board(facts, full, gone).takes_a_piece(SEATS[:4])


@pytest.mark.paragraph("final-scoring")
def test_the_final_points_are_those_of_cloisters_and_alliances_and_of_each_chain_long_enough() -> None:
    taken = "yellow: koeln stavelot trier verdun mainz; red: york st_albans; green: milano"
    sent = "lothringen: yellow 2, red 1; franken: yellow 1; england: red 1"
    state = position(taken=taken, sent=sent, half=2, closing=True, to_move=GREEN)
    board, facts = Board(web_of_power().facts, state.cloisters, state.advisors), web_of_power().facts
    sites = tuple(facts.number)
    chains = {YELLOW: (sites[:4], sites[10:15], sites[20:23]), RED: (sites[30:33],), GREEN: ()}

    none = final_points(board, dict.fromkeys(chains, ()), {})
    allied = final_points(board, dict.fromkeys(chains, ()), facts.alliances["land"])
    chained = final_points(board, chains, facts.alliances["land"])

    assert none == {YELLOW: 5, RED: 2, GREEN: 1}
    assert allied == {YELLOW: 9, RED: 2, GREEN: 1}
    assert chained == {YELLOW: 18, RED: 2, GREEN: 1}


@pytest.mark.paragraph("winner")
@pytest.mark.parametrize(
    ("points", "left", "winners", "decided_by"),
    [
        ((9, 8, 7), (1, 2, 3), (YELLOW,), "points"),
        ((9, 9, 7), (1, 2, 3), (RED,), "more pieces left"),
        ((9, 9, 9), (3, 2, 3), (YELLOW, GREEN), "more pieces left"),
        ((9, 9, 7), (2, 2, 3), (YELLOW, RED), "shared victory"),
    ],
)
def test_who_wins(
    points: tuple[int, ...], left: tuple[int, ...], winners: tuple[Seat, ...], decided_by: str
) -> None:
    seats = SEATS[:3]
    found = decide(dict(zip(seats, points, strict=True)), dict(zip(seats, left, strict=True)))
    assert found == (winners, decided_by)


def test_the_dice_order_the_second_pile() -> None:
    state = position(pile="fr", discards="fa fa bb bb li es fr")
    piles = {do(state, {"discard": "any", "draw": ["pile"]}, Dice(b"x", step))[0].pile for step in range(3)}
    assert len(piles) == 3
