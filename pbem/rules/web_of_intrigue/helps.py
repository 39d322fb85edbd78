"""What the specials in a diamond would do for the bids of its owner, before any is enacted."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from pbem.rules.web_of_intrigue.facts import Effect, Facts, Thing
from pbem.rules.web_of_intrigue.modifiers import bonus, distance_modifier
from pbem.rules.web_of_intrigue.moves import SPECIALS
from pbem.rules.web_of_intrigue.state import Category, Square, TileId

BONUSES: Final = ("category_bonus", "element_bonus", "adjacent_bonus", "ignore_distance")


class Helps:
    """The specials of a diamond that can help a bid, without those that the seat's own objects forbid."""

    def __init__(self, facts: Facts, web: Mapping[Square, TileId], held: Collection[TileId]) -> None:
        self.facts = facts
        self.found = [
            (special, square)
            for square, tile in web.items()
            if (special := facts.specials.get(tile)) is not None
            and special.effect.kind in BONUSES
            and not facts.bars(special.effect, held)
        ]

    def of(self, thing: Thing, square: Square, distance: int, element: str) -> dict[str, int]:
        """Return what each special would add to a bid for an object, the most first; none adds nothing.

        Args:
            thing: The object.
            square: Where it lies.
            distance: From the bidder.
            element: The element of its controller's House if that is certain, else "".
        """
        gains = {
            special.name: gain(
                self.facts, special.effect, thing.category, distance, self.facts.grid.distance(place, square)
            )
            for special, place in self.found
            if special.effect.kind != "element_bonus" or special.effect.element == element
        }
        return {name: gains[name] for name in sorted(gains, key=lambda one: -gains[one]) if gains[name] > 0}


def gain(facts: Facts, effect: Effect, category: Category, distance: int, apart: int) -> int:
    """Return what a special that is not barred adds to a bid.

    Args:
        facts: The facts.
        effect: What the special does.
        category: The object's category.
        distance: From the bidder to the object.
        apart: From the special's tile to the object.
    """
    match effect.kind:
        case "ignore_distance":
            return -distance_modifier(facts, distance)
        case "element_bonus":
            return effect.value
        case _:
            return bonus(effect, category, is_beside=apart == 1)


def at_best(needed: int, helped: Mapping[str, int]) -> int:
    """Return the roll that a bid needs after the best specials that can be enacted before it."""
    return needed - sum(sorted(helped.values())[-len(SPECIALS) :])
