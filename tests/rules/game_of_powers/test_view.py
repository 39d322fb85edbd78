"""What seats may know: all but the pile, and the cards that they have not seen in other hands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.core.dice import Dice
from pbem.rules.game_of_powers.hands import gain, lose, show
from pbem.rules.game_of_powers.state import SEATS, Section

from .table import BLACK, ORANGE, WHITE, cards, do, game, hold, position, view_of


def test_cards_taken_in_the_open_are_remembered_and_dealt_ones_are_nobodys_business() -> None:
    state = position(
        hold("1 2", at="aarhus clockwise"), *[hold("", at="wolin clockwise")] * 2, fields={"green": "3 4 5 6"}
    )

    state, _ = do(state, {"sail": 1, "take_cards": [3, 4]})

    for seat in (BLACK, ORANGE, None):
        assert game().view(state, seat).players[WHITE].known == cards("3 4")
        assert game().view(state, seat).players[WHITE].hand == 4
    own = view_of(state, WHITE)
    assert own.hand == cards("1 2 3 4")
    assert own.shown == dict.fromkeys(cards("3 4"), (BLACK, ORANGE))


def test_a_card_that_leaves_the_hand_is_known_there_no_more() -> None:
    player = show(gain(hold("1 2"), cards("3")), BLACK, cards("1"))
    assert (player.hand, player.open, player.shown[BLACK]) == (cards("1 2 3"), cards("3"), cards("1"))

    player = lose(player, cards("1 3"))
    assert (player.hand, player.open, player.shown[BLACK]) == (cards("2"), (), ())


def test_a_spectator_has_no_hand_and_sees_what_is_open() -> None:
    view = game().view(position(hold("1 2"), hold("3")), None)

    assert (view.me, view.hand, dict(view.tokens), view.trade) == (None, (), {}, None)
    assert view.players[WHITE].hand == 2
    assert set(view.cards) == {card for field in view.fields.values() for card in field}


@pytest.mark.parametrize("seat", [*SEATS[:3], None])
def test_a_redeal_keeps_what_a_seat_sees_and_changes_what_it_does_not(seat: str | None) -> None:
    state = position(hold("1 2 3", open=cards("3")), hold("14 15"), hold("27"))
    seen = None if seat is None else next(one for one in SEATS if one == seat)
    worlds = [game().redeal(state, seen, Dice(b"redeal", number)) for number in range(20)]

    assert all(game().view(world, seen) == game().view(state, seen) for world in worlds)
    assert len({world.pile for world in worlds}) > 1
    for one in state.order:
        hands = {world.players[one].hand for world in worlds}
        assert (len(hands) == 1) == (one == seen)
        assert all("3" in hand for hand in hands) or one != WHITE
    assert all(world.fields == state.fields for world in worlds)


def test_nothing_in_a_view_hangs_on_the_order_in_which_tables_were_saved() -> None:
    state = position(hold("1 2", tokens_of="military"), hold("3"))
    turned = replace(
        state,
        fields=dict(sorted(state.fields.items())),
        stock={city: dict(sorted(field.items())) for city, field in sorted(state.stock.items())},
        players=dict(sorted(state.players.items())),
    )

    assert list(view_of(turned, WHITE).fields) == list(view_of(state, WHITE).fields)
    assert str(view_of(turned, WHITE)) == str(view_of(state, WHITE))
    assert view_of(state, WHITE).fields[Section("red")] == game().facts.in_order(state.fields[Section("red")])
