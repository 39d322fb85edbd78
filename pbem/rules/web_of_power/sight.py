"""How a view is made from the state: field by field, from what lies open and the seat's own hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from pbem.core.events import Seat
from pbem.rules.kit.later import Later, LaterByKey
from pbem.rules.kit.tables import same_fields
from pbem.rules.web_of_power import scoring
from pbem.rules.web_of_power.board import Board
from pbem.rules.web_of_power.course import board_of
from pbem.rules.web_of_power.facts import Alliance, Facts
from pbem.rules.web_of_power.state import Card, State
from pbem.rules.web_of_power.view import FREE, Chains, Group, Side, View


def build_view(facts: Facts, state: State, seat: Seat | None) -> View:
    """Return everything a seat may know of a state, field by field.

    What is counted on the map, which is open to all, is counted when it is read.
    """
    board, lands, seats = board_of(facts, state), facts.lands, state.seats
    me = state.players[seat] if seat is not None else None
    hand = me.hand if me is not None else ()
    led = me.led if me is not None else ()
    lost = tuple(country for country in led if seat not in board.leaders(country))
    owners, counted = board.cloisters, _Counted(board, seats, facts.alliances[state.alliances])
    return View(
        me=seat,
        to_move=None if state.ended else state.to_move,
        **same_fields(state, "starter", "half", "closing", "alliances", "next_in_turn", "face_up"),
        hand=hand,
        held={card: hand.count(card) for card in facts.counts},
        pile=len(state.pile),
        discards={card: state.discards.get(card, 0) for card in facts.counts},
        unseen=_unseen(facts, state, seat),
        sites={site: owners.get(site, FREE) for site in facts.home},
        free=LaterByKey(lands, lambda country: len(board.free_sites(country))),
        room=LaterByKey(lands, board.advisor_room),
        cloisters=LaterByKey(lands, lambda country: _all(seats, board.cloisters_in(country))),
        advisors=LaterByKey(lands, lambda country: _all(seats, board.advisors.get(country, {}))),
        leads=LaterByKey(lands, board.leaders),
        worth=LaterByKey(
            lands, lambda country: _all(seats, scoring.score_country(board.cloisters_in(country)))
        ),
        pacts=Later(counted.pacts),
        players=_sides(state, counted),
        lost_lead=bool(lost),
        lost=lost,
        news=me.news if me is not None else (),
        groups=_groups(board, seat),
        chains=Later(counted.scoring),
        places=facts.places[state.alliances],
        rows=facts.rows,
        limits=facts.numbers,
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


@dataclass(frozen=True)
class _Counted:
    """What is counted on the map for all seats, each when it is first asked for."""

    board: Board
    seats: tuple[Seat, ...]
    alliances: tuple[Alliance, ...]

    @cached_property
    def chains(self) -> Chains:
        """The longest chain of each group of each seat, longest first."""
        return {seat: scoring.chains_of(self.board, seat) for seat in self.seats}

    @cached_property
    def coming(self) -> Mapping[Seat, int]:
        """What each seat would score if the game ended now."""
        lengths = {seat: [len(chain) for chain in own] for seat, own in self.chains.items()}
        return scoring.final_points(self.board, lengths, self.alliances)

    def pacts(self) -> dict[str, Mapping[Seat, int]]:
        """Return the points of the alliances that would score."""
        pairs = {one.number: one.countries for one in self.alliances}
        found = scoring.score_alliances(self.board, self.alliances)
        return {"_".join(pairs[number]): points for number, points in found.items()}

    def scoring(self) -> Chains:
        """Return the chains that are long enough to score."""
        return scoring.long_enough(self.board.facts, self.chains)


def _sides(state: State, counted: _Counted) -> Mapping[Seat, Side]:
    """Return what everybody sees of each seat."""
    points = {seat: state.players[seat].points for seat in state.seats}
    begun = {
        seat: partial(
            Side,
            **same_fields(player, "points", "known", "led", "news"),
            cards=len(player.hand),
            asks=player.asks + (seat == state.to_move and not state.ended),
        )
        for seat, player in state.players.items()
    }
    is_over = bool(state.ended)

    def side(seat: Seat) -> Side:
        return begun[seat](
            now=points[seat] if is_over else points[seat] + counted.coming[seat],
            cloisters=counted.board.cloisters_left(seat),
            advisors=counted.board.advisors_left(seat),
            chain=max(map(len, counted.chains[seat]), default=0),
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
