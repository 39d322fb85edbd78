"""Leaks of Game of Powers as they might come about, and offers that the others are not told of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Step
from pbem.rules.game_of_powers import events
from pbem.rules.game_of_powers.moves import Move, Turn
from pbem.rules.game_of_powers.offers import Proposal
from pbem.rules.game_of_powers.redeal import Purse, random_deal
from pbem.rules.game_of_powers.state import Card, State
from pbem.rules.game_of_powers.view import View
from tests.contract.leaky import Leaky

from .table import game


def other_moves(
    state: State, moves: Mapping[Seat, Move], seat: Seat | None, dice: Dice
) -> Mapping[Seat, Move]:
    """Return the orders with another offer where a seat is not told what is offered, if there can be one."""
    found = dict(moves)
    for mover, move in moves.items():
        if not isinstance(move, Turn) or move.trade is None or seat in (mover, move.trade.partner):
            continue
        mine, yours = state.players[mover], state.players[move.trade.partner]
        purse = Purse(mine.tokens, mine.hand, len(mine.hand))
        deal = random_deal(game().facts, purse, Purse(yours.tokens, (), len(yours.hand)), dice, "other")
        other = replace(move, trade=Proposal(move.trade.partner, deal, ())) if deal is not None else move
        if not game().check(game().view(state, mover), other):
            found[mover] = other
    return found


Leaking = Leaky[State, View, Move]


def _with_known(view: View, state: State, cards: Mapping[Seat, tuple[Card, ...]]) -> View:
    sides = {
        seat: replace(side, known=cards[seat]) if seat != view.me else side
        for seat, side in view.players.items()
    }
    return replace(view, players=sides)


class _DealtCardsKnown(Leaking):
    """All cards of the others are known."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        return _with_known(view, state, {one: player.hand for one, player in state.players.items()})


class _ShownToOneKnownToAll(Leaking):
    """A card that an offer has shown to one seat is known to all."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        known = {
            one: game().facts.in_order(
                {*player.open, *(card for seen in player.shown.values() for card in seen)}
            )
            for one, player in state.players.items()
        }
        return _with_known(view, state, known)


class _NextCardInView(Leaking):
    """The next card of the pile is on top of the box."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        return replace(view, box=(*view.box, *state.pile[:1]))


class _PlayersByHand(Leaking):
    """Players are listed by the cards in their hands."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        by_hand = sorted(view.players, key=lambda one: state.players[one].hand)
        return replace(view, players={one: view.players[one] for one in by_hand})


class _OfferToAll(Leaking):
    """What is in an offer is told to all."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        for event in step.events:
            yield replace(event, to=ALL) if isinstance(event, events.TradeOffered) else event


@dataclass(frozen=True, kw_only=True)
class _Willing(Event):
    """The partner learns how many counter-offers the mover accepts beforehand."""

    accepts: int


class _WillingnessToPartner(Leaking):
    """A partner is told how many counter-offers the mover accepts."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        yield from step.events
        if state.offer is not None and step.state.offer is None:
            yield _Willing(accepts=len(state.offer.accepts), to=only(state.offer.partner))


@dataclass(frozen=True, kw_only=True)
class _Owned(Event):
    """What the wanted cards are worth of which the partner holds any."""

    points: int


class _HandInRefusal(Leaking):
    """All are told how many points a seat that declines holds."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        for event in step.events:
            yield event
            if isinstance(event, events.TradeDeclined):
                points = game().facts.points_of(state.players[event.seat].hand)
                yield _Owned(points=points, to=ALL)
