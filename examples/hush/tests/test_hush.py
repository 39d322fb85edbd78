"""Hush keeps the contract, and sells the lots as it should."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from hush.rules import Hush, LotSold, PricePaid, PursesOpened, State
from pbem.contract import check
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Outcome
from pbem.play.config.templates import subject

RED, BLUE = Seat("red"), Seat("blue")
HUSH = Hush((5, 7))


def pay_more(state: State, moves: Mapping[Seat, int], reader: Seat | None, dice: Dice) -> Mapping[Seat, int]:
    """Let another seat that takes the lot pay more; prices are told to nobody but who pays them."""
    winner = max(moves, key=lambda seat: moves[seat])
    price, purse = moves[winner], state.purses[winner]
    if winner == reader or not 0 < price < purse or list(moves.values()).count(price) > 1:
        return moves
    return {**moves, winner: dice.pick(range(price, purse + 1), "more")}


@pytest.mark.parametrize(("seats", "purse"), [(2, 20), (3, 5), (4, 50), (5, 20)])
def test_the_rules_keep_the_contract(seats: int, purse: int) -> None:
    result = check(replace(subject("hush", seats, purse=purse), other_moves=pay_more))

    assert not result.breaches, result
    assert result.planted_found == 2
    assert {kind.__name__ for kind in Hush.event_kinds} == set(result.events)
    assert result.orders_told == {"LotSold.seat", "PursesOpened.purses"}


@pytest.mark.parametrize(
    ("bids", "told"),
    [
        ((3, 2), (LotSold(RED, 5, to=ALL), PricePaid(3, to=only(RED)))),
        ((2, 3), (LotSold(BLUE, 5, to=ALL), PricePaid(3, to=only(BLUE)))),
        ((3, 3), (LotSold(RED, 5, to=ALL), PricePaid(3, to=only(RED)))),
        ((0, 0), (LotSold(None, 5, to=ALL),)),
    ],
    ids=["first", "second", "equal bids", "no bids"],
)
def test_the_highest_bid_wins_and_its_price_is_told_to_its_owner(
    bids: tuple[int, int], told: tuple[Event, ...]
) -> None:
    state = State(1, (RED, BLUE), 10, (5, 7), {RED: 0, BLUE: 0}, {RED: 10, BLUE: 10})

    assert HUSH.resolve(state, dict(zip((RED, BLUE), bids, strict=True)), Dice(b"", 1)).events == told


def test_the_second_seat_wins_ties_of_the_second_round_and_then_the_purses_are_opened_to_all() -> None:
    state = State(2, (RED, BLUE), 10, (7,), {RED: 5, BLUE: 0}, {RED: 7, BLUE: 10})

    step = HUSH.resolve(state, {RED: 4, BLUE: 4}, Dice(b"", 1))

    assert step.events[0] == LotSold(BLUE, 7, to=ALL)
    assert step.events[-1] == PursesOpened({RED: 7, BLUE: 6}, to=ALL)


def test_coins_left_break_ties_of_points() -> None:
    ended = HUSH.ask(State(3, (RED, BLUE), 10, (), {RED: 5, BLUE: 5}, {RED: 7, BLUE: 6}))

    assert isinstance(ended, Outcome)
    assert (ended.winners, ended.decided_by) == ((RED,), "coins left")
