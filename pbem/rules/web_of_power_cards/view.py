"""What a seat may know, in the words that conditions of orders use: all but law cards that lie face down."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from pbem.core.events import Seat
from pbem.rules.kit.later import LaterByKey
from pbem.rules.web_of_power_cards.scoring import Column
from pbem.rules.web_of_power_cards.state import Card, Country, Law
from pbem.rules.web_of_power_cards.table import Table

ON_TABLE: Final = "table"
"""The holder of a card that nobody has taken."""


@dataclass(frozen=True, slots=True)
class Place:
    """One land card and where it is.

    Attributes:
        country: Its country.
        symbol: The type of its circle symbols; None if it has none.
        symbols: How many there are.
        route: "ship", "carriage" or None.
        holder: The seat that took it, or "table".
        depth: How many cards must go before it is at an end of its row; None if it was taken.
        stone: The owner of the claiming stone on it, or None.
        law: Whether a law card lies on it.
    """

    country: Country
    symbol: str | None
    symbols: int
    route: str | None
    holder: str
    depth: int | None
    stone: Seat | None
    law: bool


class Lying(LaterByKey[Card, Place]):
    """Every land card with where it is, worked out when it is read; the table is known from the start."""

    __slots__ = ("table",)

    def __init__(self, table: Table, cards: Collection[Card], place: Callable[[Card], Place]) -> None:
        super().__init__(cards, place)
        self.table = table


@dataclass(frozen=True, slots=True)
class Side:
    """One seat as everybody sees it.

    Attributes:
        points: Its points if the game ended now; a penalty counts for the seat itself only, before the end.
        cards: Its land cards, in the order in which it took them.
        lands: How many it has of each country.
        routes: How many ships and carriages.
        stones: The cards that its claiming stones lie on.
        reserve: Its stones that lie before it.
        removed: Its stones that are out of the game.
        laws: How many law cards lie face down before it.
        shown: Its law cards when the game is over.
        lost: The cards under its stones that others have taken since its last turn.
        asks: How often it was asked so far, skipped turns and the present ask included.
    """

    points: int
    cards: tuple[Card, ...]
    lands: Mapping[Country, int]
    routes: Mapping[str, int]
    stones: tuple[Card, ...]
    reserve: int
    removed: int
    laws: int
    shown: tuple[Law, ...]
    lost: tuple[Card, ...]
    asks: int


class Sitting(LaterByKey[Seat, Side]):
    """What everybody sees of each seat, worked out when it is read; the cards are known from the start."""

    __slots__ = ("held",)

    def __init__(self, held: Mapping[Seat, tuple[Card, ...]], side: Callable[[Seat], Side]) -> None:
        super().__init__(held, side)
        self.held = held


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is fixed for a game.

    Attributes:
        columns: Cards that were dealt to each row.
        limit: Circle symbols that may be taken in one turn.
        limit_with_law: The same with the law card for it.
        chain: From so many ships or carriages on each counts.
        penalty: What a law card of minus two points costs.
        most_on_cards: How many stones of one seat may lie on cards.
        own_claim_free: Whether a card under an own stone may be taken although another could be.
    """

    columns: int
    limit: int
    limit_with_law: int
    chain: int
    penalty: int
    most_on_cards: int
    own_claim_free: bool


@dataclass(frozen=True, slots=True)
class View:
    """The game as a seat sees it, in the words that conditions of orders use.

    Attributes:
        me: The seat; None for the spectator.
        to_move: The seat on turn; None when the game is over.
        left: How many land cards lie on the table.
        ends: The cards at the ends of the rows.
        can_take: Those that I could take first if I were on turn.
        laws: My law cards.
        lost: The cards under my stones that others have taken since my last turn.
        lost_claim: Whether there are any.
        cards: Every land card, row by row as they were dealt.
        players: What everybody sees of each seat, in seating order.
        chart: The score chart if the game ended now.
        played: The law cards that were played, oldest first.
        unseen: How many law cards of each type I have not seen.
        skips: How many turns in a row were skipped up to now.
        countries: How many cards each country has, in the order of scoring.
        names: The names of the countries.
        law_names: The names of the law cards.
        numbers: What else is fixed for the game.
    """

    me: Seat | None
    to_move: Seat | None
    left: int
    ends: tuple[Card, ...]
    can_take: tuple[Card, ...]
    laws: tuple[Law, ...]
    lost: tuple[Card, ...]
    lost_claim: bool
    cards: Lying
    players: Sitting
    chart: Mapping[Seat, Column]
    played: tuple[Law, ...]
    unseen: Mapping[Law, int]
    skips: int
    countries: Mapping[Country, int]
    names: Mapping[Country, str]
    law_names: Mapping[Law, str]
    numbers: Numbers

    def is_asked(self) -> bool:
        """Tell whether I am on turn and not skipped: I can take a card, or hold a law card that may help."""
        if self.me is None or self.me != self.to_move:
            return False
        return bool(self.can_take) or bool(self.laws and self.players[self.me].removed)

    def held(self) -> Mapping[Seat, tuple[Card, ...]]:
        """Return the land cards of each seat."""
        return self.players.held

    def table(self) -> Table:
        """Return what lies open as a table, for trying out turns."""
        return self.cards.table
