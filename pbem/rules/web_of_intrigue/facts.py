"""What is the same in every game: the tiles, the Houses and the numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.rules.web_of_intrigue.grid import Grid
from pbem.rules.web_of_intrigue.state import Category, HouseId, TileId

EFFECTS: Final[Mapping[str, tuple[str, ...]]] = {
    "view_radius": ("",),
    "random_guess": ("",),
    "reveal_tile": ("square",),
    "reveal_player": ("player",),
    "category_bonus": ("",),
    "element_bonus": ("",),
    "adjacent_bonus": ("",),
    "ignore_distance": ("",),
    "exchange_tiles": ("squares",),
    "transfer_vp": ("",),
    "shift_row": ("row",),
    "shift_column": ("column",),
    "points_next_turn": ("", "player"),
    "obscure_tile": ("square",),
}
"""The kinds of effect, and what the order of such a special must name besides."""


@dataclass(frozen=True, slots=True)
class Thing:
    """An object that can be controlled; `gives` says in words what control of it adds to bids."""

    id: TileId
    name: str
    category: Category
    vp: int
    difficulty: int
    gives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """What a special does.

    Attributes:
        kind: One of EFFECTS.
        subject: What an order must name besides: "", "square", "squares", "row", "column" or "player".
        value: Its number, where it has one.
        category: The category that a bonus is for.
        unless: The category of which the bidder must control nothing.
        element: The element of the controller that a bonus is against.
        direction: Where tiles go: "left", "right", "up" or "down".
    """

    kind: str
    subject: str = ""
    value: int = 0
    category: str = ""
    unless: str = ""
    element: str = ""
    direction: str = ""

    @property
    def step(self) -> int:
        """How a line moves: 1 to the right or down, -1 to the left or up."""
        return -1 if self.direction in ("left", "up") else 1


@dataclass(frozen=True, slots=True)
class Special:
    """A tile that can be enacted."""

    id: TileId
    name: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class House:
    """A House of the Zodiac, and what it adds when it bids for each category."""

    id: HouseId
    name: str
    element: str
    modifiers: Mapping[Category, int]


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of the game.

    Attributes:
        points: Action points of a turn.
        radius: Of the diamond.
        sides: Of the die.
        near: Modifier for each distance from 0.
        each_further: Added to the last of them for every step beyond.
        rival: Modifier when another player controls the object.
        one_in: The share of a right guess: one in so many points.
        wrong_costs: Points that a wrong guess costs where it is not free.
        lowest: The lowest suggestion for the target.
        highest: The highest.
        unsaid: What counts for a seat that suggests nothing.
        start_distance: Between any two players at the start, where there is room.
    """

    points: int
    radius: int
    sides: int
    near: tuple[int, ...]
    each_further: int
    rival: int
    one_in: int
    wrong_costs: int
    lowest: int
    highest: int
    unsaid: int
    start_distance: int


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that is the same in every game.

    Attributes:
        grid: The squares.
        categories: The kinds of objects.
        objects: By id, in the order of the tables.
        specials: By id.
        houses: By id.
        gains: For each object, what control of each other object adds to bids for it.
        numbers: The numbers.
        titles: The name of every tile and House by its id.
        ids: The id of every tile by each name it answers to.
        house_ids: The same for the Houses.
    """

    grid: Grid
    categories: tuple[Category, ...]
    objects: Mapping[TileId, Thing]
    specials: Mapping[TileId, Special]
    houses: Mapping[HouseId, House]
    gains: Mapping[TileId, Mapping[TileId, int]]
    numbers: Numbers
    titles: Mapping[str, str]
    ids: Mapping[str, TileId]
    house_ids: Mapping[str, HouseId]

    def name(self, one: str) -> str:
        """Return the name of a tile or a House; anything else as it is."""
        return self.titles.get(one, one)

    def find_tile(self, text: str) -> str:
        """Return the id of the tile that a player means, or the text as it is."""
        return _found(self.ids, text)

    def find_house(self, text: str) -> str:
        """Return the id of the House that a player means, or the text as it is."""
        return _found(self.house_ids, text)

    def house(self, name: str) -> House:
        """Return the House of a name."""
        return self.houses[HouseId(self.find_house(name))]

    def elements(self, houses: Iterable[str]) -> set[str]:
        """Return the elements of Houses, by their names."""
        return {self.house(name).element for name in houses}

    def vp(self, tiles: Iterable[TileId]) -> int:
        """Return the victory points of objects."""
        return sum(self.objects[tile].vp for tile in tiles)

    def bars(self, effect: Effect, held: Collection[TileId]) -> bool:
        """Tell whether what a seat controls makes a special useless to it (rules 5.1, ruling 22)."""
        return bool(effect.unless) and any(self.objects[tile].category == effect.unless for tile in held)


def _found(ids: Mapping[str, str], text: str) -> str:
    """Return the id of a name; most are written as they are looked up but for their case."""
    return ids.get(text.casefold()) or ids.get(plain(text), text)


def plain(text: str) -> str:
    """Return a name as it is looked up: letters and digits of words, without case and leading article."""
    words = [word for word in re.split(r"[\W_]+", text.casefold()) if word not in ("", "the")]
    return " ".join(words[1:] if len(words) > 1 and words[0] == "house" else words)
