"""What a seat may know: what lies on the table and its own hand, but neither the pile nor other hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pbem.core.events import Seat
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.choosing import Seated
from pbem.rules.web_of_power.facts import Facts, Place
from pbem.rules.web_of_power.state import Card, Country, Site

FREE = "free"

Chains: TypeAlias = Mapping[Seat, tuple[tuple[Site, ...], ...]]


@dataclass(frozen=True, slots=True)
class Side:
    """One seat as everybody sees it.

    Attributes:
        points: Its points so far.
        now: Its points if the game ended now.
        cloisters: Its cloisters left.
        advisors: Its advisors left.
        cards: Cards in its hand.
        known: Those of them that all saw it take from the open cards.
        chain: The length of its longest chain.
        asks: How often it was asked so far, the present ask included.
        led: Countries in which it had or shared most cloisters when its last turn was over.
        news: Countries in which others placed pieces since then.
    """

    points: int
    now: int
    cloisters: int
    advisors: int
    cards: int
    known: tuple[Card, ...]
    chain: int
    asks: int
    led: tuple[Country, ...]
    news: tuple[Country, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Cloisters of a seat that roads join.

    Attributes:
        sites: All of them.
        chain: The length of the longest chain among them.
        grows: The free sites that a road joins to them.
    """

    sites: tuple[Site, ...]
    chain: int
    grows: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The game as a seat sees it, in the words that conditions of orders use.

    Attributes:
        me: The seat; None for the spectator.
        to_move: The seat on turn; None when the game is over.
        starter: The seat with the start marker.
        half: 1 or 2.
        closing: Whether the last turns are played, and nobody draws any more.
        alliances: The set of alliances in force.
        next_in_turn: Whether the second half begins with the seat that is next.
        hand: My cards, in card order; empty for the spectator.
        held: How many I have of each type of card.
        face_up: The open cards, oldest first.
        pile: Cards in the pile.
        discards: Cards of each type on the discard pile.
        unseen: Cards of each type in the pile and in other hands, as far as I have not seen them.
        sites: The owner of each site, or "free".
        free: Free sites of each country.
        room: Advisors that each country still takes.
        cloisters: Cloisters of each seat in each country.
        advisors: Advisors of each seat in each country.
        leads: Who has or shares most cloisters in each country.
        worth: Points of each seat for its cloisters in each country, as they would be scored now.
        pacts: The alliances that would score now, with the points of the seats that get any.
        players: What everybody sees of each seat.
        lost_lead: Whether there is any country in `lost`.
        lost: Countries in which I had or shared most cloisters after my last turn, and have not now.
        news: Countries in which others placed pieces since my last turn.
        groups: My cloisters in groups that roads join, the longest chain first.
        chains: The chains of each seat that would score now, longest first; only of seats that have any.
        places: What is always the same about each country.
        rows: The countries as the map lays them out; "" is sea.
        limits: The numbers of the rules.
    """

    me: Seat | None
    to_move: Seat | None
    starter: Seat
    half: int
    closing: bool
    alliances: str
    next_in_turn: bool
    hand: tuple[Card, ...]
    held: Mapping[Card, int]
    face_up: tuple[Card, ...]
    pile: int
    discards: Mapping[Card, int]
    unseen: Mapping[Card, int]
    sites: Mapping[Site, str]
    free: Mapping[Country, int]
    room: Mapping[Country, int]
    cloisters: Mapping[Country, Mapping[Seat, int]]
    advisors: Mapping[Country, Mapping[Seat, int]]
    leads: Mapping[Country, tuple[Seat, ...]]
    worth: Mapping[Country, Mapping[Seat, int]]
    pacts: Mapping[str, Mapping[Seat, int]]
    players: Mapping[Seat, Side]
    lost_lead: bool
    lost: tuple[Country, ...]
    news: tuple[Country, ...]
    groups: tuple[Group, ...]
    chains: Chains
    places: Mapping[Country, Place]
    rows: tuple[tuple[str, ...], ...]
    limits: Mapping[str, int]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, clockwise."""
        return tuple(self.players)


def board_seen(facts: Facts, view: View) -> Board:
    """Return the map with its pieces, as a view shows them."""
    taken = {site: Seat(owner) for site, owner in view.sites.items() if owner != FREE}
    return Board(facts, taken, view.advisors)


def seated(facts: Facts, view: View, seat: Seat) -> Seated:
    """Return the owner of a view as a seat that is to act."""
    return Seated(board_seen(facts, view), seat, view.hand, view.alliances)
