"""What a seat may know: everything but law cards that lie face down."""

from __future__ import annotations

from pbem.rules.web_of_power_cards.state import THREE, Card
from pbem.rules.web_of_power_cards.view import lay_out

from .table import GREEN, RED, YELLOW, playout, position, rules


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
