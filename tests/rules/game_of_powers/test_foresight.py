"""What no view can ever show is known; lines for later turns are rows of `tests/behaviour/later.yaml`."""

from __future__ import annotations

from typing import Any

from pbem.core.foresight import CONDITION, Later, why_never_holds
from pbem.rules.game_of_powers.carried import carry
from pbem.rules.game_of_powers.conditions import lies_open
from pbem.rules.game_of_powers.state import Card, State

from .table import BLACK, WHITE, game, hold, position, view_of


def table(**more: Any) -> State:
    """Return a game of three, white on turn at Wolin; card 1 was played by black, card 2 is out."""
    white = hold("14 15 40", at="wolin clockwise", tokens_of="military military commercial", asks=1)
    black = hold("16 17", at="aarhus clockwise", tokens_of="military", played=(Card("1"),), open=("16",))
    orange = hold("18 19", at="owidz anticlockwise")
    return position(white, black, orange, **{"box": ("2",), **more})


def test_values_that_no_view_has_are_known() -> None:
    view, horizon = view_of(table(), WHITE), game().horizon

    assert why_never_holds(view, "players.black.city", "lund", horizon)
    assert why_never_holds(view, "hand", {"has": 99}, horizon)
    assert why_never_holds(view, "cities.lund.tokens", {"has": "military"}, horizon)
    assert why_never_holds(view, "players.black.city", ["owidz", "lund"], horizon)
    assert not why_never_holds(view, "players.black.city", ["owidz", "wolin"], horizon)


def test_a_seat_that_is_not_asked_may_be_traded_with_before_its_turn() -> None:
    facts, mine, blacks = game().facts, view_of(table(), WHITE), view_of(table(to_move=BLACK), WHITE)
    assert carry(facts, mine, (), untraded=False).is_known
    assert not carry(facts, blacks, (), untraded=False).is_known


def test_a_card_that_was_played_never_lies_open_again() -> None:
    later = Later(game().read({"sail": 1, "take_cards": "any"}), None, None, {}, lies_open(Card("1")))

    assert game().foresee(view_of(table(), WHITE), later).never[0].path[:1] == CONDITION
