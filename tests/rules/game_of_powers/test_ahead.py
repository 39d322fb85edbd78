"""Playing ahead: with lines for later turns, preferences and standing answers a game needs few runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import pytest

from pbem.core.book import Line, OrderLapsed, Orders, OrderWaited
from pbem.core.dice import Dice
from pbem.core.events import Recorded, Seat
from pbem.core.interface import Ask, Json, Label, Outcome
from pbem.core.opening import Begun, Opening
from pbem.core.turn import Policy, Position, Run, advance
from pbem.rules.game_of_powers.state import SEATS, State
from tests.subjects import subject

from .table import schema

SEED = b"ahead"
AHEAD = 3
WISHES: Json = ["any", "any"]


Rules: TypeAlias = Opening[State, object, object]
Place: TypeAlias = Position[Begun[State]]


def opening(seats: int) -> Rules:
    found = subject("game-of-powers", seats)
    return Opening(found.rules, found.seats, found.options)


def lines(rules: Rules, position: Place, seat: Seat) -> Iterator[Line]:
    """Yield what a player writes: a good turn if asked now, plain turns for later, and answers to offers."""
    ask, count = rules.ask(position.game), position.asked.get(seat, 0) + 1
    number = 1
    assert isinstance(ask, Ask)
    if seat in ask.seats:
        best = rules.bot_order(position.game, seat, Dice(SEED, position.steps).apart("bot", seat), "greedy")
        yield Line(1, ask.label, {}, keep=False, do=best)
        number, count = 2, count + (ask.kind != "trade")
    for later in range(count, count + AHEAD):
        plain: list[Json] = [
            {"sail": 2, "take_cards": WISHES},
            {"sail": 1, "take_tokens": WISHES},
            {"sail": 2},
        ]
        for do in plain:
            label = Label(f"{seat}-{later}")
            when: dict[str, Json] = {"pile": {"at_least": 3}} if do is plain[0] else {}
            assert not schema().problems(do)
            yield Line(number, label, when, keep=False, do=do)
            number += 1
    swap: Json = {"accept": {"give": ["military", "religious"], "want": ["commercial"]}}
    yield Line(number, None, {}, keep=True, do=swap)
    yield Line(number + 1, None, {}, keep=True, do={"decline": True})


def dealt(seats: int) -> tuple[Rules, Run[Begun[State]]]:
    rules = opening(seats)
    luck = {seat: lodged({"luck": seat}, at=Label("start")) for seat in SEATS[:seats]}
    start: Place = Position(None)
    return rules, advance(rules, SEATS[:seats], start, luck, SEED, Policy())


def lodged(*orders: Json, at: Label | None = None) -> Orders:
    """Return orders of lines that are used once."""
    return Orders(tuple(Line(n, at, {}, keep=False, do=do) for n, do in enumerate(orders, 1)), fresh=True)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_game_needs_less_than_half_as_many_runs_as_steps(seats: int) -> None:
    rules, run = dealt(seats)
    runs, steps, told = 0, 0, list[Recorded]()
    while isinstance(run.ask, Ask):
        orders = {}
        for seat in SEATS[:seats]:
            orders[seat] = Orders(tuple(lines(rules, run.position, seat)), fresh=True)
        run = advance(rules, SEATS[:seats], run.position, orders, SEED, Policy())
        runs, steps = runs + 1, steps + len(run.steps)
        told += run.events
        assert runs < 200, "somebody does not go on"

    assert isinstance(run.ask, Outcome)
    assert runs * 2 < steps, (runs, steps)
    answers = [one.event for one in told if isinstance(one.event, OrderWaited)]
    assert not any("this order is a turn" in event.why for event in answers)


def test_a_standing_answer_is_no_turn_and_a_turn_is_no_answer() -> None:
    rules, run = dealt(2)
    orders = {seat: lodged({"decline": True}) for seat in SEATS[:2]}

    after = advance(rules, SEATS[:2], run.position, orders, SEED, Policy())

    assert after.steps == ()
    (seat,) = after.waiting
    orders[seat] = lodged({"decline": True}, {"place": "wolin", "facing": "clockwise"})
    after = advance(rules, SEATS[:2], run.position, orders, SEED, Policy())
    assert len(after.steps) == 1
    assert [line.do for line in after.orders[seat].lines] == [{"decline": True}]
    assert not [one for one in after.events if isinstance(one.event, OrderLapsed | OrderWaited)]


def test_silence_declines_whatever_the_policy_is() -> None:
    rules, run = dealt(2)
    position, ask = run.position, run.ask
    for number in range(200):
        ask = rules.ask(position.game)
        if not isinstance(ask, Ask) or ask.kind == "trade":
            break
        policy = Policy(bots=dict.fromkeys(SEATS[:2], "random"), most_steps=1)
        position = advance(rules, SEATS[:2], position, {}, b"silence%d" % (number % 3), policy).position
    assert isinstance(ask, Ask)
    assert ask.kind == "trade"

    due = Policy(due=True, silent=dict.fromkeys(SEATS[:2], "wait"))
    silent = advance(rules, SEATS[:2], position, {}, SEED, due)

    assert [step.sources for step in silent.steps] == [{next(iter(ask.seats)): "silence"}]
    assert type(silent.events[-1].event).__name__ == "TradeDeclined"
