"""Lines that are ready for later turns: they fit what may be there, and a game runs on with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.core.conditions import is_term_met
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.foresight import Later, Plan, Planned
from pbem.core.interface import Ask, Json
from pbem.rules.web_of_power_cards.state import SEATS, State
from pbem.rules.web_of_power_cards.view import View

from .table import GREEN, RED, YELLOW, deal, position, rules


def played(seed: str, steps: int) -> State:
    """Return a game in which greedy bots have played some turns."""
    state = deal(seed)
    for number in range(steps):
        state = after(state, seed, number)
    return state


def after(state: State, seed: str, number: int) -> State:
    """Return the game after a turn of a greedy bot."""
    ask, dice = rules().ask(state), Dice(seed.encode(), number)
    assert isinstance(ask, Ask)
    orders = {seat: rules().suggest(rules().view(state, seat), dice, "greedy") for seat in ask.seats}
    return rules().resolve(state, {seat: rules().read(one) for seat, one in orders.items()}, dice).state


def plan(state: State, seat: Seat, asks: int) -> Plan:
    """Return a seat's plan; what it does now is open."""
    return rules().plan(rules().view(state, seat), None, asks)


def cards_of(line: Planned) -> list[str]:
    """Return what a line takes."""
    assert isinstance(line.do, dict)
    assert isinstance(line.do["take"], list)
    return list(map(str, line.do["take"]))


def is_legal(view: View, do: Json) -> bool:
    """Tell whether an order would be carried out."""
    return all(problem.bearable for problem in rules().check(view, rules().read(do)))


@pytest.mark.parametrize("steps", [0, 7, 20])
@pytest.mark.parametrize("seat", SEATS[:3])
def test_a_plan_is_for_the_next_turns_and_none_of_its_lines_is_impossible(steps: int, seat: Seat) -> None:
    state = played("plan", steps)
    view, count = rules().view(state, seat), state.players[seat].asks + 1
    first = count + (seat == state.to_move)

    lines = plan(state, seat, 2).lines

    assert {line.at for line in lines} == {f"{seat}-{first}", f"{seat}-{first + 1}"}
    assert len(lines) <= 2 * 13
    assert len({(line.at, *sorted(cards_of(line))) for line in lines}) == len(lines)
    for line in lines:
        assert line.at is not None
        before = [None] * (int(line.at.split("-")[1]) - count)
        later = Later(rules().read(line.do), line.at, tuple(before), line.when)
        assert not rules().foresee(view, later).never, line


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_one_line_of_a_plan_can_be_played_whatever_the_others_do(seed: str) -> None:
    state = played(seed, 11)
    seat = SEATS[(SEATS.index(state.to_move) + 2) % 3]
    lines = plan(state, seat, 1).lines
    for number in range(2):
        state = after(state, seed, number)
    view = rules().view(state, seat)

    last = lines[-1]
    problems = rules().check(view, rules().read(last.do))

    assert state.to_move == seat
    assert is_term_met(last.when, view)
    assert all(problem.bearable for problem in problems)


def test_the_best_cards_come_first_and_cards_behind_others_wait_for_them() -> None:
    state = position(
        "Fr2 Fr3 Sa1 Ba4 Ka1", held={YELLOW: "Fr1 Fr4", RED: "Fr5"}, to_move=RED, stones={"Ka1": GREEN}
    )

    lines = plan(state, YELLOW, 1).lines

    both = next(line for line in lines if isinstance(line.do, dict) and line.do["take"] == ["Fr2", "Fr3"])
    assert both.when == {
        "can_take": {"has": "Fr2"},
        "cards.Fr2.stone": ["yellow", None],
        "cards.Fr3.holder": "table",
        "cards.Fr3.stone": ["yellow", None],
    }
    assert both.note.startswith("If Fr2 and Fr3 can be taken: ")


def test_a_card_under_an_own_stone_is_taken_last_and_no_line_wants_it_first() -> None:
    state = position("Fr2 Sa1 Ba4", "Fr5 Ka1 Un2", held={YELLOW: "Fr1"}, to_move=RED, stones={"Fr2": YELLOW})

    lines = plan(state, YELLOW, 1).lines

    assert not [line for line in lines if cards_of(line) == ["Fr2"]]
    both = next(line for line in lines if {*cards_of(line)} == {"Fr2", "Fr5"})
    assert cards_of(both) == ["Fr5", "Fr2"]
    assert both.when["can_take"] == {"has": "Fr5"}
    assert both.when["ends"] == {"has": "Fr2"}
    view = rules().view(replace(state, to_move=YELLOW), YELLOW)
    assert is_term_met(both.when, view)
    assert not rules().check(view, rules().read({"take": list[Json](cards_of(both))}))


def test_what_is_done_now_is_not_planned_again() -> None:
    state = position("Fr2 Fr3 Sa1 Ba4 Ka1 Un1", "It1 It2 It3")
    view = rules().view(state, YELLOW)

    found = rules().plan(view, rules().read({"take": ["Fr2"]}), 1)

    assert found.lines
    assert all("Fr2" not in str(line.do) for line in found.lines)
