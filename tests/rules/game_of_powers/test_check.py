"""What players are told about wrong orders: what was read, what is wrong, what would do."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.game_of_powers.state import State
from tests.behaviour import judged

from .table import (
    BLACK,
    STATE,
    TAKE,
    WHITE,
    deal,
    game,
    offered,
    schema,
    view_of,
)  # fmt: skip


@pytest.mark.parametrize("row", judged.named("game-of-powers"))
def test_an_order_is_wrong_where_its_row_says_or_has_a_forecast(row: judged.Row) -> None:
    assert judged.is_as_written(row)


def test_an_order_of_another_kind_waits_for_its_ask() -> None:
    rules = game()
    place: Json = {"place": "wolin", "facing": "clockwise"}
    cases: list[tuple[State, Seat, Json]] = [
        (STATE, WHITE, {"accept": True}),
        (STATE, WHITE, place),
        (offered(), BLACK, {"sail": 1, **TAKE}),
        (deal("start"), deal("start").order[0], {"decline": True}),
    ]
    for state, seat, order in cases:
        problems = rules.check(rules.view(state, seat), rules.read(order))
        assert [one.elsewhere for one in problems] == [True]


def test_names_and_ids_can_be_written_alike() -> None:
    rules = game()
    by_name: Json = {"sail": "Sorte Muld", "extra": "shield boss", "claim": "four sites", **TAKE}
    by_id: Json = {"sail": "sorte_muld", "extra": 4, "claim": ["four_sites"], **TAKE}

    assert rules.read(by_name) == rules.read(by_id)
    assert view_of(STATE).own.city == "aarhus"


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ({"take_tokens": "any"}, {"take_tokens": ["any", "any"]}),
        ({"take_tokens": "Military"}, {"take_tokens": ["military", "military"]}),
        ({"take_tokens": "gold"}, {"take_tokens": ["gold"]}),
        ({"take_cards": "any"}, {"take_cards": ["any", "any"]}),
        ({"take_cards": "Sorte Muld"}, {"take_cards": ["sorte_muld", "sorte_muld"]}),
        ({"take_cards": 30}, {"take_cards": [30]}),
        ({"take_cards": "Crossbow bolt"}, {"take_cards": [30]}),
    ],
    ids=str,
)
def test_a_word_without_brackets_stands_for_each_token_or_card(short: Json, long: Json) -> None:
    assert isinstance(short, dict)
    assert isinstance(long, dict)
    assert schema().problems({"sail": 1, **short}) == []
    assert game().read({"sail": 1, **short}) == game().read({"sail": 1, **long})
