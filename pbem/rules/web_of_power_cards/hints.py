"""What the form page needs besides a view: what can be taken with which law cards, and words of refusals."""

from __future__ import annotations

from itertools import chain, combinations

from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.bounded import DEEPEST, Takes
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.state import COLOURS, RETURN, THREE
from pbem.rules.web_of_power_cards.taking import GONE, INSIDE, LOCKED
from pbem.rules.web_of_power_cards.view import View


def list_hints(rules: WebOfPowerCards, view: View) -> Json:
    """Return the hints for the owner of a view that is asked; None for any other.

    Returns:
        `laws`: its law cards that can be played; `takes`: for each set of them, joined by commas in that
        order, a number of the `nodes` that `Takes` has, first for orders that do not say which stones to
        give up, then for those that do; `lines`; `deepest`: how many cards are looked up; `inside` and
        `gone`: sentences with `{}` for a card, and for the cards on either side; `locked`: the sentence for
        an own stone at an end of a row, "" where it changes nothing.
    """
    if view.me is None or not view.is_asked():
        return None
    laws = [law for law in (THREE, COLOURS, RETURN) if law in view.laws]
    takes = Takes(rules.facts, view, view.me)
    sets = [*chain.from_iterable(combinations(laws, number) for number in range(len(laws) + 1))]
    found: list[Json] = [
        {",".join(use): takes.node(use, pays=pays) for use in sets} for pays in (False, True)
    ]
    return {
        "laws": list[Json](laws), "takes": found, "lines": takes.net.lines, "nodes": takes.net.nodes,
        "deepest": DEEPEST, "inside": INSIDE, "gone": GONE,
        "locked": "" if view.numbers.own_claim_free else LOCKED,
    }  # fmt: skip
