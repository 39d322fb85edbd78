"""What a player is told about an order: problems, choices and the forecast."""

from __future__ import annotations

import pytest

from pbem.core.interface import Json
from pbem.rules.web_of_power.orders import read_move, write_move
from tests.behaviour import judged
from tests.written import rows_of

from .table import YELLOW, playout, position, web_of_power

HERE = position(hands={YELLOW: "fa bb li"}, taken="red: mainz; green: corvey", sent="franken: red 1")
PAIR = position(hands={YELLOW: "fa fa fr"}, taken="red: mainz corvey")


@pytest.mark.paragraph("limited-pieces")
@pytest.mark.parametrize("row", judged.named("web-of-power"))
def test_an_order_is_wrong_where_its_row_says_or_has_a_forecast(row: judged.Row) -> None:
    assert judged.is_as_written(row)


@pytest.mark.parametrize("order", rows_of(__file__, "reading_and_writing_a_move_are_inverse"), ids=str)
def test_reading_and_writing_a_move_are_inverse(order: Json) -> None:
    assert write_move(read_move(web_of_power().facts, order)) == order


@pytest.mark.parametrize(("skill", "seats"), [("random", 5), ("greedy", 3)])
def test_whatever_is_listed_is_legal_and_every_choice_is_told(skill: str, seats: int) -> None:
    rules = web_of_power()
    for state, _, _ in playout(f"choices {skill}", (skill,), seats):
        for seat in (*state.seats, None):
            view = rules.view(state, seat)
            menus = rules.choices(view).menus
            if seat != view.to_move or seat is None:
                assert menus == ()
                continue
            whole = menus[0].items
            assert len(whole) >= 2 or rules.choices(view).only is not None
            for item in whole:
                move = rules.read(item.order)
                assert rules.check(view, move) == (), item
                assert len(rules.forecast(view, move).lines) >= 2
            assert [menu.paths for menu in menus[1:]] in (
                [("place.pieces",), ("draw",)], [("draw",)], [("place.pieces",)], [],
            )  # fmt: skip
            for menu in menus[1:]:
                for item in menu.items:
                    order: Json = {"place": {"pieces": [item.order]}}
                    if menu.paths == ("draw",):
                        order = {"discard": "any", "draw": [item.order]}
                    assert rules.check(view, rules.read(order)) == (), item
