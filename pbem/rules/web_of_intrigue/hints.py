"""What the form page needs besides a view: effects, gains and elements, as data."""

from __future__ import annotations

from dataclasses import asdict

from pbem.core.interface import Json
from pbem.rules.web_of_intrigue.facts import Effect
from pbem.rules.web_of_intrigue.guessing import next_fine
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue
from pbem.rules.web_of_intrigue.view import View


def list_hints(rules: WebOfIntrigue, view: View) -> Json:
    """Return the hints for the owner of a view; None for one that orders nothing.

    Returns:
        `specials`: the effect of each special in the diamond; `gains`: for each object in the diamond, what
        control of other objects adds, those that are in the diamond or the seat's own; `elements`: of each
        House, by name; `wrong_costs`: what a wrong guess costs now.
    """
    if view.own is None:
        return None
    facts = rules.facts
    near = view.held | set(view.objects)
    gains: dict[str, Json] = {
        name: {holder: value for holder, value in facts.gains[name].items() if holder in near}
        for name in view.objects
    }
    return {
        "specials": {name: _told(facts.specials[name].effect) for name in view.specials},
        "gains": {name: found for name, found in gains.items() if found},
        "elements": {house.name: house.element for house in facts.houses.values()},
        "wrong_costs": next_fine(view.numbers, view.options, view.own.guesses),
    }


def _told(effect: Effect) -> Json:
    """Return what an effect says, without what it leaves open."""
    return {name: value for name, value in asdict(effect).items() if value and name != "subject"}
