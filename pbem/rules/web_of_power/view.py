"""What a seat may know: what lies on the table and its own hand, but neither the pile nor other hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

from pbem.core.events import Seat
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.choosing import Seated
from pbem.rules.web_of_power.course import board_of
from pbem.rules.web_of_power.facts import Facts, Place
from pbem.rules.web_of_power.scoring import (
    chains_of,
    final_points,
    find_groups,
    longest_chain,
    score_alliances,
    score_chain,
    score_country,
)
from pbem.rules.web_of_power.state import Card, Country, Site, State

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
    advisors = {
        country: {seat: count for seat, count in held.items() if count}
        for country, held in view.advisors.items()
    }
    taken = {site: Seat(owner) for site, owner in view.sites.items() if owner != FREE}
    return Board(facts, taken, advisors)


def seated(facts: Facts, view: View, seat: Seat) -> Seated:
    """Return the owner of a view as a seat that is to act."""
    return Seated(board_seen(facts, view), seat, view.hand, view.alliances)


def build_view(facts: Facts, state: State, seat: Seat | None) -> View:
    """Return everything a seat may know of a state, field by field."""
    board, lands, seats = board_of(facts, state), facts.lands, state.seats
    chains = {one: chains_of(board, one) for one in seats}
    hand = state.players[seat].hand if seat is not None else ()
    cloisters = {country: board.cloisters_in(country) for country in lands}
    advisors = {country: board.advisors_in(country) for country in lands}
    leads = {country: board.leaders(country) for country in lands}
    led = state.players[seat].led if seat is not None else ()
    lost = tuple(country for country in led if seat not in leads[country])
    return View(
        me=seat,
        to_move=None if state.ended else state.to_move,
        starter=state.starter,
        half=state.half,
        closing=state.closing,
        alliances=state.alliances,
        next_in_turn=state.next_in_turn,
        hand=hand,
        held={card: hand.count(card) for card in facts.counts},
        face_up=state.face_up,
        pile=len(state.pile),
        discards={card: state.discards.get(card, 0) for card in facts.counts},
        unseen=_unseen(facts, state, seat),
        sites={site: board.cloisters.get(site, FREE) for site in facts.home},
        free={country: len(board.free_sites(country)) for country in lands},
        room={country: board.advisor_room(country) for country in lands},
        cloisters={country: {one: cloisters[country].get(one, 0) for one in seats} for country in lands},
        advisors={country: {one: advisors[country].get(one, 0) for one in seats} for country in lands},
        leads=leads,
        worth={country: _worth(cloisters[country], seats) for country in lands},
        pacts=_pacts(facts, state, board),
        players=_sides(facts, state, board, chains),
        lost_lead=bool(lost),
        lost=lost,
        news=state.players[seat].news if seat is not None else (),
        groups=_groups(board, seat),
        chains=_scoring(facts, chains),
        places=facts.places[state.alliances],
        rows=facts.rows,
        limits=asdict(facts.limits),
    )


def _unseen(facts: Facts, state: State, seat: Seat | None) -> dict[Card, int]:
    """Count what a seat has not seen: the deck less its hand, the open cards and what others took openly."""
    left = Counter(facts.deck(len(state.seats)))
    left.subtract(state.face_up)
    left.subtract(dict(state.discards))
    for one in state.seats:
        left.subtract(state.players[one].hand if one == seat else state.players[one].known)
    return {card: left[card] for card in facts.counts}


def _worth(held: Mapping[Seat, int], seats: tuple[Seat, ...]) -> dict[Seat, int]:
    points = score_country(held)
    return {seat: points.get(seat, 0) for seat in seats}


def _pacts(facts: Facts, state: State, board: Board) -> dict[str, Mapping[Seat, int]]:
    pairs = {one.number: one.countries for one in facts.alliances[state.alliances]}
    found = score_alliances(board, facts.alliances[state.alliances])
    return {"_".join(pairs[number]): points for number, points in found.items()}


def _scoring(facts: Facts, chains: Chains) -> Chains:
    """Return the chains that are long enough to score."""
    found = {seat: tuple(one for one in own if score_chain(facts, len(one))) for seat, own in chains.items()}
    return {seat: own for seat, own in found.items() if own}


def _sides(facts: Facts, state: State, board: Board, found: Chains) -> dict[Seat, Side]:
    chains = {seat: [len(chain) for chain in own] for seat, own in found.items()}
    if state.ended:
        coming = dict.fromkeys(state.seats, 0)
    else:
        coming = final_points(board, chains, facts.alliances[state.alliances])
    return {seat: _side(state, board, seat, coming[seat], chains[seat]) for seat in state.seats}


def _side(state: State, board: Board, seat: Seat, coming: int, chains: list[int]) -> Side:
    player = state.players[seat]
    return Side(
        points=player.points,
        now=player.points + coming,
        cloisters=board.cloisters_left(seat),
        advisors=board.advisors_left(seat),
        cards=len(player.hand),
        known=player.known,
        chain=max(chains, default=0),
        asks=player.asks + (seat == state.to_move and not state.ended),
        led=player.led,
        news=player.news,
    )


def _groups(board: Board, seat: Seat | None) -> tuple[Group, ...]:
    facts = board.facts
    found = []
    for sites in find_groups(facts, board.sites_of(seat) if seat is not None else ()):
        near = {one for site in sites for one in facts.near[site]}
        grows = tuple(site for site in facts.home if site in near and site not in board.cloisters)
        found.append(Group(sites, len(longest_chain(facts, sites)), grows))
    return tuple(sorted(found, key=lambda group: -group.chain))
