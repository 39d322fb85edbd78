"""Game of Powers keeps the contract in fifty games, and leaks as they might come about are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import pytest

from pbem.contract import Checked, Subject, check, find_leak
from pbem.core.dice import Dice
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Json, Step
from pbem.rules.game_of_powers import events
from pbem.rules.game_of_powers.moves import Move, Turn
from pbem.rules.game_of_powers.offers import Proposal
from pbem.rules.game_of_powers.redeal import Purse, random_deal
from pbem.rules.game_of_powers.rules import GameOfPowers
from pbem.rules.game_of_powers.state import Card, State
from pbem.rules.game_of_powers.view import View
from tests.contract.leaky import Leaky
from tests.facts import tells
from tests.subjects import subject

from .table import game, playout, skills

TABLES: list[tuple[int, int, dict[str, Json], bool]] = [
    (2, 1, {}, True),
    (2, 25, {}, False),
    (3, 14, {}, False),
    (4, 3, {}, False),
    (5, 2, {}, False),
    (3, 1, {"tasks": False}, True),
    (3, 1, {"tasks": False}, False),
    (4, 1, {"trade": False}, True),
    (4, 2, {"trade": False}, False),
]
"""Seats, games, options, and whether reports and pages are made too; they follow from the views."""


def other_offers(
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


def table(seats: int, **options: Json) -> Subject:
    """Return Game of Powers at a table, with offers that the others are not told of."""
    return replace(subject("game-of-powers", seats, **options), other_moves=other_offers)


@pytest.mark.worlds
def test_nobody_can_tell_worlds_apart_in_fifty_games(capsys: pytest.CaptureFixture[str]) -> None:
    runs: list[Checked] = []
    for number, (seats, games, options, is_reported) in enumerate(TABLES):
        played = table(seats, **options)
        played = played if is_reported else replace(played, environment=None)
        runs.append(check(played, games=games, worlds=1, seed=f"table {number}"))
        with capsys.disabled():
            print(f"\ngame-of-powers, {seats} seats, {options}: {runs[-1]}")

    assert not [breach for run in runs for breach in run.breaches]
    assert sum(run.games for run in runs) == 50
    assert all(run.worlds_kept for run in runs)
    assert sum(run.worlds_kept for run in runs) > 700
    assert {run.planted_found for run in runs} == {2}
    told = {name for run in runs for name in run.events}
    assert told == {kind.__name__ for kind in GameOfPowers.event_kinds} - {"PartLeftOut"}


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


@pytest.mark.paragraph("ruling-secrets")
@pytest.mark.parametrize(
    "leaky",
    [
        _DealtCardsKnown,
        _ShownToOneKnownToAll,
        _NextCardInView,
        _PlayersByHand,
        _OfferToAll,
        _WillingnessToPartner,
        _HandInRefusal,
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_leak_as_it_might_come_about_is_found(leaky: type[Leaking]) -> None:
    honest = table(3)
    spoilt = replace(honest, rules=leaky(honest.rules), environment=None)

    assert tells(find_leak(spoilt, games=20, worlds=3))


PRIVATE = {"TradeOffered": ("seat", "partner"), "PartLeftOut": ("seat",)}


@pytest.mark.parametrize("skill", ["random", "greedy"])
def test_every_event_goes_to_all_but_offers_and_what_was_left_out(skill: str) -> None:
    offers = 0
    for number in range(2):
        for _, _, told in playout(f"audience {number}", skills(3, skill)):
            for event in told:
                names = PRIVATE.get(type(event).__name__)
                offers += names is not None
                assert event.to == (only(*(getattr(event, name) for name in names)) if names else ALL)
    assert offers > 0
