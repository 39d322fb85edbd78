"""Bots of The Rose King: one that plays anything, and one that looks one reply ahead."""

from __future__ import annotations

from pbem.core.bots import is_greedy, pick_best
from pbem.core.dice import Dice
from pbem.core.interface import Json
from pbem.rules.rose_king.bots.greedy import Thought
from pbem.rules.rose_king.facts import Facts
from pbem.rules.rose_king.moves import write_move
from pbem.rules.rose_king.scoring import find_lands
from pbem.rules.rose_king.view import View, legal_orders


def suggest(facts: Facts, view: View, dice: Dice, skill: str) -> Json:
    """Return a bot's order from its view alone, ties broken by the dice; None if it cannot move.

    Raises:
        ValueError: The skill is neither "random" nor "greedy".
    """
    greedy, moves = is_greedy(skill), legal_orders(facts, view)
    if view.me is None or not moves:
        return None
    if greedy and len(moves) > 1:
        thought = Thought(facts, view, view.me, find_lands(facts, view.board))
        return write_move(pick_best(dice, moves, [*map(thought.worth, moves)], "bot"))
    return write_move(dice.pick(moves, "bot"))
