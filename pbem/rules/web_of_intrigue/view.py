"""What a seat may know: its own side, its diamond, and what is public (ruling 26)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.rules.web_of_intrigue.facts import Numbers
from pbem.rules.web_of_intrigue.state import Blight, Category, Guess, Options, Spotting, Square, TileId


@dataclass(frozen=True, slots=True)
class Offer:
    """An object in the diamond, and what a bid for it would come to now.

    Attributes:
        name: Its name.
        category: Its category.
        vp: What it is worth each turn.
        difficulty: What die and modifier must reach.
        square: Where it lies.
        distance: Steps from the seat.
        controller: Who controls it.
        element: The element of the controller's House, if only one is possible; else "".
        gives: What control of it adds to bids, in words.
        parts: What adds to the die, part by part.
        modifier: The sum of the parts.
        needed: The roll needed.
        faces: How many faces of the die win.
        helped: What each special in the diamond would add besides.
        at_best: The roll needed after the best specials.
    """

    name: str
    category: Category
    vp: int
    difficulty: int
    square: Square
    distance: int
    controller: Seat | None
    element: str
    gives: tuple[str, ...]
    parts: Mapping[str, int]
    modifier: int
    needed: int
    faces: int
    helped: Mapping[str, int]
    at_best: int


@dataclass(frozen=True, slots=True)
class Spot:
    """A special in the diamond.

    Attributes:
        name: Its name.
        effect: What it does, in words.
        subject: What an order must name besides; "" for nothing.
        square: Where it lies.
        distance: Steps from the seat.
        barred: What the seat controls makes it useless now.
    """

    name: str
    effect: str
    subject: str
    square: Square
    distance: int
    barred: bool


@dataclass(frozen=True, slots=True)
class Owned:
    """A controlled object, as all know it.

    Attributes:
        name: Its name.
        category: Its category.
        vp: What it is worth each turn.
        controller: Who controls it.
        gives: What control of it adds to bids, in words.
    """

    name: str
    category: Category
    vp: int
    controller: Seat
    gives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a seat saw on a square that is outside its diamond now, or obscured.

    Attributes:
        tile: The tile.
        name: Its name.
        what: An object's category, points and difficulty, or what a special does, in words.
        turn: The last turn in which the seat saw it there.
        gone: The seat has seen it elsewhere since.
    """

    tile: TileId
    name: str
    what: str
    turn: int
    gone: bool


@dataclass(frozen=True, slots=True)
class Face:
    """A player as everybody sees it.

    Attributes:
        points: Its points from objects: so far, or of the last turn in a snapshot.
        income: What its objects are worth each turn.
        bids: How often it bid for objects of each category.
        proven: What its House must add at least, by category, or it could not have won what it won.
    """

    points: int
    income: int
    bids: Mapping[Category, int]
    proven: Mapping[Category, int]


@dataclass(frozen=True, slots=True)
class Own:
    """A seat's own side.

    Attributes:
        house: The name of its House.
        element: The element of its House.
        modifiers: What its House adds to bids for each category.
        square: Where it stands.
        reach: Radius of its diamond.
        action_points: What it may spend this turn.
        total: Its victory points.
        objects: The part of them from objects.
        bonus: The part from right guesses.
        transfers: The part that specials moved.
        bonuses: The last turn's bonus for each player whose House it has guessed.
        suggestion: The victory target it suggested.
        guesses: Its guesses, oldest first.
        shrouds: Squares whose tiles it has obscured for the others.
        blights: Whom it took action points from for this turn.
    """

    house: str
    element: str
    modifiers: Mapping[Category, int]
    square: Square
    reach: int
    action_points: int
    total: int
    objects: int
    bonus: int
    transfers: int
    bonuses: Mapping[Seat, int]
    suggestion: int
    guesses: tuple[Guess, ...]
    shrouds: tuple[Square, ...]
    blights: tuple[Blight, ...]

    @property
    def known(self) -> set[Seat]:
        """The players whose House it has guessed."""
        return {guess.player for guess in self.guesses if guess.right}


@dataclass(frozen=True, slots=True)
class View:
    """The game as a seat sees it, in the words that conditions of orders use.

    Attributes:
        me: The seat; None for the spectator.
        turn: The turn that orders are asked for.
        over: The game is over.
        options: What the game is played with.
        numbers: The numbers of the rules.
        houses: The Houses there are, by name.
        categories: The kinds of objects.
        size: Squares in each row and column of the Web.
        own: The seat's own side; None for the spectator.
        web: The tile on each square of the diamond, row by row; "?" is obscured.
        diamond: The rows of the diamond as a map; None beside it.
        objects: The objects in the diamond, nearest first.
        specials: The specials in the diamond, nearest first.
        memory: What the seat saw earlier on other squares.
        spotted: Where it spotted players.
        owners: Every controlled object.
        players: What everybody sees of each seat.
        can_be: The Houses that each seat can have, by name: none but these fit what the reader knows.
    """

    me: Seat | None
    turn: int
    over: bool
    options: Options
    numbers: Numbers
    houses: tuple[str, ...]
    categories: tuple[Category, ...]
    size: int
    own: Own | None
    web: Mapping[Square, TileId]
    diamond: tuple[tuple[Square | None, ...], ...]
    objects: Mapping[TileId, Offer]
    specials: Mapping[TileId, Spot]
    memory: Mapping[Square, Remembered]
    spotted: Mapping[Seat, Spotting]
    owners: Mapping[TileId, Owned]
    players: Mapping[Seat, Face]
    can_be: Mapping[Seat, tuple[str, ...]]

    @property
    def held(self) -> frozenset[TileId]:
        """The objects that the seat controls."""
        return frozenset(tile for tile, owned in self.owners.items() if owned.controller == self.me)

    @property
    def others(self) -> list[Seat]:
        """The other seats."""
        return [seat for seat in self.players if seat != self.me]
