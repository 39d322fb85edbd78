"""Tic-tac-toe keeps the contract, and ends as it should."""

import pytest

from pbem.contract import check
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.foresight import Later, outlook_of, plan_of
from pbem.core.interface import Label, Outcome
from pbem.play.config.templates import subject


def test_the_rules_keep_the_contract() -> None:
    result = check(subject("tic-tac-toe"))

    assert not result.breaches, result


@pytest.mark.parametrize(
    ("squares", "winners"),
    [
        ("A1 A2 B1 B2 C1", ("x",)),
        ("A1 A2 B1 B2 C3 C2", ("o",)),
        ("A1 B2 C3 A3 C1 B1 B3 C2 A2", ()),
    ],
    ids=["a row of x", "a row of o", "a draw"],
)
def test_three_in_a_line_win_and_a_full_board_is_a_draw(squares: str, winners: tuple[Seat, ...]) -> None:
    rules = subject("tic-tac-toe").rules
    state = rules.setup((Seat("x"), Seat("o")), {}, {}, Dice(b"", 0))
    for square in squares.split():
        ask = rules.ask(state)
        assert not isinstance(ask, Outcome), "it ended too early"
        (seat,) = ask.seats
        state = rules.resolve(state, {seat: rules.read({"mark": square})}, Dice(b"", 1)).state

    ended = rules.ask(state)

    assert isinstance(ended, Outcome)
    assert ended.winners == winners


def test_a_square_is_marked_once_and_each_reply_that_threatens_is_answered() -> None:
    rules = subject("tic-tac-toe").rules
    state = rules.setup((Seat("x"), Seat("o")), {}, {}, Dice(b"", 0))
    for seat, square in ((Seat("x"), "B2"), (Seat("o"), "A1")):
        state = rules.resolve(state, {seat: rules.read({"mark": square})}, Dice(b"", 1)).state
    c3, a1 = (rules.read({"mark": square}) for square in ("C3", "A1"))
    view = rules.view(state, Seat("x"))

    assert outlook_of(rules, view, Later(a1, Label("x-3"), (c3,))).never
    assert outlook_of(rules, view, Later(c3, Label("x-3"), (c3,))).never
    assert outlook_of(rules, view, Later(c3, Label("x-3"), (None,))).provided == ("C3 is still empty",)
    plan = plan_of(rules, rules.view(state, Seat("o")), None, 1)
    assert [line.do for line in plan.lines if line.when == {"board.B1": "x"}] == [{"mark": "B3"}]
