"""Leaks of Web of Power as they might come about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Step
from pbem.rules.web_of_power import events
from pbem.rules.web_of_power.state import Move, State
from pbem.rules.web_of_power.view import View
from tests.contract.leaky import Leaky

Leaking = Leaky[State, View, Move]


class _DrawnCardsToAll(Leaking):
    """What a seat draws from the pile is told to everybody, and not as a release."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        for event in step.events:
            yield event
            if isinstance(event, events.CardsDrawn):
                yield _Overheard(seat=event.seat, cards=event.cards, to=ALL)


class _Overheard(events.CardsDrawn):
    """Cards that somebody drew, told without being released."""

    releases = ()


class _HandToNext(Leaking):
    """The seat that is next is told whether the hand of the one before it has a pair."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        yield from step.events
        hand = step.state.players[state.to_move].hand
        told = hand[:1] if len(set(hand)) < len(hand) else ()
        yield _Overheard(seat=state.to_move, cards=told, to=only(step.state.to_move))


class _ExactlyUnseen(Leaking):
    """Cards that were not seen are counted in the pile alone."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        return replace(view, unseen={card: state.pile.count(card) for card in view.unseen})


class _KnownTooMuch(Leaking):
    """A pair in a hand counts as known."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        sides = {}
        for one, side in view.players.items():
            hand = state.players[one].hand
            pairs = tuple(card for card in dict.fromkeys(hand) if hand.count(card) > 1)
            sides[one] = replace(side, known=pairs or side.known)
        return replace(view, players=sides)


class _TopCardFirst(Leaking):
    """Types of cards are listed with that of the top card of the pile first."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        top = state.pile[:1]
        listed = sorted(view.discards, key=lambda card: card not in top)
        return replace(view, discards={card: view.discards[card] for card in listed})
