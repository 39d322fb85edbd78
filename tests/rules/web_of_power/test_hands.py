"""Hands that a seat may hold later: a card that was drawn is gone from where it lay."""

from __future__ import annotations

from pbem.rules.web_of_power.hands import _drawn
from pbem.rules.web_of_power.state import PILE, Card

from .table import cards, web_of_power

FA, BB, LI, ES, FR = (cards(name)[0] for name in ["fa", "bb", "li", "es", "fr"])


def drawn(hand: tuple[Card, ...], wanted: tuple[str, ...], face_up: str = "es fr") -> set[tuple[Card, ...]]:
    """Return the hands that one may be filled up to, where the pile can hold one card each of two types."""
    draw = tuple((one,) for one in wanted)
    return set(_drawn(web_of_power().facts, hand, cards(face_up), draw, {FA: 1, BB: 1}))


def test_a_card_of_which_one_is_unseen_is_drawn_from_the_pile_once() -> None:
    assert drawn((LI,), (PILE,)) == {web_of_power().facts.in_order((FA, BB, LI))}


def test_an_open_card_is_taken_once() -> None:
    found = drawn((LI,), (FR, FR))
    assert found
    assert all(hand.count(FR) == 1 for hand in found)
