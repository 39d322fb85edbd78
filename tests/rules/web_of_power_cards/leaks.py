"""Leaks of the card game as they might come about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pbem.core.events import ALL, Event, Seat
from pbem.core.interface import Ask, Outcome, Step
from pbem.rules.web_of_power_cards import events
from pbem.rules.web_of_power_cards.state import MINUS, Law, State, Take
from pbem.rules.web_of_power_cards.view import Lying, Sitting, View
from tests.contract.leaky import Leaky

Leaking = Leaky[State, View, Take]


@dataclass(frozen=True, kw_only=True)
class _Sighed(Event):
    """A seat took a law card that costs points, and somebody noticed."""

    seat: Seat


class _PenaltyIsNoticed(Leaking):
    """All are told when a seat takes a law card that costs points."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Take]) -> Iterator[Event]:
        for event in step.events:
            if isinstance(event, events.LawSeen) and event.law == MINUS:
                yield _Sighed(seat=event.seat, to=ALL)
            yield event


class _PenaltyInPoints(Leaking):
    """Everybody's points hold the penalty of law cards that lie face down."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        players = {
            one: replace(side, points=side.points - 2 * state.players[one].laws.count(MINUS))
            for one, side in view.players.items()
            if one != seat
        }
        return replace(view, players=Sitting(view.held(), {**view.players, **players}.__getitem__))


class _UnseenFromTheTable(Leaking):
    """The law cards not seen are counted on the table alone."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        lying = list(state.laws.values())
        unseen: dict[Law, int] = {law: lying.count(law) for law in view.unseen}
        return replace(view, unseen=unseen)


class _CardsByLaw(Leaking):
    """A land card is marked where its law card is a good one."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        marked = {
            card: replace(place, law=place.law and state.laws[card] != MINUS)
            for card, place in view.cards.items()
        }
        return replace(view, cards=Lying(view.table(), marked, marked.__getitem__))


class _SkipTellsTheLaw(Leaking):
    """Who can take nothing is asked only if it holds the law card that helps."""

    def ask(self, state: State) -> Ask | Outcome:
        ask = super().ask(state)
        if isinstance(ask, Ask) and not self.honest.view(state, state.to_move).can_take:
            helps = "return_claiming_stone" in state.players[state.to_move].laws
            return ask._replace(seats=ask.seats if helps else frozenset())
        return ask
