"""What a seat may know: all but the pile and the cards that it has not seen in the hands of others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.rules.game_of_powers.state import Card, City, Deal, Direction, Section, Task, Token, Tokens


@dataclass(frozen=True, slots=True)
class Port:
    """A city of the board.

    Attributes:
        name: Its name.
        section: The colour of the cards that can be taken there.
        site: Whether cards can be played there.
        tokens: The influence tokens on its field.
        ships: The seats whose ships are there, in turn order.
    """

    name: str
    section: Section
    site: bool
    tokens: Tokens
    ships: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One seat as the viewer knows it.

    Attributes:
        city: Where its ship is; None before it is placed.
        direction: Which way round its bow points.
        ahead: The next city in that direction; None before the ship is placed.
        hand: How many cards it holds.
        known: Those of them that the viewer has seen there.
        tokens: Its influence tokens.
        held: How many tokens these are.
        played: The cards it has played, oldest first.
        sites: Played cards of each site.
        categories: Played cards of each category.
        tasks: Its task tokens, with their points.
        lacking: How many more cards it must play for each task that it has no token of.
        points: Points for played cards and task tokens, and those that it began with.
        start_points: Points that it began with; 0 without the option.
        bonus: What it would get for unplayed cards and tokens if the game ended now.
        asks: How often it was asked so far, the present ask included.
        traded: Whether a trade was made with it since its last turn.
        task_taken: Whether another has collected a task token since its last turn.
    """

    city: City | None
    direction: Direction
    ahead: City | None
    hand: int
    known: tuple[Card, ...]
    tokens: Tokens
    held: int
    played: tuple[Card, ...]
    sites: Mapping[str, int]
    categories: Mapping[str, int]
    tasks: Mapping[Task, int]
    lacking: Mapping[Task, int]
    points: int
    start_points: int
    bonus: int
    asks: int
    traded: bool
    task_taken: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The offer on the table, for one of the two it concerns.

    Attributes:
        by: The seat that made the offer or counter-offer that waits for an answer.
        gets: Tokens that the viewer would get.
        gets_cards: Cards that the viewer would get, in words.
        gives: Tokens that the viewer would give.
        gives_cards: Cards that the viewer would give, in words.
        deal: The offer as the seat that made it sees it.
        first: The first offer, if this is a counter-offer to it.
    """

    by: Seat
    gets: Tokens
    gets_cards: tuple[str, ...]
    gives: Tokens
    gives_cards: tuple[str, ...]
    deal: Deal
    first: Deal | None


@dataclass(frozen=True, slots=True)
class View:
    """The game as a seat sees it, in the words that conditions of orders use.

    Attributes:
        me: The seat; None for the spectator.
        asked: The seat that the game waits for; None when it is over.
        kind: What it is asked for: "start city", "move", "trade", "counter" or "over".
        to_move: The seat on turn.
        partner: The seat that a trade was offered to and is not settled with; None if there is none.
        order: The seats in turn order; the first has the first player card.
        players: What the viewer knows of each seat, in turn order.
        cities: The cities clockwise.
        fields: The cards that lie open in each section, by number.
        tasks: The points of the task tokens left of each task, the next one first.
        names: What the tasks are called.
        hand: The viewer's cards, by number.
        tokens: The viewer's influence tokens.
        shown: The seats that know a card of the viewer's hand, for each card that somebody knows.
        trade: The offer on the table, if it concerns the viewer.
        cards: What is printed on the cards in hand, in the open fields, and known in other hands.
        pool: Influence tokens beside the board.
        pile: Cards left to fill the fields, those under the pile included.
        under: The cards that were seen to go under the pile, next one first.
        box: Cards out of the game.
        may_trade: Whether trade is played with.
        limits: The numbers of the rules in force, such as the most cards in hand.
        last_round: Whether this is the last round.
        traded: Whether a trade was made with the viewer since its last turn.
        task_taken: Whether another has collected a task token since the viewer's last turn.
    """

    me: Seat | None
    asked: Seat | None
    kind: str
    to_move: Seat
    partner: Seat | None
    order: tuple[Seat, ...]
    players: Mapping[Seat, Side]
    cities: Mapping[City, Port]
    fields: Mapping[Section, tuple[Card, ...]]
    tasks: Mapping[Task, tuple[int, ...]]
    names: Mapping[Task, str]
    hand: tuple[Card, ...]
    tokens: Mapping[Token, int]
    shown: Mapping[Card, tuple[Seat, ...]]
    trade: Table | None
    cards: Mapping[Card, str]
    pool: Tokens
    pile: int
    under: tuple[Card, ...]
    box: tuple[Card, ...]
    may_trade: bool
    limits: Mapping[str, int]
    last_round: bool
    traded: bool
    task_taken: bool

    @property
    def own(self) -> Side:
        """What everybody sees of the viewer, which must be a seat."""
        assert self.me is not None, "a spectator has no side"
        return self.players[self.me]

    @property
    def berth(self) -> City:
        """The city of the viewer's ship, which must have been placed."""
        city = self.own.city
        assert city is not None, "a ship on turn was placed"
        return city

    @property
    def table(self) -> Table:
        """The offer on the table, which the viewer has to answer."""
        assert self.trade is not None, "there is an offer on the table"
        return self.trade

    def rivals(self) -> tuple[Seat, ...]:
        """Return the other seats, in turn order."""
        return tuple(seat for seat in self.order if seat != self.me)

    def rivals_at(self, city: City) -> tuple[Seat, ...]:
        """Return those of them whose ships are at a city."""
        return tuple(seat for seat in self.rivals() if self.players[seat].city == city)
