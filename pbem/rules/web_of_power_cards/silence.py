"""What a silent seat orders."""

from __future__ import annotations

from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.check import check_move
from pbem.rules.web_of_power_cards.choices import list_hauls
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.moves import read_move
from pbem.rules.web_of_power_cards.view import View


def hold(facts: Facts, view: View) -> Json:
    """Return a silent seat's order: one card, the best for its points and if possible without paying."""
    singles = [haul for haul in list_hauls(facts, view, laws=False) if len(haul.cards) == 1]
    legal = [haul for haul in singles if not check_move(facts, view, read_move(haul.order))]
    if not legal:
        return {"skip": True} if view.is_asked() else None
    free = [haul for haul in legal if view.cards[haul.cards[0]].stone in (None, view.me)]
    return dict((free or legal)[0].order)
