"""What a seat may know: everything but law cards that lie face down."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.core.conditions import holds
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.state import MINUS, RETURN, SEATS, THREE, Card
from pbem.rules.web_of_power_cards.view import lay_out

from .table import GREEN, RED, YELLOW, cards, do, playout, position, rules


def test_every_card_has_its_place_in_the_order_of_the_layout() -> None:
    state = position("Fr1 Ba1 Sa1 Ka1", stones={"Ba1": RED}, laws={"Sa1": THREE}, held={GREEN: "It1"})
    view = rules().view(state, YELLOW)
    assert list(view.cards) == [card for row in state.layout for card in row]
    assert [view.cards[Card(name)].depth for name in ("Fr1", "Ba1", "Sa1", "Ka1")] == [0, 1, 1, 0]
    assert (view.cards[Card("Ba1")].stone, view.cards[Card("Sa1")].law) == (RED, True)
    assert (view.cards[Card("It1")].holder, view.cards[Card("It1")].depth) == (GREEN, None)
    assert view.left == 4


@pytest.mark.parametrize("seat", [*SEATS[:4], None])
def test_a_view_has_the_table_of_the_state(seat: Seat | None) -> None:
    for state, _, _ in playout("table", 4):
        assert rules().view(state, seat).table() == lay_out(state)


def test_own_law_cards_show_and_those_of_others_are_counted() -> None:
    state = position("Fr1 Ba1", laws={"Fr1": RETURN}, own_laws={YELLOW: [THREE], RED: [MINUS, THREE]})
    view = rules().view(state, YELLOW)
    assert (view.laws, view.players[RED].laws, view.players[RED].shown) == ((THREE,), 2, ())
    assert view.unseen == {RETURN: 2, THREE: 1, "different_colours": 2, MINUS: 2}
    assert rules().view(state, None).laws == ()


CONDITIONS: list[tuple[dict[str, Json], bool]] = [
    ({"can_take": {"has": "Fr1"}}, True),
    ({"can_take": {"has": "Ba1"}}, False),
    ({"ends": {"has": ["Fr1", "Sa1"]}, "left": {"at_most": 3}}, True),
    ({"cards.Fr1.holder": "table", "cards.Ba1.depth": 1}, True),
    ({"cards.It1.holder": ["green", "red"]}, True),
    ({"cards.Sa1.stone": "red", "cards.Sa1.law": True}, True),
    ({"laws": {"has": "three_symbols"}}, True),
    ({"players.green.lands.italien": {"at_least": 1}}, True),
    ({"players.red.stones": {"has": "Sa1"}, "players.red.reserve": 2}, True),
    ({"players.yellow.removed": {"at_least": 1}}, False),
    ({"players.green.routes.ship": {"at_least": 5}}, True),
    ({"players.green.points": {"at_least": 1}, "unseen.three_symbols": 0}, False),
    ({"lost_claim": True}, False),
    ({"lost": {"not": {"has": "Fr1"}}}, True),
]


@pytest.mark.parametrize(("condition", "expected"), CONDITIONS, ids=[str(row[0]) for row in CONDITIONS])
def test_conditions_can_be_put_on_a_view(condition: dict[str, Json], expected: bool) -> None:
    state = position("Fr1 Ba1 Sa1", stones={"Sa1": RED}, laws={"Sa1": RETURN}, own_laws={YELLOW: [THREE]})
    assert holds(condition, rules().view(state, YELLOW)) is expected


@pytest.mark.parametrize("players", [3, 5])
def test_no_view_or_advice_tells_the_law_cards_that_lie_face_down(players: int) -> None:
    changed = 0
    for step, (state, _, _) in enumerate(playout("hidden", players, ("random", "greedy"))):
        for seat in (*SEATS[:players], None):
            other = rules().redeal(state, seat, Dice(b"other world", step))
            view, twin = rules().view(state, seat), rules().view(other, seat)
            assert view == twin
            assert rules().choices(view) == rules().choices(twin)
            changed += other != state
            if seat == state.to_move and view.can_take:
                dice = Dice(b"bot", step)
                assert rules().suggest(view, dice, "greedy") == rules().suggest(twin, dice, "greedy")
    assert changed > 0


def test_all_that_a_state_holds_but_law_cards_shows() -> None:
    state = position("Fr1 Ba1 Sa1", stones={"Sa1": RED}, laws={"Sa1": RETURN})
    red = state.players[RED]
    others = [
        replace(state, to_move=RED),
        replace(state, layout=((*state.layout[0][1:], state.layout[0][0]), *state.layout[1:])),
        replace(state, stones={}),
        replace(state, laws={}),
        replace(state, played=(THREE,)),
        replace(state, skips=1),
        replace(state, own_claim_free=True),
        *(
            replace(state, players={**state.players, RED: player})
            for player in (
                replace(red, cards=cards("Fr8")),
                replace(red, laws=(THREE,)),
                replace(red, reserve=0),
                replace(red, removed=1),
                replace(red, asks=1),
                replace(red, lost=cards("Fr8")),
            )
        ),
    ]
    assert rules().constants == {}
    for other in others:
        assert rules().view(other, None) != rules().view(state, None)


def test_what_was_lost_is_in_the_view_of_its_owner_and_open_to_all() -> None:
    state = position("Fr1 Ba1 Sa1", stones={"Fr1": RED})
    after, _ = do(state, {"take": ["Fr1"]})
    assert rules().view(after, GREEN).players[RED].lost == ("Fr1",)
    assert rules().view(after, GREEN).lost == ()
