"""The roll that a bid needs: what adds to the die, and what takes away.

Source: rules 4, 4.1, 5.1 and the examples of 6.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from pbem.rules.web_of_intrigue.facts import Effect, Facts, Thing
from pbem.rules.web_of_intrigue.state import Category, HouseId, Square, TileId

HOUSE, DISTANCE, CONTROL = "House", "distance", "control"


class Stand(NamedTuple):
    """A bidder at the moment of a bid.

    Attributes:
        house: Its House; None leaves the House out, as for readers who do not know it.
        held: The objects it controls.
        enacted: The specials it enacted this turn so far.
    """

    house: HouseId | None
    held: Collection[TileId]
    enacted: Collection[TileId] = ()


def distance_modifier(facts: Facts, distance: int) -> int:
    """Return what a distance adds to the die, 0 or less.

    Source: rules 4; ruling 1.2, beyond the table -(2d - 1).
    """
    near = facts.numbers.near
    if distance < len(near):
        return near[distance]
    return near[-1] + facts.numbers.each_further * (distance - len(near) + 1)


def weigh(
    facts: Facts,
    stand: Stand,
    thing: Thing,
    distance: int,
    *,
    is_rivals: bool,
    beside: Collection[TileId] = (),
) -> dict[str, int]:
    """Return what adds to the die of a bid, part by part; parts of 0 are left out.

    Args:
        facts: The facts.
        stand: The bidder.
        thing: The object.
        distance: From the bidder to the object.
        is_rivals: Another player controls the object.
        beside: The enacted specials that lie beside the object at this moment (ruling 12).

    Returns:
        The parts by name, without the elements' bonuses, which hang on a secret House (ruling 23).

    Source: rules 4, 4.1, 5.1 and the examples of 6.
    """
    parts: dict[str, int] = {}
    enacted = [facts.specials[name] for name in stand.enacted]
    if stand.house is not None:
        parts[HOUSE] = facts.houses[stand.house].modifiers[thing.category]
    if not any(special.effect.kind == "ignore_distance" for special in enacted):
        parts[DISTANCE] = distance_modifier(facts, distance)
    if is_rivals:
        parts[CONTROL] = facts.numbers.rival
    for holder, value in facts.gains[thing.id].items():
        if holder in stand.held:
            parts[facts.objects[holder].name] = value
    for special in enacted:
        if not facts.bars(special.effect, stand.held):
            parts[special.name] = bonus(special.effect, thing.category, is_beside=special.id in beside)
    return {name: value for name, value in parts.items() if value}


def weigh_from(
    facts: Facts,
    stand: Stand,
    thing: Thing,
    here: Square,
    where: Mapping[TileId, Square],
    *,
    is_rivals: bool,
) -> dict[str, int]:
    """Return the same for a bidder on a square, with the tiles lying where they do at this moment.

    Source: rules 3.1; rulings 11 and 12.
    """
    grid, there = facts.grid, where[thing.id]
    beside = [one for one in stand.enacted if one in where and grid.distance(where[one], there) == 1]
    return weigh(facts, stand, thing, grid.distance(here, there), is_rivals=is_rivals, beside=beside)


def bonus(effect: Effect, category: Category, *, is_beside: bool) -> int:
    """Return what a special that is not barred adds to a bid, whoever controls the object.

    Args:
        effect: What the special does.
        category: The object's category.
        is_beside: The special's tile lies beside the object.

    Source: rules 5.1; rulings 12 and 22, tested at the moment of the bid.
    """
    helps = is_beside if effect.kind == "adjacent_bonus" else effect.category == category
    return effect.value if helps else 0


def element_bonuses(facts: Facts, enacted: Collection[TileId]) -> dict[str, int]:
    """Return what enacted specials add against an object's controller of each element.

    Source: rules 5.1; ruling 23.
    """
    found: dict[str, int] = {}
    for name in enacted:
        effect = facts.specials[name].effect
        if effect.kind == "element_bonus":
            found[effect.element] = found.get(effect.element, 0) + effect.value
    return found


def needed_roll(thing: Thing, parts: Mapping[str, int]) -> int:
    """Return what the die must show at least; any roll will do from 1 down, none above its sides.

    Source: rules 4 and the examples of 6.
    """
    return thing.difficulty - sum(parts.values())


def winning_faces(facts: Facts, needed: int) -> int:
    """Return how many faces of the die win."""
    sides = facts.numbers.sides
    return max(0, min(sides, sides + 1 - needed))
