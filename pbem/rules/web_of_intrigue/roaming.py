"""Where the greedy bot goes and looks: towards what it can win, and what it has not seen."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pbem.core.dice import Dice
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.modifiers import Stand, distance_modifier, needed_roll, weigh, winning_faces
from pbem.rules.web_of_intrigue.state import UNSEEN, HouseId, Square, TileId
from pbem.rules.web_of_intrigue.view import Own, View

UNKNOWN: Final = 0.12
"""Points for a square whose tile the seat has never seen."""
TOO_OLD: Final = 8
"""Turns after which a sighting counts no more."""
BEST: Final = 3
"""So many objects count, as many as a turn has bids."""


def best_square(facts: Facts, view: View, own: Own, bidding: Collection[TileId], dice: Dice) -> Square:
    """Return the square of the diamond from which the most can be won and seen."""
    prizes = _prizes(facts, view, own, bidding)
    grid, radius = facts.grid, facts.numbers.radius
    unknown = {square for square in grid.squares if square not in view.web and square not in view.memory}
    penalties = [distance_modifier(facts, steps) for steps in range(radius + 1)]

    def promise(square: Square) -> float:
        won = sorted(
            (
                vp * winning_faces(facts, needed - penalties[steps])
                for place, vp, needed in prizes
                if (steps := grid.distance(square, place)) <= radius
            ),
            reverse=True,
        )
        new = sum(one in unknown for one in grid.diamond(square, radius)) if unknown else 0
        return sum(won[:BEST]) / facts.numbers.sides + UNKNOWN * new

    worth = {square: promise(square) for square in view.web}
    most = max(worth.values())
    return dice.pick([square for square, one in worth.items() if one >= most - 1e-9], "goal")


def _prizes(facts: Facts, view: View, own: Own, bidding: Collection[TileId]) -> list[tuple[Square, int, int]]:
    """Return where objects lie as far as the seat knows, their points, and the roll needed on the spot."""
    held = frozenset(tile for tile, owned in view.owners.items() if owned.controller == view.me)
    stand = Stand(HouseId(facts.find_house(own.house)), held)
    places = {tile: square for square, tile in view.web.items() if tile != UNSEEN}
    for square, seen in sorted(view.memory.items(), key=lambda entry: -entry[1].turn):
        if view.turn - seen.turn <= TOO_OLD:
            places.setdefault(seen.tile, square)
    found = []
    for tile, square in places.items():
        thing = facts.objects.get(tile)
        if thing is None or tile in held or tile in bidding:
            continue
        needed = needed_roll(thing, weigh(facts, stand, thing, 0, is_rivals=tile in view.owners))
        if needed <= facts.numbers.sides:
            found.append((square, thing.vp, needed))
    return found


def least_known(facts: Facts, view: View, own: Own, dice: Dice) -> Square:
    """Return a square to reveal: an obscured one, else one never seen, else the one seen longest ago."""
    obscured = [square for square, tile in view.web.items() if tile == UNSEEN]
    if obscured or view.options.reveal_reach == "diamond":
        return dice.pick(obscured or list(view.web), "reveal")
    never = [square for square in facts.grid.squares if square not in view.web and square not in view.memory]
    if never:
        near = min(facts.grid.distance(own.square, square) for square in never)
        return dice.pick([one for one in never if facts.grid.distance(own.square, one) == near], "reveal")
    oldest = min((seen.turn for seen in view.memory.values()), default=0)
    old = [square for square, seen in view.memory.items() if seen.turn == oldest]
    return dice.pick(old or list(view.web), "reveal")
