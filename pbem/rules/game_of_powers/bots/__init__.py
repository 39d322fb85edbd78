"""Bots of Game of Powers: one that orders anything, and one that weighs points."""

from __future__ import annotations

from pbem.core.bots import is_greedy
from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.game_of_powers.bots.anything import any_answer, any_place, any_turn
from pbem.rules.game_of_powers.bots.greedy import Greed
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.orders import write_answer, write_turn
from pbem.rules.game_of_powers.view import View


def suggest(facts: Facts, view: View, dice: Dice, skill: str) -> Json:
    """Return a bot's order from its view alone, ties broken by the dice; None if it is not asked.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    if view.me is None or view.me != view.asked:
        return None
    greed = Greed(facts, view, dice) if is_greedy(skill) else None
    match view.kind:
        case "start city":
            place = greed.place() if greed else any_place(facts, dice)
            return {"place": place.city, "facing": place.facing}
        case "move":
            return write_turn(facts, greed.turn() if greed else any_turn(facts, view, dice))
        case _:
            return write_answer(facts, greed.answer() if greed else any_answer(facts, view, dice))
