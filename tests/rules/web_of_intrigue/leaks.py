"""Leaks of Web of Intrigue as they might come about, and orders that the others are not told of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat, only
from pbem.core.interface import Step
from pbem.rules.web_of_intrigue import events
from pbem.rules.web_of_intrigue.moves import PLACES, HouseGuess, Move
from pbem.rules.web_of_intrigue.scoring import victory_target
from pbem.rules.web_of_intrigue.state import UNSEEN, State
from pbem.rules.web_of_intrigue.view import Remembered, View
from tests.contract.leaky import Leaky

from .table import woi


def other_moves(
    state: State, moves: Mapping[Seat, Move], seat: Seat | None, dice: Dice
) -> Mapping[Seat, Move]:
    """Return what the others may have ordered instead, for all that a seat is ever told.

    Where they go and whom they guess; and how many points an action takes, as far as the order within its
    phase, which bids show to all, stays as it is.

    Source: ruling 26.
    """
    facts, dealt = woi().facts, dict(moves)
    for other, move in moves.items():
        if other == seat:
            continue
        player, whom = state.players[other], [one for one in state.players if one != other]
        if dice.below(2, f"goal/{other}"):
            goal = dice.pick(facts.grid.diamond(player.square, player.reach), f"goal/{other}/square")
            move = replace(move, goal=goal)  # noqa: PLW2901
        if dice.below(2, f"guess/{other}"):
            house = dice.pick(tuple(facts.houses), f"guess/{other}/house")
            guess = HouseGuess(dice.pick(whom, f"guess/{other}/whom"), house)
            move = replace(move, guess=guess)  # noqa: PLW2901
        dealt[other] = move
        for place in PLACES:
            if dice.below(2, f"points/{other}/{place}"):
                dealt[other] = _with_fewer_points(dealt, other, place)
    return dealt


def _with_fewer_points(moves: Mapping[Seat, Move], seat: Seat, place: str) -> Move:
    """Return a move in which an action takes the fewest points that leave it before the same actions."""
    move = moves[seat]
    others = [by.actions[place].points for one, by in moves.items() if one != seat and place in by.actions]
    if place not in move.actions or (action := move.actions[place]).points in others:
        return move
    fewer = replace(action, points=max((one for one in others if one < action.points), default=0) + 1)
    return replace(move, actions={**move.actions, place: fewer})


Leaking = Leaky[State, View, Move]


def _bids(told: tuple[Event, ...]) -> Iterator[tuple[events.BidMade, events.BidWeighed]]:
    for one, following in pairwise(told):
        if isinstance(one, events.BidMade) and isinstance(following, events.BidWeighed):
            yield one, following


class _ElementOfOwner(Leaking):
    """A bidder is told what its special adds only if it does, and so the element of the owner's House."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        told: dict[int, Event] = {}
        for made, weighed in _bids(step.events):
            if weighed.if_element and made.controller is not None:
                element = self.honest.facts.houses[state.players[made.controller].house].element
                real = {name: roll for name, roll in weighed.if_element.items() if name == element}
                told[id(weighed)] = replace(weighed, if_element=real)
        return (told.get(id(event), event) for event in step.events)


class _BidSized(events.BidMade):
    """A bid with one number too many."""

    number: int


def _sized(made: events.BidMade, number: int) -> Event:
    return _BidSized(**{field.name: getattr(made, field.name) for field in fields(made)}, number=number)


class _DistanceInBids(Leaking):
    """All are told how far a bidder stands from the object."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        far = {
            id(made): _sized(made, weighed.parts.get("distance", 0)) for made, weighed in _bids(step.events)
        }
        return (far.get(id(event), event) for event in step.events)


class _PointsInBids(Leaking):
    """All are told how many action points a bid took."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        points = {}
        for made, weighed in _bids(step.events):
            points[id(made)] = _sized(made, moves[made.seat].actions[weighed.phase].points)
        return (points.get(id(event), event) for event in step.events)


@dataclass(frozen=True, kw_only=True)
class _Suspected(Event):
    """Somebody guessed at a player, who should not hear of it."""

    right: bool


class _GuessedIsTold(Leaking):
    """A player is told whether a rival's guess at it was right, though not which House it named."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        for event in step.events:
            yield event
            if isinstance(event, events.HouseGuessed):
                yield _Suspected(right=event.right, to=only(event.player))


class _PointsByTarget(Leaking):
    """Points are rounded to a hundredth of the hidden target."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        by = int(victory_target(state) or 100) // 100
        for event in step.events:
            if isinstance(event, events.ObjectsCounted):
                event = replace(event, points={seat: one - one % by for seat, one in event.points.items()})  # noqa: PLW2901
            yield event


class _TransfersInPoints(Leaking):
    """Public points hold what a special moved from one player to another."""

    def tell(self, step: Step[State], state: State, moves: Mapping[Seat, Move]) -> Iterator[Event]:
        for event in step.events:
            if isinstance(event, events.ObjectsCounted):
                totals = {
                    seat: one + step.state.players[seat].transfers for seat, one in event.points.items()
                }
                event = replace(event, points=totals)  # noqa: PLW2901
            yield event


class _PlayersByHouse(Leaking):
    """Players are listed in the order of their Houses."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        by_house = sorted(view.players, key=lambda one: state.players[one].house)
        return replace(view, players={one: view.players[one] for one in by_house})


class _LeaderFirst(Leaking):
    """The player with the highest total is listed first."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        by_total = sorted(view.players, key=lambda one: -state.players[one].total)
        return replace(view, players={one: view.players[one] for one in by_total})


class _SeenThroughFog(Leaking):
    """The tile under "?" stands in the memory of those who must not see it."""

    def see(self, view: View, state: State, seat: Seat | None) -> View:
        fog = [square for square, tile in view.web.items() if tile == UNSEEN]
        through = {
            one: Remembered(state.web[one], str(state.web[one]), "", state.turn, gone=False) for one in fog
        }
        return replace(view, memory={**view.memory, **through})
