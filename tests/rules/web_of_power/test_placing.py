"""Placing pieces: what it costs, where they fit, and which of several plans is carried out."""

from __future__ import annotations

import pytest

from pbem.rules.web_of_power.board import board_of
from pbem.rules.web_of_power.placing import Obstacle, fit_pieces, payments
from pbem.rules.web_of_power.state import ADVISOR, CLOISTER, Country
from tests.written import rows_of

from .table import cards, playout, web_of_power

FRANKEN = Country("franken")


@pytest.mark.paragraph("one-piece-a-card", "joker", "three-two-one")
@pytest.mark.parametrize(("hand", "pieces", "possible"), rows_of(__file__, "pieces_in_franken_cost"))
def test_pieces_in_franken_cost(hand: str, pieces: int, possible: list[str]) -> None:
    found = payments(web_of_power().facts, cards(hand), FRANKEN, pieces)
    assert found == tuple(map(cards, possible))


@pytest.mark.parametrize("seats", [5])
def test_a_country_takes_cloisters_and_advisors_if_the_pieces_fit_one_by_one(seats: int) -> None:
    facts, found = web_of_power().facts, set[tuple[int, int, bool]]()
    for state, _, _ in playout("takes", ("greedy", "random"), seats):
        seen = board_of(facts, state)
        for country in facts.lands:
            for built, sent in ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1)):
                pieces = ((CLOISTER,),) * built + ((ADVISOR,),) * sent
                fits = not isinstance(fit_pieces(seen, state.to_move, country, pieces), Obstacle)
                assert seen.takes(state.to_move, country, built, sent) == fits
                found.add((built, sent, fits))
    assert len(found) == 11, "each is possible here and impossible there, but for three pieces"
