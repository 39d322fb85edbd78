"""What a player is told about an order: problems, choices and the forecast."""

from __future__ import annotations

import pytest

from pbem.core.interface import Ask, Json
from pbem.core.wording import order_as_yaml
from pbem.rules.web_of_power_cards.state import (
    SEATS,
    THREE,
    Card,
    Take,
    write_take,
)
from tests.behaviour import judged

from .table import YELLOW, is_legal, playout, position, rules

LINES = ("Fr1 Ba1 Sa1", "It1 Fr2", "Fr8")


@pytest.mark.parametrize("row", judged.named("web-of-power-cards"))
def test_an_order_is_wrong_where_its_row_says_or_has_a_forecast(row: judged.Row) -> None:
    assert judged.is_as_written(row)


@pytest.mark.parametrize(("seed", "players"), [("one", 3), ("two", 5)])
def test_choices_are_legal_and_hold_everything_that_can_be_taken(seed: str, players: int) -> None:
    for state, ask, _ in playout(seed, players, ("random", "greedy")):
        for seat in (*SEATS[:players], None):
            view = rules().view(state, seat)
            choices = rules().choices(view)
            if not (isinstance(ask, Ask) and seat in ask.seats):
                assert choices.menus == ()
                continue
            menus = {menu.paths[0]: [item.order for item in menu.items] for menu in choices.menus}
            assert all(rules().check(view, rules().read(order)) == () for order in menus[""])
            assert len({order_as_yaml(order) for order in menus[""]}) == len(menus[""])
            assert choices.only is None or menus[""] == [choices.only]
            assert menus["take"] == list(view.ends) or not view.ends
            pay = view.players[state.to_move].stones
            ways = {card: (write_take([card]), write_take([card], pay=pay)) for card in view.ends}
            can = [card for card, orders in ways.items() if any(is_legal(state, one) for one in orders)]
            assert view.can_take == tuple(can)
            for card in menus.get("claim", []):
                assert view.cards[Card(str(card))].stone is None
            assert all(item.note for menu in choices.menus for item in menu.items)
            assert rules().check(view, rules().read(rules().hold(view))) == (), "a silent seat"


@pytest.mark.parametrize(
    "order",
    [
        {"take": ["Fr3"]},
        {"take": ["Fr3", "Fr5"], "claim": ["Ba1"]},
        {"take": ["Fr3"], "also": ["Fr4"], "use": [THREE], "pay": ["It1"], "claim": ["Ba1"], "from": ["It2"]},
    ],
    ids=str,
)
def test_reading_and_writing_a_turn_are_inverse(order: dict[str, Json]) -> None:
    move = rules().read(order)
    assert isinstance(move, Take)
    take = [Card(name) for names in move.take for name in names]
    also = [Card(name) for name in move.also]
    written = write_take(take, also=also, use=move.use, pay=move.pay, claim=move.claim, lift=move.lift)
    assert written == order


def test_the_whole_turn_with_a_stone_does_not_put_it_where_it_locks_a_card_if_another_is_free() -> None:
    inside, ends = position("Fr2 Ba1 Sa1 It1"), position("Fr2 Ba1 It1")
    claims = [
        [item.order["claim"] for item in rules().choices(rules().view(state, YELLOW)).menus[0].items
         if isinstance(item.order, dict) and "claim" in item.order]
        for state in (inside, ends)
    ]  # fmt: skip

    assert claims == [[["Sa1"]], [["Ba1"]]]
