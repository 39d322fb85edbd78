"""What players are told about wrong orders: what was read, what is wrong, what would do."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.game_of_powers.state import State
from tests.behaviour import judged

from .table import (
    BLACK,
    FIELDS,
    STATE,
    TAKE,
    WHITE,
    after,
    deal,
    game,
    hold,
    offered,
    position,
    schema,
    view_of,
    wrong,
)  # fmt: skip


@pytest.mark.parametrize("row", judged.named("game-of-powers", is_wrong=True))
def test_it_is_told_where_orders_are_wrong(row: judged.Row) -> None:
    assert judged.places(row) == row["wrong"]


def test_what_cannot_be_given_cannot_be_accepted() -> None:
    trade: Json = {"with": "black", "give": ["military"], "want": [{"site": "owidz"}]}
    black = hold("17", at="sorte_muld clockwise")
    state = position(hold("", at="aarhus clockwise", tokens_of="military"), black, fields=FIELDS)

    problems = wrong(after(state, {"sail": 2, **TAKE, "trade": trade}), {"accept": True})

    assert problems == [
        "accept: you do not have what is wanted: any card from Owidz. Decline it, or counter."
    ]


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


def test_a_spectator_gives_no_orders() -> None:
    rules = game()
    problems = rules.check(rules.view(STATE, None), rules.read({"sail": 1, **TAKE}))

    assert [one.text for one in problems] == ["a spectator gives no orders"]


MISSHAPEN: list[tuple[Json, str]] = [
    ({}, "schema"),
    ({"sail": "wolin", "accept": True}, "schema"),
    ({"sail": 1, "take_tokens": ["any"], "take_cards": ["any"]}, "schema"),
    ({"take_tokens": ["any"]}, "field-missing"),
    ({"place": "wolin"}, "field-missing"),
    ({"accept": False}, "schema"),
    ({"decline": False}, "schema"),
    ({"counter": {"give": ["military"]}}, "field-missing"),
    ({"sail": 0}, "schema"),
    ({"sial": 1}, "field-unknown"),
]


@pytest.mark.parametrize(("order", "kind"), MISSHAPEN, ids=str)
def test_what_has_another_shape_is_refused_by_the_schema(order: Json, kind: str) -> None:
    problems = schema().problems(order)

    assert problems
    assert {problem.kind for problem in problems} == {kind}


def test_names_and_ids_can_be_written_alike() -> None:
    rules = game()
    by_name: Json = {"sail": "Sorte Muld", "extra": "shield boss", "claim": "four sites", **TAKE}
    by_id: Json = {"sail": "sorte_muld", "extra": 4, "claim": ["four_sites"], **TAKE}

    assert rules.read(by_name) == rules.read(by_id)
    assert view_of(STATE).own.city == "aarhus"


NEVER: list[tuple[Json, str]] = [
    ({"sail": 2, **TAKE, "claim": "four_sites"}, "claim: this game is played without tasks"),
    (
        {"sail": 2, **TAKE, "trade": {"with": "white", "give": ["military"], "want": ["military"]}},
        "trade: this game is",
    ),
    ({"accept": True}, ": this game is played without trade"),
    ({"place": "wolin", "facing": "clockwise"}, ": this order places your ship"),
    ({"place": "wolin", "facing": "aarhus"}, "facing: 'aarhus' is neither a direction nor a city next to"),
    ({"sail": 2, **TAKE, "reverse": 6, "extra": 6}, "extra: "),
]


@pytest.mark.parametrize(("order", "says"), NEVER, ids=str)
def test_what_can_never_work_is_refused_in_a_line_for_later_too(order: Json, says: str) -> None:
    state = position(*STATE.players.values(), may_trade=False, tasks={})
    found = game().check(view_of(state, BLACK), game().read(order))

    assert [one for one in found if one.lasting]
    assert wrong(state, order, BLACK)[0].startswith(says)


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
