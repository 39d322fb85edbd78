"""How soon cards can be taken: a law card helps in as many turns as there are of it."""

from __future__ import annotations

import pytest

from pbem.rules.web_of_power_cards.reach import turns_to_take
from pbem.rules.web_of_power_cards.state import COLOURS, THREE

from .table import rules


@pytest.mark.parametrize(("held", "turns"), [(0, 2), (1, 1)])
def test_two_colours_take_two_turns_unless_a_law_card_joins_them(held: int, turns: int) -> None:
    facts = rules().facts
    by_country = {land.country: card for card, land in facts.lands.items() if not land.symbols}
    assert turns_to_take(facts, list(by_country.values())[:2], {COLOURS: held, THREE: 0}, 5) == turns
