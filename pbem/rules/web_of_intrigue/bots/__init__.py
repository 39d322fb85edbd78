"""Bots of Web of Intrigue: one that orders anything, and one that weighs victory points against chances."""

from __future__ import annotations

from pbem.core.bots import is_greedy
from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.web_of_intrigue.bots.anything import anything
from pbem.rules.web_of_intrigue.bots.greedy import think
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.orders import write_move
from pbem.rules.web_of_intrigue.view import View


def suggest(facts: Facts, view: View, dice: Dice, skill: str) -> Json:
    """Return a bot's order from its view alone; None if it is not asked.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    greedy = is_greedy(skill)
    if view.me is None or view.over:
        return None
    thought = think(facts, view, dice) if greedy else anything(facts, view, dice)
    return write_move(thought)
