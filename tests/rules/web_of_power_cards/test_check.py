"""What a player is told about an order: problems, choices and the forecast."""

from __future__ import annotations

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json
from pbem.core.wording import spelled
from pbem.rules.web_of_power_cards.state import (
    COLOURS,
    MINUS,
    RETURN,
    SEATS,
    THREE,
    Card,
    Law,
    State,
    Take,
    write_take,
)
from tests.behaviour import judged

from .table import RED, YELLOW, is_legal, playout, position, rules

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
            assert len({spelled(order) for order in menus[""]}) == len(menus[""])
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


def test_a_turn_without_a_choice_is_known() -> None:
    alone = position("Fr1", removed={YELLOW: 3})
    assert rules().choices(rules().view(alone, YELLOW)).only == {"take": ["Fr1"]}
    free = position("Fr1 Ba1", removed={YELLOW: 3})
    assert rules().choices(rules().view(free, YELLOW)).only is None
    stuck = position("Fr1", stones={"Fr1": RED}, removed={YELLOW: 3}, own_laws={YELLOW: [MINUS]})
    assert rules().choices(rules().view(stuck, YELLOW)).only is None, "whether a law card helps is secret"
    claims = position("Fr1 Ba1")
    assert rules().choices(rules().view(claims, YELLOW)).only is None


@pytest.mark.parametrize("law", [MINUS, THREE, COLOURS, RETURN])
@pytest.mark.parametrize("stone", [{}, {"Fr1": RED}], ids=["free", "covered"])
def test_whether_there_is_a_choice_does_not_tell_which_law_card_is_held(
    law: Law, stone: dict[str, Seat]
) -> None:
    state = position("Fr1", stones=stone, removed={YELLOW: 3}, own_laws={YELLOW: [law]})

    assert rules().choices(rules().view(state, YELLOW)).only is None


CHOICES: list[tuple[str, State, dict[str, Json]]] = [
    (
        "a stone after a card that is paid for",
        position("Fr1 Sa1 Un1", stones={"Fr1": RED, "Un1": YELLOW}, reserve={YELLOW: 2}),
        {"take": ["Fr1"], "claim": ["Sa1"]},
    ),
    (
        "the stone that pays",
        position(
            "Fr1 Sa1 Un1 It1",
            stones={"Fr1": RED, "Sa1": YELLOW, "Un1": YELLOW, "It1": YELLOW},
            reserve={YELLOW: 0},
        ),
        {"take": ["Fr1"], "pay": ["Un1"]},
    ),
    (
        "a law card for the last card",
        position("Fr1", removed={YELLOW: 1}, own_laws={YELLOW: [RETURN]}),
        {"take": ["Fr1"], "use": [RETURN]},
    ),
    (
        "a law card that may turn up",
        position("Fr1", removed={YELLOW: 3}, laws={"Fr1": RETURN}),
        {"take": ["Fr1"], "use": [RETURN]},
    ),
]


@pytest.mark.parametrize(("state", "order"), [row[1:] for row in CHOICES], ids=[row[0] for row in CHOICES])
def test_a_turn_with_a_choice_is_not_made_at_once(state: State, order: dict[str, Json]) -> None:
    assert is_legal(state, order)
    assert rules().choices(rules().view(state, YELLOW)).only is None


def test_a_stone_after_a_paid_card_and_a_law_card_that_is_held_are_among_the_whole_turns() -> None:
    for _, state, order in (CHOICES[0], CHOICES[2]):
        menu = rules().choices(rules().view(state, YELLOW)).menus[0]
        assert order in [item.order for item in menu.items]


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
