"""Set-up, the two halves, the last round and the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.rules.web_of_power import events
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.course import NO_ROOM, ROUND_OVER
from pbem.rules.web_of_power.scoring import decide, final_points
from pbem.rules.web_of_power.state import SEATS, Card, Country, Site, State
from pbem.rules.web_of_power.wording import FACT_WORDS

from .table import (
    GREEN,
    PURPLE,
    RED,
    YELLOW,
    board,
    cards,
    cloisters,
    deal,
    do,
    kinds,
    place,
    position,
    web_of_power,
)

DISCARD: Json = {"discard": "any", "draw": ["pile"]}


def found(told: tuple[Any, ...], kind: type[Any]) -> Any:
    """Return the one event of a kind."""
    (event,) = (one for one in told if isinstance(one, kind))
    return event


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


@pytest.mark.paragraph("first-run-out", "second-half", "score-track")
def test_the_pile_runs_out_for_the_first_time() -> None:
    state = position(
        hands={RED: "fa bb li"}, taken="red: york; green: st_albans winchester", pile="fr",
        discards="fa fa bb es es", to_move=RED, points={GREEN: 1},
    )  # fmt: skip
    after, told = do(state, place("franken", "mainz", draw=["pile"]))
    assert kinds(told) == [
        "PiecesPlaced", "CardsDrawn", "HandFilled", "PileRanOut", "CloistersScored", "SecondHalfBegun",
    ]  # fmt: skip
    scored = found(told, events.CloistersScored)
    assert scored.points == {"england": {GREEN: 3, RED: 2}, "franken": {RED: 1}}
    assert scored.totals == {YELLOW: 0, RED: 3, GREEN: 4}
    assert (after.half, after.closing, len(after.pile), after.discards) == (2, False, 6, {})
    assert Counter(after.pile) == Counter(cards("fa fa fa bb es es"))
    assert after.face_up == state.face_up, "open cards stay"
    assert {seat: player.points for seat, player in after.players.items()} == {YELLOW: 0, RED: 3, GREEN: 4}


@pytest.mark.paragraph("first-run-out")
def test_turning_up_the_last_card_ends_the_half_too_and_the_open_cards_are_filled_up_then() -> None:
    state = position(pile="fr", face_up="es fr", discards="fa fa bb", taken="red: mainz")
    after, told = do(state, place("franken", "corvey", draw=["england"]))
    assert kinds(told) == [
        "PiecesPlaced", "HandFilled", "CardsTurnedUp", "PileRanOut", "CloistersScored", "SecondHalfBegun",
    ]  # fmt: skip
    assert (after.face_up, len(after.pile)) == (cards("fr fr"), 4)
    state = position(pile="fr", face_up="es", discards="fa fa bb", taken="red: mainz")
    after, told = do(state, place("franken", "corvey", draw=["england"]))
    assert kinds(told)[-1] == "CardsTurnedUp"
    assert (len(after.face_up), len(after.pile)) == (2, 3)


@pytest.mark.paragraph("first-run-out", "second-half")
def test_who_needs_more_cards_takes_open_ones_and_then_from_the_new_pile() -> None:
    state = position(
        hands={YELLOW: "fa fr fr"}, taken="red: mainz", pile="li", face_up="es", discards="bb bb bb bb"
    )
    order: dict[str, Json] = {**place("franken", "corvey", "advisor"), "draw": ["pile"]}
    after, told = do(state, order)
    assert [type(one).__name__ for one in told].count("HandFilled") == 2
    first, second = (one for one in told if isinstance(one, events.HandFilled))
    assert (first.taken, first.from_pile) == (cards("es"), 1)
    assert (second.taken, second.from_pile) == ((), 1)
    assert len(after.players[YELLOW].hand) == 3
    assert len(after.face_up) == 2
    assert len(after.pile) == 7 - 1 - 2


@pytest.mark.paragraph("second-half", "clockwise")
@pytest.mark.parametrize(
    ("starter", "mover", "next_in_turn", "then"),
    [
        (YELLOW, YELLOW, False, RED),
        (YELLOW, GREEN, False, RED),
        (RED, YELLOW, False, GREEN),
        (GREEN, RED, False, YELLOW),
        (YELLOW, GREEN, True, YELLOW),
        (RED, YELLOW, True, RED),
    ],
)
def test_the_second_half_begins_at_the_left_of_the_start_player(
    starter: Seat, mover: Seat, next_in_turn: bool, then: Seat
) -> None:
    state = position(starter=starter, to_move=mover, next_in_turn=next_in_turn, pile="fr", discards="fa bb")
    after, told = do(state, DISCARD)
    assert after.half == 2
    assert after.to_move == found(told, events.SecondHalfBegun).seat == then
    later, _ = do(after, DISCARD)
    seats = state.seats
    assert later.to_move == seats[(seats.index(then) + 1) % len(seats)], "then it goes round"


@pytest.mark.paragraph("second-run-out")
@pytest.mark.parametrize(
    ("starter", "mover", "still"),
    [
        (YELLOW, YELLOW, (RED, GREEN, PURPLE)),
        (YELLOW, GREEN, (PURPLE,)),
        (RED, PURPLE, (YELLOW,)),
        (RED, YELLOW, ()),
        (YELLOW, PURPLE, ()),
    ],
)
def test_after_the_pile_has_run_out_again_the_round_is_finished(
    starter: Seat, mover: Seat, still: tuple[Seat, ...]
) -> None:
    state = position(seats=SEATS[:4], starter=starter, to_move=mover, half=2, pile="fr")
    state, told = do(state, DISCARD)
    assert found(told, events.PileRanOut) == events.PileRanOut(half=2, still=still, to=ALL)
    for seat in still:
        assert state.to_move == seat
        hand = len(state.players[seat].hand)
        state, told = do(state, {"discard": "any"})
        assert kinds(told)[:1] == ["CardDiscarded"]
        assert "HandFilled" not in kinds(told), "nobody draws any more"
        assert len(state.players[seat].hand) == hand - 1
    ended = web_of_power().ask(state)
    assert isinstance(ended, Outcome)
    assert ended.reason == ROUND_OVER


def test_a_new_pile_that_is_gone_at_once_makes_these_the_last_turns() -> None:
    state = position(face_up="", pile="fr", discards="", taken="red: mainz", hands={YELLOW: "fa bb li"})
    state = replace(
        state, players={seat: replace(player, hand=player.hand[:3]) for seat, player in state.players.items()}
    )
    after, told = do(state, {"discard": "franken", "draw": ["pile"]})
    assert [one.half for one in told if isinstance(one, events.PileRanOut)] == [1, 2]
    assert after.closing
    assert after.to_move == RED


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


@pytest.mark.paragraph("no-room", "limited-pieces")
@pytest.mark.parametrize(
    ("taken", "sent", "takes"),
    [
        ("", "", True),
        ("red: york", "", True),
        ("red: york", "england: red 8; franken: yellow 8; bayern: green 8", True),
    ],
)
def test_a_map_with_free_sites_takes_pieces(taken: str, sent: str, takes: bool) -> None:
    assert board(taken, sent).takes_a_piece(SEATS[:3]) is takes


def test_a_full_map_takes_advisors_as_long_as_there_are_any_and_there_is_room() -> None:
    facts = web_of_power().facts
    full = full_board(YELLOW)
    gone = {Country("franken"): {YELLOW: 8}, Country("bayern"): {RED: 8}, Country("england"): {GREEN: 8}}
    assert Board(facts, full, {}).takes_a_piece(SEATS[:3])
    assert not Board(facts, full, gone).takes_a_piece(SEATS[:3])
    assert Board(facts, full, gone).takes_a_piece(SEATS[:4])


FINAL = (
    "yellow: koeln stavelot trier verdun mainz; red: york st_albans; green: milano",
    "lothringen: yellow 2, red 1; franken: yellow 1; england: red 1",
)


@pytest.mark.paragraph("final-scoring", "alliances", "scoring-order")
def test_at_the_end_cloisters_alliances_and_chains_are_scored() -> None:
    taken, sent = FINAL
    state = position(taken=taken, sent=sent, half=2, closing=True, to_move=GREEN, points={RED: 5})
    state, told = do(state, {"discard": "any"})
    assert kinds(told) == ["CardDiscarded", "CloistersScored", "AlliancesScored", "ChainsScored"]
    scored = found(told, events.CloistersScored)
    assert list(scored.points) == ["england", "franken", "italien", "lothringen"]
    assert scored.half == 2
    assert scored.totals == {YELLOW: 5, RED: 7, GREEN: 1}
    allied = found(told, events.AlliancesScored)
    assert allied.points == {4: {YELLOW: 4}}
    assert allied.countries == {4: ("franken", "lothringen")}
    chains = found(told, events.ChainsScored)
    assert {seat: [len(row) for row in rows] for seat, rows in chains.chains.items()} == {YELLOW: [5]}
    assert chains.totals == {YELLOW: 14, RED: 7, GREEN: 1}
    assert web_of_power().ask(state) == Outcome(ROUND_OVER, (YELLOW,), chains.totals, "points")


@pytest.mark.paragraph("final-scoring")
def test_the_points_if_the_game_ended_now_are_those_of_the_end() -> None:
    taken, sent = FINAL
    state = position(taken=taken, sent=sent, half=2, closing=True, to_move=GREEN, points={RED: 5})
    view = web_of_power().view(state, None)
    assert {seat: one.now for seat, one in view.players.items()} == {YELLOW: 14, RED: 7, GREEN: 1}
    assert view.pacts == {"franken_lothringen": {YELLOW: 4}}
    state, _ = do(state, {"discard": "any"})
    view = web_of_power().view(state, None)
    assert {seat: (one.points, one.now) for seat, one in view.players.items()} == {
        YELLOW: (14, 14), RED: (7, 7), GREEN: (1, 1),
    }  # fmt: skip
    assert view.to_move is None


@pytest.mark.paragraph("final-scoring")
def test_the_final_points_are_those_of_cloisters_and_alliances_and_of_each_chain_long_enough() -> None:
    taken, sent = FINAL
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


def test_pieces_left_count_cloisters_and_advisors() -> None:
    state = position(
        taken="yellow: york; red: milano", sent="england: red 1", half=2, closing=True, to_move=GREEN
    )
    state = replace(state, cloisters={**state.cloisters, **cloisters("green: tours")})
    state, _ = do(state, {"discard": "any"})
    ended = web_of_power().ask(state)
    assert isinstance(ended, Outcome)
    assert (ended.winners, ended.decided_by) == ((YELLOW, GREEN), "more pieces left")


@pytest.mark.parametrize(
    "order", [{"place": {"country": "england", "pieces": ["york"]}}, {"discard": "frankreich"}]
)
def test_an_illegal_move_never_resolves(order: Json) -> None:
    rules, state = web_of_power(), position()
    with pytest.raises(ValueError, match="expected a legal move from yellow"):
        rules.resolve(state, {YELLOW: rules.read(order)}, Dice(b"x", 1))
    with pytest.raises(ValueError, match="expected a legal move from yellow"):
        rules.resolve(state, {}, Dice(b"x", 1))


def test_the_dice_order_the_second_pile() -> None:
    state = position(pile="fr", discards="fa fa bb bb li es fr")
    piles = {do(state, DISCARD, Dice(b"x", step))[0].pile for step in range(3)}
    assert len(piles) == 3


def test_a_silent_seat_throws_away_a_card_without_its_like() -> None:
    rules, state = web_of_power(), position(hands={YELLOW: "fa fa li"})
    held = rules.hold(rules.view(state, YELLOW))
    assert held == {"discard": "any"}
    _, told = do(state, held)
    assert told[0] == events.CardDiscarded(seat=YELLOW, card=Card("lothringen_italien"), to=ALL)
    assert rules.hold(rules.view(state, RED)) is None


def sea(alliances: str) -> State:
    return position(taken="yellow: york", sent="england: yellow 1; aragon: yellow 1", alliances=alliances)


@pytest.mark.paragraph("seals")
def test_the_other_set_of_alliances_can_be_played() -> None:
    rules = web_of_power()
    assert rules.view(sea("land"), None).pacts == {}
    assert rules.view(sea("sea"), None).pacts == {"england_aragon": {YELLOW: 2}}
    assert deal("sea", alliances="sea").alliances == "sea"


def test_a_condition_on_the_half_is_said_of_the_half_being_played() -> None:
    assert FACT_WORDS["half"] == "the half being played"
