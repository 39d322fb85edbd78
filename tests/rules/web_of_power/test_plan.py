"""Ready lines: they fit the next turns, none is impossible, and they answer what another seat does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.core.book import parts
from pbem.core.conditions import is_term_met
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.foresight import Later, Plan
from pbem.core.interface import Ask
from pbem.rules.web_of_power import SYSTEM
from pbem.rules.web_of_power.bots import Thought
from pbem.rules.web_of_power.orders import choose_act, move_of
from pbem.rules.web_of_power.state import Discarded, Move, Placed, State
from pbem.rules.web_of_power.view import seated
from pbem.rules.web_of_power.worth import Gains, possible_acts

from .table import GREEN, RED, YELLOW, position, web_of_power

LINES = 11
"""So many lines a plan for one turn has at most, and 1 more for each further turn."""


def positions(seed: str, every: int = 7) -> Iterator[State]:
    """Yield some positions of a game of greedy bots."""
    rules = web_of_power()
    state = rules.setup(SYSTEM.seat_names(3), SYSTEM.options, {}, Dice(seed.encode(), 0))
    number = 0
    while isinstance(rules.ask(state), Ask):
        if number % every == 0:
            yield state
        number += 1
        dice = Dice(seed.encode(), number)
        order = rules.suggest(rules.view(state, state.to_move), dice.apart("bot", "x"), "greedy")
        state = rules.resolve(state, {state.to_move: rules.read(order)}, dice).state


def planned(state: State, seat: Seat, asks: int) -> tuple[Plan, Move | None]:
    """Return the plan of a seat that plays what the greedy bot would, and what it plays now."""
    rules = web_of_power()
    view = rules.view(state, seat)
    now = None
    if state.to_move == seat:
        now = rules.read(rules.suggest(view, Dice(b"now", 0), "greedy"))
    return rules.plan(view, now, asks), now


@pytest.mark.parametrize("seed", ["plan 2"])
def test_no_ready_line_is_impossible_and_the_last_of_a_later_turn_is_sure(seed: str) -> None:
    rules, looked = web_of_power(), 0
    for state in positions(seed, every=4):
        for seat in (YELLOW, RED, GREEN):
            view = rules.view(state, seat)
            plan, now = planned(state, seat, 2)
            first = view.players[seat].asks + 1
            assert len(plan.lines) <= LINES + 1
            last: dict[str, bool] = {}
            for line in plan.lines:
                label = parts(line.at or "")
                assert label is not None
                assert label.owner == seat
                before = tuple([now] * (now is not None) + [None] * (label.count - first))
                found = rules.foresee(view, Later(rules.read(line.do), line.at, before, line.when))
                assert not found.never, (line, found)
                last[str(line.at)] = found.is_sure
                looked += 1
            assert set(last) == {f"{seat}-{first}", f"{seat}-{first + 1}"} or view.closing
            assert last.get(f"{seat}-{first + 1}", True)
    assert looked > 70


@pytest.mark.parametrize("seed", ["plan 1"])
def test_whatever_the_seat_before_places_a_line_answers_about_as_well_as_the_bot(seed: str) -> None:
    rules, asked, lost = web_of_power(), 0, list[float]()
    for number, state in enumerate(positions(seed, every=3)):
        mover = state.to_move
        seat = {YELLOW: RED, RED: GREEN, GREEN: YELLOW}[mover]
        if state.closing:
            continue
        plan, _ = planned(state, seat, 1)
        acts = [*possible_acts(seated(rules.facts, rules.view(state, mover), mover))]
        for act in acts[number % 4 :: 4]:
            after = rules.resolve(state, {mover: move_of(act)}, Dice(seed.encode(), number)).state
            if after.to_move != seat or after.half != state.half:
                continue
            view = rules.view(after, seat)
            me = seated(rules.facts, view, seat)
            fitting = (rules.read(line.do) for line in plan.lines if is_term_met(line.when, view))
            found = next((one for move in fitting if (one := choose_act(me, move)) is not None), None)
            asked += found is None
            if found is not None:
                worth = Thought(Gains(me), view).worth
                every: list[Placed | Discarded] = [*possible_acts(me), *map(Discarded, me.hand)]
                lost.append(max(map(worth, every)) - worth(found))
    assert len(lost) > 40
    assert asked < 0.03 * len(lost)
    assert sum(lost) / len(lost) < 0.1


def test_two_pieces_go_where_another_seat_has_begun_by_then() -> None:
    rules = web_of_power()
    state = position(hands={YELLOW: "fa fa bb", RED: "fa es es"}, taken="red: koeln", to_move=RED)
    lines = [line for line in planned(state, YELLOW, 1)[0].lines if "begins in" in line.note]
    begun = position(hands={YELLOW: "fa fa bb"}, taken="red: koeln mainz", to_move=YELLOW)

    assert len(lines) == 1
    assert not lines[0].when
    assert choose_act(seated(rules.facts, rules.view(begun, YELLOW), YELLOW), rules.read(lines[0].do))
    nowhere = position(hands={YELLOW: "fa fa bb"}, taken="red: koeln", to_move=YELLOW)
    assert not choose_act(seated(rules.facts, rules.view(nowhere, YELLOW), YELLOW), rules.read(lines[0].do))


def test_a_site_that_another_seat_takes_is_answered_by_a_line_of_its_own() -> None:
    rules = web_of_power()
    state = position(
        hands={YELLOW: "fa fa bb", RED: "fa es es"},
        taken="yellow: mainz; red: hersfeld",
        to_move=RED,
    )
    plan, _ = planned(state, YELLOW, 1)

    after = position(
        hands={YELLOW: "fa fa bb", RED: "fa es es"},
        taken="yellow: mainz; red: hersfeld bremen",
        to_move=YELLOW,
    )
    fitting = [line for line in plan.lines if is_term_met(line.when, rules.view(after, YELLOW))]
    assert any("somebody places 1 cloister in Franken" in line.note for line in fitting)
    assert all("nobody places in Franken" not in line.note for line in fitting)


def test_lines_for_the_turn_after_the_present_one_do_not_place_on_a_site_just_taken() -> None:
    rules = web_of_power()
    state = position(hands={YELLOW: "fa fa bb"}, taken="red: mainz")
    now = rules.read({"place": {"pieces": ["bremen"]}})
    plan = rules.plan(rules.view(state, YELLOW), now, 1)

    assert plan.lines
    assert all("bremen" not in str(line.do) for line in plan.lines)


def test_the_last_line_names_further_sites_of_a_country_and_then_throws_a_card_away() -> None:
    state = position(hands={YELLOW: "fa bb es"}, taken="red: mainz", to_move=RED)
    last = web_of_power().read(planned(state, YELLOW, 2)[0].lines[-1].do)

    assert last.discard == ("any",)
    franken = [plan.pieces for plan in last.plans if plan.countries == ("franken",)]
    assert any(len(words) > 1 for pieces in franken for words in pieces)
