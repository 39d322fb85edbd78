"""Ready lines: each reply of the opponent has its answer, and what was supposed is what comes about."""

from __future__ import annotations

import pytest

from pbem.core.conditions import is_term_met
from pbem.core.foresight import Later
from pbem.core.interface import Ask, Outcome
from pbem.rules.rose_king.moves import legal_moves, write_move
from pbem.rules.rose_king.planning import Here, after, best
from pbem.rules.rose_king.scoring import find_lands, lands_after
from pbem.rules.rose_king.state import RED, SEATS, WHITE, Draw, Play, State
from tests.rules.rose_king.table import deal, do, playout, position, rose_king

GREEDY = dict.fromkeys(SEATS, "greedy")


def replies(state: State) -> list[State]:
    """Return every position that one move of the seat on turn may lead to, or its skip."""
    player = state.players[state.to_move]
    moves = legal_moves(
        rose_king().facts, state.crown, state.tokens, state.to_move, player.hand, player.heroes
    )
    return [do(state, write_move(move))[0] for move in moves] or [do(state)[0]]


@pytest.mark.parametrize("seed", ["after 1"])
def test_what_is_supposed_after_a_card_is_what_a_seat_then_sees(seed: str) -> None:
    rules, looked = rose_king(), 0
    for state, ask in playout(seed, GREEDY):
        if not isinstance(ask, Ask) or not ask.seats:
            continue
        seat = state.to_move
        move = best(rules.facts, Here.of(rules.facts, rules.view(state, seat)))
        assert move is not None
        then = do(state, write_move(move))[0]
        if not isinstance(move, Play) or isinstance(rules.ask(then), Outcome):
            continue
        for reader in SEATS:
            assert after(
                rules.facts, Here.of(rules.facts, rules.view(state, reader)), move
            ).view == rules.view(then, reader)
            looked += 1
    assert looked > 60


@pytest.mark.parametrize("seed", ["land 1"])
def test_territories_after_a_token_are_those_that_are_found_on_the_board_then(seed: str) -> None:
    facts, looked = rose_king().facts, 0
    for state, ask in playout(seed, GREEDY):
        if not isinstance(ask, Ask) or not ask.seats:
            continue
        seat, hand = state.to_move, state.players[state.to_move].hand
        lands = find_lands(facts, state.tokens)
        for move in legal_moves(facts, state.crown, state.tokens, seat, hand, heroes=1):
            if not isinstance(move, Play):
                continue
            square = facts.leaps[state.crown][move.card]
            made = lands_after(facts, state.tokens, lands, seat, square)
            found = find_lands(facts, {**state.tokens, square: seat})
            assert {one: {*land} for one, land in made.items()} == {
                one: {*land} for one, land in found.items()
            }
            assert all(made[one] is made[land[0]] for land in made.values() for one in land)
            looked += move.hero
    assert looked > 10


@pytest.mark.parametrize("seed", ["reply 1"])
def test_every_reply_has_a_line_and_that_can_be_played(seed: str) -> None:
    rules, answered, looked = rose_king(), 0, 0
    for number, (state, ask) in enumerate(playout(seed, GREEDY)):
        if number % 3 or not isinstance(ask, Ask) or not ask.seats:
            continue
        for seat in SEATS:
            view = rules.view(state, seat)
            now = best(rules.facts, Here.of(rules.facts, view))
            before = state if now is None else do(state, write_move(now))[0]
            if isinstance(rules.ask(before), Outcome):
                continue
            lines = rules.plan(view, now, 1).lines
            for then in replies(before):
                asked = rules.ask(then)
                if isinstance(asked, Outcome) or seat not in asked.seats:
                    continue
                there = rules.view(then, seat)
                fitting = [line for line in lines if is_term_met(line.when, there)]
                if not fitting and isinstance(now, Draw):
                    continue  # only the card that is drawn now can be played then
                assert {line.at for line in fitting} == {asked.label}
                assert all("draws" in line.note for line in fitting[:-1])
                assert rules.check(there, rules.read(fitting[0].do)) == ()
                looked += 1
            answered += len(lines)
    assert looked > 60
    assert answered > 60


def test_lines_for_two_turns_tell_the_paths_apart_and_none_is_impossible() -> None:
    rules, looked = rose_king(), 0
    for number, (state, ask) in enumerate(playout("two turns", GREEDY)):
        if number % 5 or not isinstance(ask, Ask) or not ask.seats:
            continue
        for seat in SEATS:
            view = rules.view(state, seat)
            now = best(rules.facts, Here.of(rules.facts, view))
            plan = rules.plan(view, now, 2)
            assert plan == rules.plan(view, now, 2)
            assert len(plan.lines) <= 24
            keys = [(line.at, str(sorted(line.when.items()))) for line in plan.lines]
            assert len(set(keys)) == len(keys)
            count = view.side(seat).asks
            for line in plan.lines:
                assert (
                    "and then" in line.note and "leaves the crown" in line.note.rpartition("and then")[2]
                ) == ("pile" in line.when), line
                far = int(str(line.at).rpartition("-")[2]) - count
                before = ((now,) if now is not None else ()) + (None,) * (far - 1)
                assert not rules.foresee(view, Later(rules.read(line.do), line.at, before, line.when)).never
                looked += 1
    assert looked > 150


def test_a_card_that_the_opponent_may_draw_is_answered_where_it_matters() -> None:
    rules, looked = rose_king(), 0
    for state, ask in playout("drawn", GREEDY):
        if not isinstance(ask, Ask) or state.to_move not in ask.seats:
            continue
        me = RED if state.to_move == WHITE else WHITE
        for line in rules.plan(rules.view(state, me), None, 1).lines:
            if wanted := line.when.get(f"{state.to_move}.hand"):
                assert isinstance(wanted, dict)
                card = str(wanted["has"])
                assert f" and draws {card}" in line.note
                assert not any(card in player.hand for player in state.players.values())
                looked += 1
    assert looked > 5


def test_when_the_last_token_is_placed_nothing_is_planned() -> None:
    state = position(red="E1 S1", white="N1 W1", supply=1)
    view = rose_king().view(state, RED)

    assert rose_king().plan(view, rose_king().read({"play": "E1"}), 2).lines == ()
    assert rose_king().plan(rose_king().view(deal("none"), None), None, 2).lines == ()
