"""The facts add up, and tables that do not are refused in one sentence."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.rules.game_of_powers.state import CLOCKWISE, Wish

from .table import game


@pytest.mark.paragraph("components-board", "components-tokens", "components-cards", "card-kinds", "card-face")
def test_the_shipped_facts_are_those_of_the_box() -> None:
    facts = game().facts

    assert len(facts.ring) == 8
    assert len(facts.types) * facts.per_type == 60
    assert len(facts.cards) == 52
    assert Counter(face.site for face in facts.cards.values()) == dict.fromkeys(facts.sites, 13)
    assert {face.category for face in facts.cards.values()} == set(facts.categories)
    assert len(facts.categories) == 6
    assert {face.token for face in facts.cards.values()} == set(facts.types)
    assert all(1 <= face.score <= 6 for face in facts.cards.values())


def test_the_ring_closes() -> None:
    facts = game().facts

    assert facts.ahead(facts.ring[-1], CLOCKWISE) == facts.ring[0]
    assert [facts.spaces(facts.ring[0], city, CLOCKWISE) for city in facts.ring] == list(range(8))
    assert [facts.spaces(facts.ring[0], city, "anticlockwise") for city in facts.ring] == [
        0,
        *range(7, 0, -1),
    ]


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        (Wish(), 52),
        (Wish(site=game().facts.sites[0]), 13),
        (Wish(category=game().facts.categories[0]), 8),
        (Wish(token=game().facts.types[0]), 13),
        (Wish(score=5), 8),
        (Wish(card=next(iter(game().facts.cards))), 1),
    ],
    ids=str,
)
def test_a_wish_fits_the_cards_that_have_all_that_it_names(wish: Wish, found: int) -> None:
    facts = game().facts
    assert sum(facts.fits(card, wish) for card in facts.cards) == found
