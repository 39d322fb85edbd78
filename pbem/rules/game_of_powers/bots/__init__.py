"""Bots of Game of Powers: one that orders anything, and one that weighs points."""

from __future__ import annotations

from pbem.core.bots import is_greedy
from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.game_of_powers.bots.anything import any_answer, any_place, any_turn
from pbem.rules.game_of_powers.bots.greedy import Greed
from pbem.rules.game_of_powers.facts import Facts
from pbem.rules.game_of_powers.moves import Move
from pbem.rules.game_of_powers.orders import write_move
from pbem.rules.game_of_powers.view import View


def suggest(facts: Facts, view: View, dice: Dice, skill: str) -> Json:
    """Return a bot's order from its view alone, ties broken by the dice; None if it is not asked.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    if view.me is None or view.me != view.asked:
        return None
    greed = Greed(facts, view, dice) if is_greedy(skill) else None
    move: Move
    match view.kind:
        case "start city":
            move = greed.place() if greed else any_place(facts, dice)
        case "move":
            move = greed.turn() if greed else any_turn(facts, view, dice)
        case _:
            move = greed.answer() if greed else any_answer(facts, view, dice)
    return write_move(move)
