"""Standing orders and conditions play a game on: far fewer runs than turns."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

import pytest

from pbem.core.book import Line, OrderFired, OrderLapsed, Orders, OrderWaited
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.core.opening import Begun, Opened, Opening
from pbem.core.turn import Policy, Position, Run, advance
from pbem.rules.web_of_power import SYSTEM
from pbem.rules.web_of_power.state import Move, State
from pbem.rules.web_of_power.view import View

from .table import YELLOW, position, web_of_power

STANDING: Json = {
    "place": [
        {"country": "any", "pieces": ["cloister", ["advisor", "cloister"]]},
        {"country": "any", "pieces": ["advisor", ["advisor", "cloister"]]},
        {"country": "any", "pieces": [["cloister", "advisor"]]},
    ],
    "discard": "any",
    "draw": ["match", "pile"],
}
STOPS: list[tuple[str, Mapping[str, Json], float]] = [
    ("who trusts its orders looks again when the last turns come", {"closing": True}, 0.15),
    ("who is careful looks again whenever a lead is lost", {"lost_lead": True}, 0.5),
]
"""What makes a player look again, and the most runs for each step."""


class Season:
    """A game whose players write one turn by hand and a standing order, whenever they are waited for."""

    def __init__(self, seed: str, seats: int, stop_if: Mapping[str, Json]) -> None:
        self.seats = SYSTEM.seat_names(seats)
        self.opening = Opening(web_of_power(), self.seats, SYSTEM.options)
        self.stop_if = stop_if
        self.seed = seed.encode()
        self.runs = 0
        self.steps = 0
        self.ended: Outcome | None = None

    def play(self) -> None:
        """Play the game to its end."""
        start: Position[Begun[State]] = Position(None)
        begun = Policy(bots=dict.fromkeys(self.seats, "greedy"), most_steps=1)
        position = advance(self.opening, self.seats, start, {}, self.seed, begun).position
        orders: dict[Seat, Orders] = {}
        while self.ended is None:
            ran = self._run(position, orders)
            self.runs += 1
            self.steps += len(ran.steps)
            position, orders = ran.position, dict(ran.orders)

    def _run(self, position: Position[Begun[State]], orders: dict[Seat, Orders]) -> Run[Begun[State]]:
        ask = self.opening.ask(position.game)
        assert isinstance(ask, Ask)
        for seat in self.seats:
            if seat in ask.seats or not orders.get(seat, Orders()).lines:
                orders[seat] = self._orders(position, seat, ask)
        ran = advance(self.opening, self.seats, position, orders, self.seed, Policy())
        assert not [one for one in ran.events if isinstance(one.event, OrderLapsed | OrderWaited)]
        assert len([one for one in ran.events if isinstance(one.event, OrderFired)]) == len(ran.steps)
        if isinstance(ran.ask, Outcome):
            self.ended = ran.ask
        return ran

    def _orders(self, position: Position[Begun[State]], seat: Seat, ask: Ask) -> Orders:
        lines = [Line(2, None, {}, True, STANDING)]
        if seat in ask.seats:
            do = self.opening.bot_order(position.game, seat, Dice(self.seed, position.steps), "greedy")
            lines.insert(0, Line(1, ask.label, {}, False, do))
        return Orders(tuple(lines), self.stop_if, fresh=True)


@pytest.mark.parametrize(("stop_if", "most"), [row[1:] for row in STOPS], ids=[row[0] for row in STOPS])
def test_a_season_of_four_needs_less_than_half_as_many_runs_as_turns(
    stop_if: Mapping[str, Json], most: float, capsys: pytest.CaptureFixture[str]
) -> None:
    seasons = [Season(f"season {number}", 4, stop_if) for number in range(6)]
    for season in seasons:
        season.play()

    runs, steps = fmean(one.runs for one in seasons), fmean(one.steps for one in seasons)
    with capsys.disabled():
        print(f"\nweb-of-power, 4 seats, stop_if {dict(stop_if)}: {runs:.1f} runs for {steps:.1f} steps")
    assert all(one.runs < one.steps / 2 for one in seasons)
    assert runs <= most * steps


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_standing_order_fits_whatever_comes(seats: int) -> None:
    rules, lots = web_of_power(), 0
    for number in range(8):
        state = rules.setup(SYSTEM.seat_names(seats), SYSTEM.options, {}, Dice(f"any {number}".encode(), 0))
        move = rules.read(STANDING)
        while isinstance(rules.ask(state), Ask):
            view: View = rules.view(state, state.to_move)
            assert rules.check(view, move) == ()
            lots += 1
            moves: Mapping[Seat, Move] = {state.to_move: move}
            state = rules.resolve(state, moves, Dice(f"any {number}".encode(), lots)).state
    assert lots > 8 * 30


def test_a_line_for_a_country_waits_for_its_cards_by_a_condition() -> None:
    rules = web_of_power()
    opening = Opening(rules, ("yellow", "red", "green"), SYSTEM.options)  # type: ignore[arg-type]
    state = position(hands={YELLOW: "fa bb li"}, taken="red: mainz")
    here = Line(
        1,
        None,
        {"held.frankreich": {"at_least": 1}},
        True,
        {"place": {"country": "frankreich", "pieces": ["reims"]}},
    )
    other = Line(
        2, None, {"room.franken": 1}, False, {"place": {"country": "franken", "pieces": ["advisor"]}}
    )
    game: Position[Begun[State]] = Position(Opened({}, state), 1)
    ran = advance(opening, state.seats, game, {YELLOW: Orders((here, other))}, b"x", Policy())
    assert [step.sources for step in ran.steps] == [{YELLOW: "order 2"}]
    assert ran.orders[YELLOW].lines == (here,)
