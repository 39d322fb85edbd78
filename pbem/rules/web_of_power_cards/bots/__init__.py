"""Bots of the card game: one that does anything that is allowed, and one that counts points."""

from __future__ import annotations

from pbem.core.bots import is_greedy
from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.web_of_power_cards.bots.anything import anything
from pbem.rules.web_of_power_cards.bots.greedy import Thought, Weights
from pbem.rules.web_of_power_cards.check import check_move
from pbem.rules.web_of_power_cards.choices import list_hauls
from pbem.rules.web_of_power_cards.facts import Facts
from pbem.rules.web_of_power_cards.moves import read_move
from pbem.rules.web_of_power_cards.view import View


def suggest(facts: Facts, view: View, dice: Dice, skill: str) -> Json:
    """Return a bot's order from its view alone; None if it is not on turn.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    greedy = is_greedy(skill)
    if view.me is None or not view.is_asked():
        return None
    hauls = [
        haul
        for haul in list_hauls(facts, view)
        if "pay" not in haul.order or not check_move(facts, view, read_move(haul.order))
    ]
    if not hauls:
        return {"skip": True}
    if not greedy:
        return anything(facts, view, view.me, hauls, dice)
    return Thought(facts, view, view.me, Weights()).best(hauls, dice)
