"""What seats may know: all but the pile, and the cards that they have not seen in other hands."""

from __future__ import annotations

from pbem.rules.game_of_powers.hands import gain, lose, show

from .table import BLACK, WHITE, cards, game, hold, position


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
