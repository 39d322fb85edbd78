"""What a host can choose of guesses: what right ones pay, what wrong ones cost, who sees who can be who."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.rules.web_of_intrigue.ending import TotalsRevealed
from pbem.rules.web_of_intrigue.events import HouseGuessed, WrongGuessPaid
from pbem.rules.web_of_intrigue.guessing import in_force, next_fine
from pbem.rules.web_of_intrigue.state import Guess, HouseId, State, TileId
from pbem.rules.web_of_intrigue.tally import tally

from .table import A, B, C, Loaded, all_play, change, deal, playout, position, woi

TEN = Loaded(b"choices", 1)


def with_options(state: State, **options: Any) -> State:
    return replace(state, options=replace(state.options, **options))


def guess(player: Seat, house: str) -> Json:
    return {"guess": {"player": int(player), "house": house}, "move": "stay"}


@pytest.mark.parametrize(
    ("pays", "one_in"),
    [("table", 4), ("quarter", 4), ("sixth", 6), ("eighth", 8), ("tenth", 10), ("twelfth", 12)],
)
def test_a_right_guess_pays_the_share_that_the_host_chose(pays: str, one_in: int) -> None:
    facts, state = woi().facts, with_options(position(), guess_pays=pays)
    tiles = [tile for tile, thing in facts.objects.items() if thing.vp >= 6][:4]
    worth = sum(facts.objects[tile].vp for tile in tiles)
    state = replace(state, owners=dict.fromkeys(map(TileId, tiles), B))
    state = change(state, A, guesses=(Guess(1, B, state.players[B].house, right=True, free=False),))

    after = woi().resolve(state, {}, TEN).state

    assert in_force(facts.numbers, state.options).one_in == one_in
    assert woi().view(state, A).numbers.one_in == one_in
    assert after.players[A].bonus - state.players[A].bonus == worth // one_in


@pytest.mark.parametrize(
    ("free", "made", "cost"), [("all", 9, 0), (2, 1, 0), (2, 2, 5), (0, 0, 5), (1, 1, 5)]
)
def test_a_wrong_guess_costs_points_once_the_free_ones_are_used(free: Any, made: int, cost: int) -> None:
    facts, state = woi().facts, with_options(position(), free_wrong_guesses=free)
    others = [house for house in facts.houses if house != state.players[B].house]
    old = tuple(Guess(1, C, HouseId(house), right=False, free=False) for house in others[:made])
    luck = (Guess(1, C, others[0], right=False, free=True),)
    state = change(state, A, guesses=(*old, *luck))
    move = woi().read(guess(B, others[-1]))
    view = woi().view(state, A)

    step = woi().resolve(state, {A: move}, TEN)

    paid = [event.amount for event in step.events if isinstance(event, WrongGuessPaid)]
    assert paid == [cost] * bool(cost)
    assert step.state.players[A].bonus == state.players[A].bonus - cost
    assert view.own is not None
    assert next_fine(view.numbers, view.options, view.own.guesses) == cost
    said = "If wrong, it costs 5 victory points." in " ".join(woi().forecast(view, move).lines)
    assert said == bool(cost)
    right = woi().resolve(state, {A: woi().read(guess(B, state.players[B].house))}, TEN)
    assert not [event for event in right.events if isinstance(event, WrongGuessPaid)]


@pytest.mark.parametrize(
    ("sieve", "seat_sees", "spectator_sees"),
    [("seats", True, False), ("all", True, True), ("none", False, False)],
)
def test_who_can_be_who_is_seen_by_those_whom_the_host_chose(
    sieve: str, seat_sees: bool, spectator_sees: bool
) -> None:
    house = position().players[B].house
    category, value = max(woi().facts.houses[house].modifiers.items(), key=lambda entry: entry[1])
    state = change(with_options(position(), sieve=sieve), B, proven={category: value})
    every = len(woi().facts.houses)

    for reader, sees in ((A, seat_sees), (None, spectator_sees)):
        view = woi().view(state, reader)
        assert (len(view.can_be[B]) < every - 1) == sees
        assert view.players[B].proven == {category: value}
    told = change(state, A, guesses=(Guess(1, B, state.players[B].house, right=True, free=False),))
    assert len(woi().view(told, A).can_be[B]) == 1


def test_a_saved_game_of_before_is_played_as_it_was() -> None:
    (upgrade,) = woi().upgrades
    old: dict[str, Json] = {"turn": 3, "options": {"vp": "total", "turns": 0}}

    assert upgrade(old) == {
        "turn": 3,
        "options": {
            "vp": "total", "turns": 0, "guess_pays": "table", "free_wrong_guesses": "all", "sieve": "all",
        },
    }  # fmt: skip
    assert deal().options.sieve == "seats"


def test_simulations_count_what_decides_a_game() -> None:
    *_, (_, outcome, _) = steps = [*playout("decides", all_play("greedy", 6))]
    told = [event for _, _, events in steps for event in events]
    assert isinstance(outcome, Outcome)
    counted = tally(woi(), outcome, told)
    (totals,) = (event for event in told if isinstance(event, TotalsRevealed))

    assert sum(counted["winners' rank in objects"].values()) == len(outcome.winners)
    assert counted["points by source"]["objects"] == sum(totals.objects.values())
    assert counted["winners' points by source"]["guesses"] == sum(
        totals.bonuses[seat] for seat in outcome.winners
    )
    guessed = {
        event.player for event in told if isinstance(event, HouseGuessed) and event.right and not event.free
    }
    assert sum(counted["first guessed rightly in turn"].values()) == len(guessed)


def test_a_player_is_not_told_what_a_wrong_guess_of_another_cost() -> None:
    state = with_options(position(), free_wrong_guesses=0)
    others = [house for house in woi().facts.houses if house != state.players[B].house]

    step = woi().resolve(state, {A: woi().read(guess(B, others[0]))}, TEN)

    (paid,) = (event for event in step.events if isinstance(event, WrongGuessPaid))
    assert paid.to == frozenset({A})
