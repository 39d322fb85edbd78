"""Bots of Web of Power: one that plays anything, and one that weighs what a placement brings."""

from __future__ import annotations

from pbem.core.bots import is_greedy, pick_best
from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.web_of_power.bots.greedy import Thought, Weights
from pbem.rules.web_of_power.facts import Facts
from pbem.rules.web_of_power.orders import move_of, write_move
from pbem.rules.web_of_power.state import PILE, Act, Discarded
from pbem.rules.web_of_power.view import View, seated
from pbem.rules.web_of_power.worth import Gains, possible_acts


def suggest(facts: Facts, view: View, dice: Dice, skill: str) -> Json:
    """Return a bot's order from its view alone, ties broken by the dice; None if it is not on turn.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    greedy = is_greedy(skill)
    if view.me is None or view.me != view.to_move:
        return None
    me = seated(facts, view, view.me)
    acts: list[Act] = [*possible_acts(me), *map(Discarded, dict.fromkeys(me.hand))]
    if not greedy:
        draw = () if view.closing else (dice.pick((*view.face_up, PILE), "draw"),)
        return write_move(move_of(dice.pick(acts, "bot"), draw))
    thought = Thought(Gains(me), view, Weights())
    act = pick_best(dice, acts, [*map(thought.worth, acts)], "bot")
    return write_move(move_of(act, thought.draw(act)))
