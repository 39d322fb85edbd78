"""What the form page needs besides a view: the words of `pbem check`, and tables of what can be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.core.interface import Json
from pbem.rules.web_of_power.bounded import LAST, Tables
from pbem.rules.web_of_power.check import FURTHER, NEITHER, NOWHERE, SEVERAL
from pbem.rules.web_of_power.drawing import DEFAULT_ENTRY
from pbem.rules.web_of_power.facts import Limits
from pbem.rules.web_of_power.forecast import BUILT, FIRST, NONE, PAID, SENT, THROWN
from pbem.rules.web_of_power.placing import ELSEWHERE, NOT_HELD, UNFIT
from pbem.rules.web_of_power.rules import WebOfPower
from pbem.rules.web_of_power.view import View, seated

_WORDS: Final[Mapping[str, Json]] = {
    "elsewhere": ELSEWHERE, "unfit": UNFIT, "lacking": NOT_HELD, "neither": NEITHER, "paid": PAID,
    "built": BUILT, "sent": SENT, "thrown": THROWN, "none": NONE, "first": FIRST,
    "several": SEVERAL, "further": FURTHER,
}  # fmt: skip
"""Sentences with `{}` for names."""


def list_hints(rules: WebOfPower, view: View) -> Json:
    """Return the hints for the owner of a view.

    Returns:
        `nowhere`: what is said of a placement without a country; `price`: what one piece, two and so on cost,
        with `{}` for the card and how many of it there are. For who is on turn, too: `words`, sentences with
        `{}` for names; `lines` and `nodes`, as `Tables` has them; by their numbers `pieces` of each country
        and `hand`; `payments` of each country; `lacking`: why each type of card cannot be drawn, where it
        cannot; `rest`: what a card is drawn by when an order says nothing more.
    """
    if view.me is None:
        return None
    facts = rules.facts
    hints: dict[str, Json] = {
        "nowhere": NOWHERE,
        "price": [_price(facts.limits, number + 1) for number in range(facts.limits.pieces)],
    }
    if view.me != view.to_move:
        return hints
    tables = Tables(seated(facts, view, view.me), view)
    hints |= {
        "pieces": {country: tables.pieces(country) for country in facts.lands},
        "payments": {country: tables.payments(country) for country in facts.lands},
        "hand": tables.hand(),
        "lacking": {} if view.closing else tables.lacking(),
        "rest": [*DEFAULT_ENTRY, LAST],
        "words": dict(_WORDS),
    }
    return {**hints, "lines": tables.net.lines, "nodes": tables.net.nodes}


def _price(limits: Limits, pieces: int) -> str:
    each = f"for each of the {pieces} pieces " if pieces > 1 else ""
    return f"Costs {each}a card {{}} ({{}}), or {limits.joker} of one type."
