"""What the form page needs besides a view: what is printed on cards, and what tasks ask for, as data."""

from __future__ import annotations

from pbem.core.interface import Json
from pbem.rules.game_of_powers.rules import GameOfPowers
from pbem.rules.game_of_powers.view import View


def list_hints(rules: GameOfPowers, view: View) -> Json:
    """Return the hints, which are the same for all: nothing of them is secret.

    Returns:
        `cards`: name, site, category, token and points of each card by its number; `tasks`: of each task what
        the played cards are sorted by, the one group that counts or "", how many groups, and cards in each.
    """
    facts = rules.facts
    cards: dict[str, Json] = {
        card: {
            "name": face.name,
            "site": face.site,
            "category": face.category,
            "token": face.token,
            "score": face.score,
        }
        for card, face in facts.cards.items()
    }
    tasks: dict[str, Json] = {
        name: {"by": task.by, "of": task.of, "groups": task.groups, "each": task.each, "name": task.name}
        for name, task in facts.tasks.items()
    }
    return {"cards": cards, "tasks": tasks}
