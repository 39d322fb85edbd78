"""Where to go and look: towards what can be won and what was not seen; for bots, and as advice to players."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from pbem.core.dice import Dice
from pbem.rules.web_of_intrigue.bots.worth import Worth
from pbem.rules.web_of_intrigue.facts import Facts, Thing
from pbem.rules.web_of_intrigue.modifiers import Stand, distance_modifier, needed_roll, weigh, winning_faces
from pbem.rules.web_of_intrigue.state import UNSEEN, Square, TileId
from pbem.rules.web_of_intrigue.view import Own, Owned, View

UNKNOWN: Final = 0.35
"""Points for a square whose tile the seat has never seen."""
TOO_OLD: Final = 8
"""Turns after which a sighting counts no more."""
FADING: Final = 0.93
"""How likely a tile still lies where it was seen a turn before."""
BEST: Final = 3
"""So many objects count, as many as a turn has bids."""


class Prize(NamedTuple):
    """An object that a seat does not control, as far as it knows where it lies.

    Attributes:
        thing: The object.
        square: Where it lies, or lay when it was seen last.
        age: Turns since then.
        owned: Who controls it, or None.
        needed: The roll needed from the same square, without specials.
    """

    thing: Thing
    square: Square
    age: int
    owned: Owned | None
    needed: int


def winnable_from(facts: Facts, view: View, own: Own) -> dict[Square, list[tuple[Prize, int]]]:
    """Return what could be bid for from each square of the diamond with a chance, without specials.

    Args:
        facts: The facts.
        view: The seat's view.
        own: Its own side.

    Returns:
        The squares, those from which most can be won first, each with objects and the rolls they need, those
        first that promise most.
    """
    sides = facts.numbers.sides
    prizes = list(_prizes(facts, view, own))

    def promise(found: tuple[Prize, int]) -> float:
        prize, needed = found
        return prize.thing.vp * FADING**prize.age * winning_faces(facts, needed)

    found: dict[Square, list[tuple[Prize, int]]] = {}
    for square in view.web:
        near = (one for one in _from(facts, square, prizes) if one[1] <= sides)
        found[square] = sorted(near, key=promise, reverse=True)
    ranked = sorted(found, key=lambda square: -sum(map(promise, found[square][:BEST])))
    return {square: found[square] for square in ranked}


def best_square(
    facts: Facts, view: View, own: Own, worth: Worth, bidding: Mapping[TileId, float], dice: Dice
) -> Square:
    """Return the square of the diamond from which the most can be won and seen next turn.

    Args:
        facts: The facts.
        view: The seat's view.
        own: Its own side.
        worth: What objects are worth.
        bidding: How likely each bid of this turn wins; what is won need not be reached again.
        dice: Decides between equal squares.
    """
    prizes = list(_prizes(facts, view, own))
    values = {
        one.thing.id: worth.of(one.thing.id, one.owned.controller if one.owned else None)
        * FADING**one.age
        * (1 - bidding.get(one.thing.id, 0.0))
        for one in prizes
    }
    grid, radius = facts.grid, facts.numbers.radius
    unknown = {square for square in grid.squares if square not in view.web and square not in view.memory}

    def promise(square: Square) -> float:
        near = _from(facts, square, prizes)
        won = sorted((values[one.thing.id] * worth.odds(needed) for one, needed in near), reverse=True)
        new = sum(one in unknown for one in grid.diamond(square, radius)) if unknown else 0
        return sum(won[:BEST]) + UNKNOWN * new

    promises = {square: promise(square) for square in view.web}
    most = max(promises.values())
    return dice.pick([square for square, one in promises.items() if one >= most - 1e-9], "goal")


def _from(facts: Facts, square: Square, prizes: Iterable[Prize]) -> Iterator[tuple[Prize, int]]:
    """Yield what could be bid for from a square, each with the roll that it needs there."""
    for prize in prizes:
        if (steps := facts.grid.distance(square, prize.square)) <= facts.numbers.radius:
            yield prize, prize.needed - distance_modifier(facts, steps)


def _prizes(facts: Facts, view: View, own: Own) -> Iterator[Prize]:
    """Yield the objects that can be won on the spot, where they lie as far as the seat knows."""
    held = view.held
    stand = Stand(facts.house(own.house).id, held)
    places = {tile: (square, 0) for square, tile in view.web.items() if tile != UNSEEN}
    for square, seen in sorted(view.memory.items(), key=lambda entry: -entry[1].turn):
        if (age := view.turn - seen.turn) <= TOO_OLD:
            places.setdefault(seen.tile, (square, age))
    for tile, (square, age) in places.items():
        thing = facts.objects.get(tile)
        if thing is None or tile in held:
            continue
        owned = view.owners.get(tile)
        needed = needed_roll(thing, weigh(facts, stand, thing, 0, is_rivals=owned is not None))
        if needed <= facts.numbers.sides:
            yield Prize(thing, square, age, owned, needed)


def least_known(
    facts: Facts, view: View, own: Own, dice: Dice, but: Collection[Square] = ()
) -> Square | None:
    """Return a square to reveal: an obscured one, else the nearest never seen, else one seen longest ago."""
    obscured = [square for square, tile in view.web.items() if tile == UNSEEN and square not in but]
    if obscured:
        return dice.pick(obscured, "reveal")
    if view.options.reveal_reach == "diamond":
        return None
    far = [square for square in facts.grid.squares if square not in view.web and square not in but]

    def known(square: Square) -> tuple[int, int]:
        seen = view.memory.get(square)
        return (seen.turn, 0) if seen else (-1, facts.grid.distance(own.square, square))

    least = min(map(known, far), default=None)
    return dice.pick([square for square in far if known(square) == least], "reveal") if far else None
