"""Web of Intrigue keeps the contract in fifty games, and leaks as they might come about are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import pairwise

import pytest

from pbem.contract import Checked, Subject, check, find_leak
from pbem.core.dice import Dice
from pbem.core.events import Event, Seat, only
from pbem.core.interface import Json, Step
from pbem.rules.web_of_intrigue import events
from pbem.rules.web_of_intrigue.facts import Facts
from pbem.rules.web_of_intrigue.moves import PLACES, HouseGuess, Move
from pbem.rules.web_of_intrigue.rules import WebOfIntrigue
from pbem.rules.web_of_intrigue.scoring import victory_target
from pbem.rules.web_of_intrigue.state import UNSEEN, State
from pbem.rules.web_of_intrigue.view import Remembered, View
from tests.contract.leaky import Leaky
from tests.facts import tells
from tests.subjects import subject

from .table import all_play, playout, woi

TABLES: list[tuple[int, int, dict[str, Json], bool]] = [
    (2, 1, {}, True),
    (2, 12, {}, False),
    (3, 11, {}, False),
    (4, 1, {"vp": "snapshot", "turns": 13}, True),
    (4, 9, {"vp": "snapshot", "turns": 13}, False),
    (7, 4, {"vp": "snapshot", "target": 20, "turns": 12}, False),
    (6, 1, {}, True),
    (5, 3, {"target": 250, "reveal_reach": "diamond"}, False),
    (8, 2, {}, False),
    (9, 1, {"target": "none", "turns": 10}, False),
    (10, 1, {"target": 210}, False),
    (11, 1, {"free_wrong_guesses": 0, "sieve": "none"}, False),
    (12, 1, {"sieve": "all", "guess_pays": "eighth"}, True),
    (12, 2, {"target": 200, "reveal_reach": "diamond"}, False),
]
"""Seats, games, options, and whether reports and pages are made too; they follow from the views."""


def deal_moves(
    facts: Facts, state: State, moves: Mapping[Seat, Move], seat: Seat | None, dice: Dice
) -> dict[Seat, Move]:
    """Return what the others may have ordered instead, for all that a seat is ever told.

    Where they go and whom they guess; and how many points an action takes, as far as the order within its
    phase, which bids show to all, stays as it is.

    Source: ruling 26.
    """
    dealt = dict(moves)
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


def table(seats: int, **options: Json) -> Subject:
    """Return Web of Intrigue at a table, with what the others ordered and nobody is told."""
    found = subject("web-of-intrigue", seats, **options)
    return replace(found, other_moves=partial(deal_moves, found.rules.facts))  # type: ignore[attr-defined]


@pytest.mark.worlds
@pytest.mark.paragraph("intro-houses", "tiles-kinds", "guess-secret")
def test_nobody_can_tell_worlds_apart_in_fifty_games(capsys: pytest.CaptureFixture[str]) -> None:
    runs: list[Checked] = []
    for number, (seats, games, options, is_reported) in enumerate(TABLES):
        played = table(seats, **options)
        played = played if is_reported else replace(played, environment=None)
        runs.append(check(played, games=games, worlds=1, seed=f"table {number}"))
        with capsys.disabled():
            print(f"\nweb-of-intrigue, {seats} seats, {options}: {runs[-1]}")

    assert not [breach for run in runs for breach in run.breaches]
    assert sum(run.games for run in runs) == 50
    assert all(run.worlds_kept for run in runs)
    assert sum(run.worlds_kept for run in runs) > 600
    assert {run.planted_found for run in runs} == {2}
    told = {name for run in runs for name in run.events}
    assert told == {kind.__name__ for kind in WebOfIntrigue.event_kinds}


@pytest.mark.parametrize(
    ("seats", "options"), [(2, {"target": 60}), (4, {"target": "none", "turns": 3})], ids=str
)
def test_games_that_end_soon_keep_the_contract(seats: int, options: dict[str, Json]) -> None:
    result = check(table(seats, **options), games=2, worlds=1)  # of random bots, and of greedy ones

    assert not result.breaches, result


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


@pytest.mark.parametrize(
    "leaky",
    [
        _ElementOfOwner,
        _DistanceInBids,
        _PointsInBids,
        _GuessedIsTold,
        _PointsByTarget,
        _TransfersInPoints,
        _PlayersByHouse,
        _LeaderFirst,
        _SeenThroughFog,
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_leak_as_it_might_come_about_is_found(leaky: type[Leaking]) -> None:
    honest = table(5)
    spoilt = replace(honest, rules=leaky(honest.rules), environment=None)

    assert tells(find_leak(spoilt, games=12, seed="p4"))  # a seed with which each is found soon


def test_what_a_seat_is_told_to_have_sighted_stands_in_its_next_view() -> None:
    rules = woi()
    for state, _, told in playout("sighted", all_play("random", 6)):
        for event in told:
            if isinstance(event, events.TilesSighted):
                web = rules.view(state, event.seat).web
                assert event.tiles == {square: rules.facts.name(web[square]) for square in event.tiles}
