"""Orders with alternatives let a game run on: far fewer runs than turns."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.core.book import Line, Orders
from pbem.core.events import Seat
from pbem.core.interface import Json, Label, Outcome
from pbem.core.turn import Policy, Position, Run, advance
from pbem.rules.web_of_power_cards.scoring import Standing
from pbem.rules.web_of_power_cards.state import SEATS, State
from pbem.rules.web_of_power_cards.view import View

from .table import deal, rules

SEED = b"conditional"
AHEAD = 2
"""So many turns each player writes orders for at a time."""


def _wishes(view: View, seat: Seat, count: int) -> Iterator[Line]:
    """Yield two lines for each of a seat's next turns: a card that it would like, or else what there is."""
    standing = Standing(rules().facts, {one: side.cards for one, side in view.players.items()})
    near = [card for card, place in view.cards.items() if place.depth is not None and place.depth < 4]
    near.sort(key=lambda card: -standing.change(seat, [card])[seat])
    for number in range(AHEAD):
        label = Label(f"{seat}-{count + number}")
        best, others = near[number % len(near)], near[number + 1 : number + 6]
        country = view.cards[best].country
        liked: Json = {"take": [best], "also": [country], "claim": [*others, "any"]}
        rest: Json = {"take": [[*others, country, "any"]], "pay": ["any"]}
        yield Line(2 * number + 1, label, {"can_take": {"has": best}, "lost_claim": False}, False, liked)
        yield Line(2 * number + 2, label, {}, False, rest)


def _play(players: int) -> tuple[int, int]:
    """Play a game in which everybody sends orders when the game waits for it; return runs and steps."""
    seats = SEATS[:players]
    position: Position[State] = Position(deal(f"conditional {players}", players))
    orders: dict[Seat, Orders] = {}
    runs = 0
    while True:
        for seat in seats:
            if not orders.get(seat, Orders()).lines:
                view = rules().view(position.game, seat)
                count = position.game.players[seat].asks + 1
                orders[seat] = (
                    Orders(tuple(_wishes(view, seat, count)), fresh=True) if view.left else Orders()
                )
        ran: Run[State] = advance(rules(), seats, position, orders, SEED, Policy())
        position, orders = ran.position, dict(ran.orders)
        runs += bool(ran.steps)
        if isinstance(ran.ask, Outcome):
            return runs, position.steps
        assert all(seat in ran.waiting for seat in ran.ask.seats)
        for seat in ran.waiting:
            orders[seat] = Orders()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_game_needs_less_than_half_as_many_runs_as_turns(
    players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, steps = _play(players)

    with capsys.disabled():
        print(f"\nweb-of-power-cards, {players} seats, orders for {AHEAD} turns: {runs} runs, {steps} steps")
    assert 2 * runs < steps


def test_a_standing_order_for_anything_plays_a_whole_game_in_one_run() -> None:
    order: Json = {"take": ["any"], "also": ["any"], "claim": ["any"], "pay": ["any"], "from": ["any"]}
    seats = SEATS[:4]
    orders = {seat: Orders((Line(1, None, {}, True, order),), fresh=True) for seat in seats}
    ran = advance(rules(), seats, Position(deal("standing", 4)), orders, SEED, Policy())

    assert isinstance(ran.ask, Outcome) or ran.ask.seats <= ran.waiting
    assert len(ran.steps) > 25
