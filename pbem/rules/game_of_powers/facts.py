"""The sea, the cards, the tokens and the tasks, as the rules use them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pbem.rules.game_of_powers.state import (
    CLOCKWISE,
    WAYS,
    Card,
    Category,
    City,
    Direction,
    Section,
    Task,
    Token,
    Tokens,
    Wish,
)
from pbem.rules.kit.ranking import count_each
from pbem.rules.kit.words import count


@dataclass(frozen=True, slots=True)
class Harbour:
    """A city of the board: its name, the colour of its field, and whether cards can be played there."""

    name: str
    section: Section
    is_site: bool


@dataclass(frozen=True, slots=True)
class Face:
    """What is printed on a card.

    Attributes:
        name: The artefact.
        site: The city it comes from, and where it can be played.
        category: The kind of find.
        token: The type of token it costs.
        score: Its victory points, and how many more spaces a ship sails for it.
    """

    name: str
    site: City
    category: Category
    token: Token
    score: int


@dataclass(frozen=True, slots=True)
class Prerequisite:
    """What a task asks for: `each` played cards in `groups` different sites or categories.

    Attributes:
        name: The task in words.
        by: What the played cards are sorted by.
        of: The one site or category that counts; "" if any does.
        groups: How many sites or categories.
        each: How many cards in each of them.
        values: The points of its tokens, the first one's first.
    """

    name: str
    by: Literal["site", "category"]
    of: str
    groups: int
    each: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that is the same in every game.

    Attributes:
        ring: The cities clockwise; the last is next to the first.
        cities: The cities.
        sites: Those of them that cards come from, clockwise.
        sections: How many cards lie open in each section.
        types: The types of tokens.
        per_type: Tokens of each type.
        per_field: Tokens on a full field.
        categories: The categories of cards.
        cards: The cards by number.
        tasks: The tasks.
        names: What cities and tasks are called, by id.
        hand_limit: The most cards in hand.
        token_limit: The most tokens of a player.
        free_spaces: How far a ship sails without a card.
        taken_tokens: Tokens taken in one action.
        taken_cards: Cards taken in one action.
        first_card: Tokens that the first card played in a turn costs.
        next_cards: Tokens that each further one costs.
        dealt: Cards dealt to each player.
        seats_to_box: Up to so many players cards used to sail leave the game.
        alone: Bonus for most unplayed cards and tokens.
        shared: Bonus for each of two who have equally many.
    """

    ring: tuple[City, ...]
    cities: Mapping[City, Harbour]
    sites: tuple[City, ...]
    sections: Mapping[Section, int]
    types: tuple[Token, ...]
    per_type: int
    per_field: int
    categories: tuple[Category, ...]
    cards: Mapping[Card, Face]
    tasks: Mapping[Task, Prerequisite]
    names: Mapping[str, str]
    hand_limit: int
    token_limit: int
    free_spaces: int
    taken_tokens: int
    taken_cards: int
    first_card: int
    next_cards: int
    dealt: int
    seats_to_box: int
    alone: int
    shared: int

    def ahead(self, city: City, direction: Direction, spaces: int = 1) -> City:
        """Return the city so many spaces from another one in a direction."""
        step = spaces if direction == CLOCKWISE else -spaces
        return self.ring[(self.ring.index(city) + step) % len(self.ring)]

    def heading(self, city: City, facing: str) -> Direction | None:
        """Return the direction of a ship at a city that faces a direction or a city next to it, or None."""
        return next((way for way in WAYS if facing in (way, self.ahead(city, way))), None)

    def near(self, city: City, direction: Direction) -> tuple[City, ...]:
        """Return the cities that a ship can sail to from another one without a card, the next one first."""
        return tuple(self.ahead(city, direction, step) for step in range(1, self.free_spaces + 1))

    def spaces(self, start: City, end: City, direction: Direction) -> int:
        """Return how many spaces one city is from another in a direction; 0 is the same city."""
        there = self.ring.index(end) - self.ring.index(start)
        return (there if direction == CLOCKWISE else -there) % len(self.ring)

    def in_order(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Return cards by number."""
        return tuple(sorted(cards, key=int))

    def best_first(self, cards: Iterable[Card]) -> list[Card]:
        """Return cards, those of the most points first; equal ones by number."""
        return sorted(self.in_order(cards), key=lambda card: -self.cards[card].score)

    def cheapest(self, cards: Iterable[Card]) -> list[Card]:
        """Return cards, those of the fewest points first; equal ones by number."""
        return sorted(cards, key=lambda card: (self.cards[card].score, int(card)))

    def title(self, card: Card) -> str:
        """Return a card as sentences name it."""
        return f"{self.cards[card].name} ({card})"

    def line(self, card: Card) -> str:
        """Return all of a card in columns: points, site, category, token, artefact."""
        face = self.cards[card]
        site = self.cities[face.site].name
        return f"{face.score:>2}  {site:<12}{face.category:<11}{face.token:<12}{face.name}"

    def fits(self, card: Card, wish: Wish) -> bool:
        """Tell whether a card is what is wished for."""
        face = self.cards[card]
        return (
            wish.card in ("", card)
            and wish.site in ("", face.site)
            and wish.category in ("", face.category)
            and wish.token in ("", face.token)
            and wish.score <= face.score
        )

    def count_by(self, cards: Iterable[Card], by: str) -> Mapping[str, int]:
        """Return how many of these cards there are of each site or category; all are there."""
        groups: tuple[str, ...] = self.sites if by == "site" else self.categories
        return count_each(groups, (getattr(self.cards[card], by) for card in cards))

    def points_of(self, cards: Iterable[Card]) -> int:
        """Return the victory points of cards."""
        return sum(self.cards[card].score for card in cards)

    def in_words(self, tokens: Tokens) -> tuple[str, ...]:
        """Return tokens as words, in the order of the types: ("military", "2 religious")."""
        counts = {one: tokens.get(one, 0) for one in self.types}
        return tuple(f"{count} {one}" if count > 1 else str(one) for one, count in counts.items() if count)

    def tokens_in_words(self, tokens: Tokens) -> tuple[str, ...]:
        """Return tokens as a sentence has them: ("1 military token", "2 religious tokens")."""
        held = ((one, tokens.get(one, 0)) for one in self.types)
        return tuple(count(number, f"{one} token") for one, number in held if number)

    def is_resting(self, seats: Collection[object]) -> bool:
        """Tell whether cards that are returned to sail leave the game, with these seats at the table.

        Source: rulebook, "Move", NOTE 1: out of the game with two or three players, under the pile with more.
        """
        return len(seats) <= self.seats_to_box

    def no_tokens(self) -> Tokens:
        """Return none of every type."""
        return dict.fromkeys(self.types, 0)

    def count_tokens(self, tokens: Iterable[Token]) -> Tokens:
        """Return how many of each type there are; every type is there."""
        return count_each(self.types, tokens)


def plus(tokens: Tokens, more: Tokens) -> Tokens:
    """Return tokens with others added."""
    return {one: count + more.get(one, 0) for one, count in tokens.items()}


def minus(tokens: Tokens, less: Tokens) -> Tokens:
    """Return tokens with others taken away."""
    return {one: count - less.get(one, 0) for one, count in tokens.items()}


def total(tokens: Tokens) -> int:
    """Return how many tokens there are of all types."""
    return sum(tokens.values())
