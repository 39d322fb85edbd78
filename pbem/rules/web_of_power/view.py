"""What a seat may know: what lies on the table and its own hand, but neither the pile nor other hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from pbem.core.events import Seat
from pbem.rules.kit.later import Later, LaterByKey
from pbem.rules.kit.ranking import add_up
from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_power import scoring
from pbem.rules.web_of_power.board import Board, board_of
from pbem.rules.web_of_power.facts import Alliances, Facts, Limits, Place
from pbem.rules.web_of_power.orders import Seated
from pbem.rules.web_of_power.state import Card, Country, Player, Site, State

FREE = "free"


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
    chains: Mapping[Seat, scoring.Chains]
    places: Mapping[Country, Place]
    rows: tuple[tuple[str, ...], ...]
    limits: Limits

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


def build_view(facts: Facts, state: State, seat: Seat | None) -> View:
    """Return everything a seat may know of a state, field by field: from what lies open and its own hand.

    What is counted on the map, which is open to all, is counted when it is read.
    """
    board, lands, seats = board_of(facts, state), facts.lands, state.seats
    me = state.players[seat] if seat is not None else Player(hand=())
    lost = tuple(country for country in me.led if seat not in board.leaders(country))
    alliances = facts.alliances[state.alliances]
    chains = Later(lambda: {one: scoring.chains_of(board, one) for one in seats})
    return View(
        me=seat,
        to_move=None if state.ended else state.to_move,
        **same_fields(state, "starter", "half", "closing", "alliances", "next_in_turn", "face_up"),
        **same_fields(me, "hand", "news"),
        held={card: me.hand.count(card) for card in facts.counts},
        pile=len(state.pile),
        discards={card: state.discards.get(card, 0) for card in facts.counts},
        unseen=_unseen(facts, state, seat),
        sites={site: board.cloisters.get(site, FREE) for site in facts.home},
        free=LaterByKey(lands, lambda country: len(board.free_sites(country))),
        room=LaterByKey(lands, board.advisor_room),
        cloisters=LaterByKey(lands, lambda country: _all(seats, board.cloisters_in(country))),
        advisors=LaterByKey(lands, lambda country: _all(seats, board.advisors_in(country))),
        leads=LaterByKey(lands, board.leaders),
        worth=LaterByKey(lands, lambda one: _all(seats, scoring.score_country(board.cloisters_in(one)))),
        pacts=Later(lambda: _pacts(board, alliances)),
        players=_sides(state, board, alliances, chains),
        lost_lead=bool(lost),
        lost=lost,
        groups=_groups(board, seat),
        chains=Later(lambda: scoring.long_enough(facts, chains)),
        places=facts.places[state.alliances],
        rows=facts.rows,
        limits=facts.limits,
    )


def _unseen(facts: Facts, state: State, seat: Seat | None) -> dict[Card, int]:
    """Count what a seat has not seen: the deck less its hand, the open cards and what others took openly."""
    out = facts.removed[len(state.seats)]
    seen = list(state.face_up)
    for one, player in state.players.items():
        seen += player.hand if one == seat else player.known
    return {
        card: count - out - state.discards.get(card, 0) - seen.count(card)
        for card, count in facts.counts.items()
    }


def _all(seats: tuple[Seat, ...], found: Mapping[Seat, int]) -> dict[Seat, int]:
    """Return the number of each seat, 0 where there is none."""
    return {seat: found.get(seat, 0) for seat in seats}


def _pacts(board: Board, alliances: Alliances) -> dict[str, Mapping[Seat, int]]:
    """Return the points of the alliances that would score."""
    found = scoring.score_alliances(board, alliances)
    return {"_".join(alliances[number]): points for number, points in found.items()}


def _sides(
    state: State, board: Board, alliances: Alliances, chains: Mapping[Seat, scoring.Chains]
) -> Mapping[Seat, Side]:
    """Return what everybody sees of each seat."""
    points, is_over = {seat: player.points for seat, player in state.players.items()}, bool(state.ended)
    now = Later(
        lambda: points if is_over else add_up((points, scoring.final_points(board, chains, alliances)))
    )
    begun = {
        seat: partial(
            Side,
            **same_fields(player, "points", "known", "led", "news"),
            cards=len(player.hand),
            asks=player.asks + (seat == state.to_move and not is_over),
        )
        for seat, player in state.players.items()
    }

    def side(seat: Seat) -> Side:
        return begun[seat](
            now=now[seat],
            cloisters=board.cloisters_left(seat),
            advisors=board.advisors_left(seat),
            chain=max(map(len, chains[seat]), default=0),
        )

    return LaterByKey(state.seats, side)


def _groups(board: Board, seat: Seat | None) -> tuple[Group, ...]:
    facts = board.facts
    found = []
    for sites in scoring.find_groups(facts, board.sites_of(seat) if seat is not None else ()):
        near = {one for site in sites for one in facts.near[site]}
        grows = tuple(site for site in facts.home if site in near and site not in board.cloisters)
        found.append(Group(sites, len(scoring.longest_chain(facts, sites)), grows))
    return tuple(sorted(found, key=lambda group: -group.chain))
