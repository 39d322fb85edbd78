"""The end: the last round, the points, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.interface import Json, Outcome
from pbem.rules.game_of_powers import events
from pbem.rules.game_of_powers.state import State

from .table import BLACK, ORANGE, WHITE, after, asked, cards, do, game, hold, kinds, position, tokens, view_of

CARDS: dict[str, Json] = {"sail": 1, "take_cards": ["any", "any"]}
FAR: dict[str, Json] = {**CARDS, "sail": 3, "extra": 1}
TOKENS: Json = {"sail": 1, "take_tokens": ["any", "any"]}


def table(pile: str, *, to_move: str = "white", **more: Any) -> State:
    return position(*[hold("", at="haithabu clockwise")] * 3, pile=pile, to_move=to_move, **more)


@pytest.mark.paragraph("end-round", "ruling-end")
@pytest.mark.parametrize(("to_move", "rest"), [(WHITE, [BLACK, ORANGE]), (BLACK, [ORANGE]), (ORANGE, [])])
def test_the_round_is_finished_when_a_field_cannot_be_filled(to_move: str, rest: list[str]) -> None:
    state, told = do(table("10", to_move=to_move), CARDS)

    assert [kind for kind in kinds(told) if kind in ("CardsLaidOut", "LastRoundBegun")] == [
        "CardsLaidOut",
        "LastRoundBegun",
    ]
    assert view_of(state, WHITE).last_round
    for seat in rest:
        assert asked(state) == seat
        state, told = do(state, TOKENS)
    assert isinstance(game().ask(state), Outcome)
    assert kinds(told)[-1] == "PointsCounted"


@pytest.mark.paragraph("end-round")
def test_taking_the_last_cards_of_the_pile_does_not_end_the_game() -> None:
    state, told = do(table("10 11"), CARDS)

    assert "LastRoundBegun" not in kinds(told)
    assert view_of(state, WHITE).pile == 0
    assert not state.is_last


@pytest.mark.paragraph("end-round")
def test_a_trade_of_the_last_turn_is_settled_before_the_game_ends() -> None:
    here = hold("", at="owidz clockwise", tokens_of="military")
    there = hold("", at="wisloujscie clockwise", tokens_of="religious")
    trade: Json = {"with": "white", "give": ["military"], "want": ["religious"]}
    state = position(there, here, to_move=BLACK, pile="10")

    state = after(state, {"sail": 1, "take_cards": ["any", "any"], "trade": trade})
    assert asked(state) == WHITE

    assert isinstance(game().ask(after(state, {"accept": True})), Outcome)


@pytest.mark.paragraph("end-cards", "end-tasks", "end-bonus", "end-total")
def test_cards_tasks_and_bonus_add_up() -> None:
    white = hold("1 2", played=cards("17 18"), tasks={"four_sites": 6}, tokens_of="military")
    black = hold("3", played=cards("30"), tokens_of="religious")
    state = position(white, black, hold(""), is_last=True, to_move=ORANGE)

    state, told = do(state, TOKENS)

    outcome = game().ask(state)
    assert isinstance(outcome, Outcome)
    assert outcome.scores == {WHITE: 11 + 6 + 4, BLACK: 6, ORANGE: 0}
    assert (outcome.winners, outcome.decided_by) == ((WHITE,), "points")
    counted = told[-1]
    assert isinstance(counted, events.PointsCounted)
    assert counted.points[WHITE] == {"cards": 11, "tasks": 6, "bonus": 4, "start": 0, "unplayed": 3}


@pytest.mark.paragraph("end-total", "ruling-tie")
def test_equal_points_share_the_victory() -> None:
    state = position(hold("1"), hold("2"), hold("", tokens_of="military"), is_over=True, is_last=True)

    outcome = game().ask(state)

    assert isinstance(outcome, Outcome)
    assert outcome.winners == (WHITE, BLACK, ORANGE)
    assert outcome.decided_by == "a shared victory"
    assert outcome.scores == dict.fromkeys(state.order, 0)


def test_when_it_is_over_nothing_more_can_be_ordered() -> None:
    state = position(hold("1"), hold("2"), is_over=True, is_last=True)
    rules = game()
    view = rules.view(state, WHITE)

    assert (view.kind, view.asked) == ("over", None)
    assert [one.text for one in rules.check(view, rules.read(TOKENS))] == ["the game is over"]
    assert rules.hold(view) is None
    assert rules.choices(view).menus == ()
    assert tokens("") == view.tokens


@pytest.mark.paragraph("end-round", "ruling-end")
@pytest.mark.parametrize(
    ("pile", "is_last", "seats", "order", "said"),
    [
        ("10", False, 3, CARDS, "The pile holds 1 card: this begins the last round."),
        ("10 11", False, 3, CARDS, ""),
        ("", True, 3, CARDS, "The pile holds 0 cards: the field stays as you leave it."),
        ("10", False, 4, FAR, ""),
        (
            "10",
            False,
            3,
            FAR,
            "The pile holds 1 card: this begins the last round.",
        ),
    ],
    ids=["last cards", "enough", "last round", "the returned card goes under the pile", "out of the game"],
)
def test_a_forecast_tells_what_becomes_of_the_field(
    pile: str, is_last: bool, seats: int, order: dict[str, Json], said: str
) -> None:
    state = position(*[hold("1", at="haithabu clockwise")] * seats, pile=pile, is_last=is_last)
    move = game().read(order)

    lines = game().forecast(view_of(state, WHITE), move).lines

    assert [line for line in lines if line.startswith("The pile")] == ([said] if said else [])
