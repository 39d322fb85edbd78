"""Web of Power keeps the contract in fifty games, and leaks as they might come about are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from pbem.contract import Checked, check, find_leak
from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Json, Step
from pbem.rules.web_of_power import events
from pbem.rules.web_of_power.rules import WebOfPower, load
from pbem.rules.web_of_power.state import Move, State
from pbem.rules.web_of_power.view import View
from tests.contract.leaky import Leaky
from tests.facts import tells
from tests.subjects import subject

from .table import playout, small_data

WHOLE: list[tuple[int, int, dict[str, Json], bool]] = [
    (3, 1, {"next_in_turn": True, "start_player": "lot"}, True),
    (3, 4, {"next_in_turn": True, "start_player": "lot"}, False),
    (4, 1, {"alliances": "sea"}, True),
    (4, 2, {"alliances": "sea"}, False),
    (5, 1, {}, True),
    (5, 1, {}, False),
]
"""Seats, games, options, and whether reports and pages are made too; these are played with all cards."""

SMALL = [(3, 12, (20, 8)), (3, 6, (1, 1)), (4, 12, (20, 8)), (5, 8, (20, 8)), (5, 2, (1, 1))]
"""Seats, games, and pieces of each seat, with half of the cards: how many there are hides nothing.

Reports and pages follow from the views.
"""


@pytest.mark.worlds
def test_nobody_can_tell_worlds_apart_in_fifty_games(capsys: pytest.CaptureFixture[str]) -> None:
    tables = []
    for seats, games, options, is_reported in WHOLE:
        table = subject("web-of-power", seats, **options)
        tables.append((table if is_reported else replace(table, environment=None), games))
    tables += [
        (
            replace(subject("web-of-power", seats), rules=load(small_data(pieces=pieces)), environment=None),
            games,
        )
        for seats, games, pieces in SMALL
    ]
    runs: list[Checked] = []
    for number, (played, games) in enumerate(tables):
        runs.append(check(played, games=games, worlds=1, seed=f"table {number}"))
        with capsys.disabled():
            print(f"\nweb-of-power, {len(played.seats)} seats: {runs[-1]}")

    assert not [breach for run in runs for breach in run.breaches]
    assert sum(run.games for run in runs) == 50
    assert sum(run.worlds_kept for run in runs) > 800
    assert {run.planted_found for run in runs} == {2}
    told = {name for run in runs for name in run.events}
    assert told == {kind.__name__ for kind in WebOfPower.event_kinds}


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


@pytest.mark.parametrize(
    "leaky",
    [
        _DrawnCardsToAll,
        _HandToNext,
        _ExactlyUnseen,
        _KnownTooMuch,
        _TopCardFirst,
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_leak_as_it_might_come_about_is_found(leaky: type[Leaking]) -> None:
    honest = subject("web-of-power", 3)
    spoilt = replace(honest, rules=leaky(honest.rules), environment=None)

    assert tells(find_leak(spoilt, games=6))


@pytest.mark.parametrize("skill", ["random", "greedy"])
def test_every_event_goes_to_all_but_the_cards_drawn_from_the_pile(skill: str) -> None:
    for _, _, told in playout(f"audience {skill}", (skill,), 4):
        for event in told:
            is_secret = isinstance(event, events.CardsDrawn)
            assert event.to == (only(event.seat) if isinstance(event, events.CardsDrawn) else ALL)
            assert is_secret == (event.to != ALL)
