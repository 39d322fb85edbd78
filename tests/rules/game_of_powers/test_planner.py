"""Lines that are ready for later turns: what the greedy bot would play, and fewer runs than steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.core.conditions import is_term_met
from pbem.core.dice import Dice
from pbem.core.foresight import Later, Planned
from pbem.core.interface import Ask, Json
from pbem.rules.game_of_powers.bots.greedy import Greed
from pbem.rules.game_of_powers.state import SEATS, State

from .table import BLACK, DICE, WHITE, asked, deal, do, game, hold, playout, position, schema, skills, view_of


def table() -> State:
    """Return a game of two, white on turn; each has a card to play two spaces ahead."""
    white = hold("15", at="aarhus clockwise", tokens_of="diplomatic military", asks=3)
    black = hold("10 16", at="aarhus clockwise", tokens_of="military commercial", asks=3)
    return position(white, black)


def planned(state: State, now: Json = None, asks: int = 1) -> tuple[Planned, ...]:
    """Return what is planned for white, which is asked if it is on turn."""
    move = game().read(now) if now is not None else None
    return game().plan(view_of(state, WHITE), move, asks).lines


def test_if_nothing_changes_the_first_line_that_fits_is_what_the_greedy_bot_would_play() -> None:
    state = replace(table(), to_move=BLACK)
    live = game().suggest(view_of(replace(state, to_move=WHITE)), Dice(b"x", 0), "greedy")

    first = next(line for line in planned(state) if is_term_met(line.when, view_of(state, WHITE)))

    assert first.at == "white-4"
    assert {**first.do, "trade": None} == {**live, "trade": None}  # type: ignore[dict-item]


def test_the_next_turn_begins_where_the_present_one_ends() -> None:
    lines = planned(table(), {"sail": "uppakra", "take_tokens": ["religious", "military"]}, 2)

    turns = [line for line in lines if line.at == "white-5"]
    after = [line for line in lines if line.at == "white-6"]
    assert {line.do["sail"] for line in turns if isinstance(line.do, dict)} <= {"sorte_muld", "palanga"}
    assert not any("players.white.city" in line.when for line in turns)
    assert after
    assert all(line.when["players.white.city"] in ("sorte_muld", "palanga") for line in after)


def test_cards_that_were_taken_are_planned_with_like_those_that_were_held_before() -> None:
    state = next(
        state for number, (state, _, _) in enumerate(playout("plan", skills(3, "greedy"))) if number == 10
    )
    view = view_of(state, asked(state))
    best = Greed(game().facts, view, DICE).ranked()[0]

    assert best.taken_cards
    assert game().plan(view, None, 3) == game().plan(view, best.course.turn(best.action), 3)


def test_for_one_turn_more_there_are_cards_to_play_that_nobody_can_take_away() -> None:
    turns = [line for line in planned(table()) if line.at == "white-6"]

    assert turns
    for line in turns:
        assert isinstance(line.do, dict)
        assert line.do["play_cards"]
        assert {*line.when} == {"players.white.city", "players.white.direction"}


def test_an_offer_that_helps_is_accepted_and_any_other_declined() -> None:
    lines = [line for line in planned(table()) if line.at is None]

    assert lines[-1].do == {"decline": True}
    assert all(line.keep and not line.when for line in lines)


def test_before_its_ship_is_placed_a_seat_plans_where_it_starts() -> None:
    state = deal("start")
    (last,) = [seat for seat in state.order if state.order.index(seat) == 2]

    plan = game().plan(view_of(state, last), None, 2)

    assert plan.lines[0].at == f"{last}-1"
    assert isinstance(plan.lines[0].do, dict)
    assert "place" in plan.lines[0].do
    assert {line.at for line in plan.lines[1:]} == {f"{last}-2", f"{last}-3", None}


@pytest.mark.parametrize("seats", [2, 5])
def test_planned_lines_fit_and_none_of_them_is_impossible(seats: int) -> None:
    judged = playable = 0
    for number, (state, ask, _) in enumerate(playout("plan", skills(seats, "greedy", "random"))):
        if number % 3 or not isinstance(ask, Ask):
            continue
        for seat in SEATS[:seats]:
            view = view_of(state, seat)
            plan = game().plan(view, None, 2)
            assert plan == game().plan(view, None, 2)
            assert len(plan.lines) <= 60
            for line in plan.lines:
                assert not schema().problems(line.do), line
                before = () if seat not in ask.seats else (None,)
                if line.at == f"{seat}-{view.own.asks + 1}" and not ask.kind.startswith(("trade", "counter")):
                    later = Later(game().read(line.do), line.at, before, line.when)
                    assert not game().foresee(view, later).never, line
                    judged += 1
                    playable += is_term_met(line.when, view)
    assert judged > 50
    assert playable > 50


def test_what_is_left_to_the_best_cards_takes_those_of_most_points_that_lie_there_then() -> None:
    facts, seen = game().facts, 0
    state = replace(table(), to_move=BLACK)
    for line in planned(state):
        if not isinstance(line.do, dict) or not line.note.startswith("Else the best cards"):
            continue
        section = facts.cities[line.do["sail"]].section  # type: ignore[index]
        fresh = [card for card in state.pile if facts.cards[card].score > 1]
        some = (fresh[0], fresh[1], *state.fields[section][:2], fresh[2])
        then = replace(state, to_move=WHITE, fields={**state.fields, section: some})
        after, _ = do(then, line.do)
        taken = {*after.players[WHITE].hand} - {*then.players[WHITE].hand}
        left = [card for card in some if card not in taken]
        assert min(facts.cards[one].score for one in taken) >= max(facts.cards[one].score for one in left)
        assert len(taken) == facts.taken_cards
        seen += 1
    assert seen
