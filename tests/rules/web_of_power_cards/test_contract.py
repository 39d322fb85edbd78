"""The card game keeps the contract in fifty games, and leaks as they might come about are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import pytest

from pbem.contract import Checked, Subject, check, find_leak
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Ask, Json, Outcome, Step
from pbem.rules.web_of_power_cards import events
from pbem.rules.web_of_power_cards.rules import WebOfPowerCards
from pbem.rules.web_of_power_cards.state import MINUS, Law, State, Take
from pbem.rules.web_of_power_cards.view import Lying, Sitting, View
from tests.contract.leaky import Leaky
from tests.facts import tells
from tests.subjects import subject

from .table import playout

TABLES: list[tuple[int, int, dict[str, Json], bool]] = [
    (3, 30, {}, False),
    (4, 1, {}, True),
    (4, 4, {}, False),
    (5, 3, {}, False),
    (3, 1, {"own_claim_free": True}, True),
    (3, 8, {"own_claim_free": True}, False),
    (4, 3, {"own_claim_free": True}, False),
]
"""Seats, games, options, and whether reports are compared too; they follow from the views."""


@pytest.mark.worlds
@pytest.mark.paragraph("law-taken")
def test_nobody_can_tell_worlds_apart_in_fifty_games(capsys: pytest.CaptureFixture[str]) -> None:
    runs: list[Checked] = []
    for number, (seats, games, options, is_reported) in enumerate(TABLES):
        table = subject("web-of-power-cards", seats, **options)
        table = table if is_reported else replace(table, environment=None)
        runs.append(check(table, games=games, worlds=1, seed=f"table {number}"))
        with capsys.disabled():
            print(f"\nweb-of-power-cards, {seats} seats, {options}: {runs[-1]}")

    assert not [breach for run in runs for breach in run.breaches]
    assert sum(run.games for run in runs) == 50
    assert all(run.worlds_kept for run in runs)
    assert sum(run.worlds_kept for run in runs) > 1500
    assert {run.planted_found for run in runs} == {2}
    told = {name for run in runs for name in run.events}
    assert told == {kind.__name__ for kind in WebOfPowerCards.event_kinds}


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


@pytest.mark.parametrize(
    "leaky",
    [
        _PenaltyIsNoticed,
        _PenaltyInPoints,
        _UnseenFromTheTable,
        _CardsByLaw,
        _SkipTellsTheLaw,
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_leak_as_it_might_come_about_is_found(leaky: type[Leaking]) -> None:
    honest: Subject = subject("web-of-power-cards", 3)
    spoilt = replace(honest, rules=leaky(honest.rules), environment=None)

    assert tells(find_leak(spoilt, games=12, worlds=2))


@pytest.mark.paragraph("law-taken")
def test_what_a_law_card_is_goes_to_its_seat_alone_and_all_else_to_all() -> None:
    for players in (3, 5):
        for _, _, told in playout(f"audience-{players}", players):
            for event in told:
                is_own = isinstance(event, events.LawSeen | events.WishMissed)
                assert event.to == (only(event.seat) if is_own else ALL)  # type: ignore[attr-defined]
