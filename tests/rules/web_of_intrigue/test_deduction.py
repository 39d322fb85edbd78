"""Which Houses players can still have: the same as trying every deal."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.deduction import fit_together, open_houses
from pbem.rules.web_of_intrigue.state import Category, Guess, HouseId

from .table import A, B, C, change, position, woi

houses = st.sampled_from([HouseId(name) for name in ("aries", "taurus", "gemini", "cancer", "leo", "virgo")])
tables = st.lists(st.lists(houses, min_size=1, max_size=4, unique=True), min_size=1, max_size=5)


def by_trying(open_to: dict[Seat, list[HouseId]]) -> dict[Seat, set[HouseId]]:
    """Return the Houses of each player in all deals in which no two have the same."""
    found: dict[Seat, set[HouseId]] = {seat: set() for seat in open_to}
    for deal in product(*open_to.values()):
        if len(set(deal)) == len(deal):
            for seat, house in zip(open_to, deal, strict=True):
                found[seat].add(house)
    return found


@given(tables)
def test_the_houses_that_fit_together_are_those_of_all_deals(table: list[list[HouseId]]) -> None:
    open_to = {Seat(str(number)): found for number, found in enumerate(table, 1)}
    wanted = by_trying(open_to)
    assume(all(wanted.values()))

    assert {seat: set(found) for seat, found in fit_together(open_to).items()} == wanted


def test_what_cannot_be_dealt_is_refused() -> None:
    with pytest.raises(ValueError, match="no House is left for player 2"):
        fit_together({A: [HouseId("leo")], B: [HouseId("leo")]})


@pytest.mark.paragraph("guess-secret", "guess-basis")
def test_own_house_own_guesses_and_won_bids_leave_houses_out() -> None:
    state = position(houses={A: "leo", B: "pisces", C: "cancer"}, seats=3)
    state = change(state, B, proven={Category("entity"): 4})
    state = change(state, A, guesses=(Guess(1, B, HouseId("cancer"), right=False, free=False),))

    public = fit_together(open_houses(woi().facts, state, None, by_bids=True))
    seen = fit_together(open_houses(woi().facts, state, A, by_bids=True))

    assert public[B] == ["cancer", "scorpio", "pisces"]
    assert len(public[A]) == 12
    assert seen[A] == ["leo"]
    assert seen[B] == ["scorpio", "pisces"]
    assert "leo" not in seen[C]
