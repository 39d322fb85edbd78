"""What the form page needs besides a view: every placement that is possible, and what the names stand for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pbem.core.interface import Json
from pbem.rules.web_of_power.choosing import Seated
from pbem.rules.web_of_power.placing import Obstacle, fit_pieces, payments
from pbem.rules.web_of_power.rules import WebOfPower
from pbem.rules.web_of_power.state import ADVISOR, CLOISTER
from pbem.rules.web_of_power.view import View, seated


def list_hints(rules: WebOfPower, view: View) -> Json:
    """Return the country of each site, and the countries in the order that `any` tries them."""
    facts = rules.facts
    home: dict[str, Json] = {site: str(country) for site, country in facts.home.items()}
    return {"home": home, "lands": list[Json](facts.lands)}


def list_trials(rules: WebOfPower, view: View) -> tuple[Json, ...]:
    """Return an order for every piece by itself, for every two that are possible, and for every discard.

    A preference of sites, countries or placements comes to one of these, which the form page finds out.
    """
    if view.me is None:
        return ()
    me = seated(rules.facts, view, view.me)
    discards: list[Json] = [{"discard": card} for card in dict.fromkeys(view.hand)]
    return (*discards, *_singles(me), *_pairs(me))


def _singles(me: Seated) -> Iterator[Json]:
    for country in me.facts.lands:
        sites = [site for site, home in me.facts.home.items() if home == country]
        for word in (CLOISTER, ADVISOR, *sites):
            yield {"place": {"country": country, "pieces": [word]}}


def _pairs(me: Seated) -> Iterator[Json]:
    for country in me.facts.lands:
        if payments(me.facts, me.hand, country, 2):
            words = (CLOISTER, ADVISOR, *me.board.free_sites(country))
            for pair in product(words, words):
                fitted = fit_pieces(me.board, me.seat, country, tuple((word,) for word in pair))
                if not isinstance(fitted, Obstacle):
                    yield {"place": {"country": country, "pieces": list[Json](pair)}}
