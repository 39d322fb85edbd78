"""What a seat may know: everything but law cards that lie face down."""

from __future__ import annotations

from dataclasses import replace

from pbem.rules.web_of_power_cards.state import RETURN, THREE, Card
from pbem.rules.web_of_power_cards.view import lay_out

from .table import GREEN, RED, YELLOW, cards, playout, position, rules


def test_every_card_has_its_place_in_the_order_of_the_layout() -> None:
    state = position("Fr1 Ba1 Sa1 Ka1", stones={"Ba1": RED}, laws={"Sa1": THREE}, held={GREEN: "It1"})
    view = rules().view(state, YELLOW)
    assert list(view.cards) == [card for row in state.layout for card in row]
    assert [view.cards[Card(name)].depth for name in ("Fr1", "Ba1", "Sa1", "Ka1")] == [0, 1, 1, 0]
    assert (view.cards[Card("Ba1")].stone, view.cards[Card("Sa1")].law) == (RED, True)
    assert (view.cards[Card("It1")].holder, view.cards[Card("It1")].depth) == (GREEN, None)
    assert view.left == 4


def test_a_view_has_the_table_of_the_state() -> None:
    for state, _, _ in playout("table", 4):
        assert rules().view(state, None).table() == lay_out(state)


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
