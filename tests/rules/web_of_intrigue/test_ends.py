"""Victory points and every way in which a game ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.play.config.registry import find_rules
from pbem.rules.web_of_intrigue import SYSTEM, seat_names
from pbem.rules.web_of_intrigue.ending import (
    GuessesRevealed,
    HousesRevealed,
    TotalsRevealed,
    WebRevealed,
)
from pbem.rules.web_of_intrigue.scoring import spell_target, victory_target
from pbem.rules.web_of_intrigue.state import State

from .table import A, B, C, D, change, deal, do, position, seen_by, woi


def with_points(points: dict[Seat, dict[str, int]], **options: Any) -> State:
    state = deal(**options)
    for seat, fields in points.items():
        state = change(state, seat, **fields)
    return state


ENDS: list[tuple[str, State, Outcome | None]] = [
    ("nobody above the target", with_points({A: {"objects": 300}}), None),
    (
        "one above it",
        with_points({A: {"objects": 301}}),
        Outcome(
            "1 surpassed the victory target of 300 in turn 0", (A,), {A: 301, B: 0, C: 0, D: 0}, "points"
        ),
    ),
    (
        "two above it on the same turn",
        with_points({A: {"objects": 301}, B: {"objects": 290, "bonus": 12}}),
        Outcome(
            "1 and 2 surpassed the victory target of 300 in turn 0",
            (B,),
            {A: 301, B: 302, C: 0, D: 0},
            "points",
        ),
    ),
    (
        "a tie that points from objects break",
        with_points({A: {"objects": 301}, B: {"objects": 290, "transfers": 11}}),
        Outcome(
            "1 and 2 surpassed the victory target of 300 in turn 0",
            (A,),
            {A: 301, B: 301, C: 0, D: 0},
            "points from objects",
        ),
    ),
    (
        "a tie that nothing breaks",
        with_points({A: {"objects": 301}, C: {"objects": 301}}),
        Outcome(
            "1 and 3 surpassed the victory target of 300 in turn 0",
            (A, C),
            {A: 301, B: 0, C: 301, D: 0},
            "a shared victory",
        ),
    ),
    ("a turn before the last", replace(with_points({A: {"objects": 7}}, turns=5), turn=5), None),
    (
        "after the last turn",
        replace(with_points({A: {"objects": 7}, B: {"bonus": 8}}, turns=5, target="none"), turn=6),
        Outcome("turn 5 was the last one", (B,), {A: 7, B: 8, C: 0, D: 0}, "points"),
    ),
    (
        "the target on the last turn",
        replace(with_points({A: {"objects": 51}, B: {"objects": 50}}, turns=5, target=50), turn=6),
        Outcome("1 surpassed the victory target of 50 in turn 5", (A,), {A: 51, B: 50, C: 0, D: 0}, "points"),
    ),
    ("no target", with_points({A: {"objects": 4000}}, turns=5, target="none"), None),
]


@pytest.mark.paragraph("victory-target", "ruling-ties", "ruling-last-turn")
@pytest.mark.parametrize(("state", "outcome"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_the_game_ends(state: State, outcome: Outcome | None) -> None:
    ask = woi().ask(state)
    assert (ask if isinstance(ask, Outcome) else None) == outcome
    assert woi().view(state, A).over is (outcome is not None)


@pytest.mark.paragraph("victory-mean")
def test_the_target_is_an_exact_fraction() -> None:
    starts: dict[Seat, Json] = {A: {"target": 201}, B: {"target": 1}, C: {}}
    state = woi().setup((A, B, C), SYSTEM.options, starts, woi_dice())
    assert victory_target(state) == Fraction(701, 3)
    assert spell_target(state) == "233 2/3"
    assert isinstance(woi().ask(change(state, A, objects=234)), Outcome)
    assert not isinstance(woi().ask(change(state, A, objects=233)), Outcome)


def woi_dice() -> Any:
    from pbem.core.dice import Dice

    return Dice(b"ends", 0)


def test_when_the_game_ends_everything_is_shown_to_all() -> None:
    state = change(position(owners={"usa": B}, target=10), B, objects=5)
    state, events = do(state, {A: {"guess": {"player": 2, "house": "pisces"}}, C: {"move": "a7"}})
    assert isinstance(woi().ask(state), Outcome)
    shown = seen_by(events, None)[-7:]
    assert [type(one) for one in shown] == [
        HousesRevealed, TotalsRevealed, *[GuessesRevealed] * 4, WebRevealed,
    ]  # fmt: skip
    houses, totals, guesses, *_, web = (vars(one) for one in shown)
    assert houses["houses"] == {A: "Capricorn", B: "Pisces", C: "Virgo", D: "Gemini"}
    assert houses["squares"][C] == "a7"
    assert (totals["target"], totals["totals"]) == ("10", {A: 2, B: 13, C: 0, D: 0})
    assert guesses["guesses"] == ("turn 1: 2 is Pisces (right)",)
    assert len(web["tiles"]) == 100


@pytest.mark.paragraph("ruling-last-turn")
@pytest.mark.parametrize(
    "options", [{"target": "none"}, {"vp": "snapshot"}, {"vp": "snapshot", "target": "none"}]
)
def test_a_game_that_could_not_end_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="turns: expected a last turn"):
        deal(**options)
    assert find_rules("web-of-intrigue").options_schema.problems({**SYSTEM.options, **options})
    assert not find_rules("web-of-intrigue").options_schema.problems(
        {**SYSTEM.options, **options, "turns": 9}
    )


@pytest.mark.paragraph("intro-houses", "intro-web", "tiles-start", "ruling-seats")
@pytest.mark.parametrize("seats", [2, 5, 12])
def test_the_start_is_dealt_for_any_number_of_players(seats: int) -> None:
    state, grid = deal(seats, seed=f"start-{seats}"), woi().facts.grid
    assert tuple(state.players) == seat_names(seats)
    assert len({player.house for player in state.players.values()}) == seats
    squares = [player.square for player in state.players.values()]
    assert all(grid.distance(one, other) >= 2 for n, one in enumerate(squares) for other in squares[:n])
    assert sorted(state.web.values()) == sorted((*woi().facts.objects, *woi().facts.specials))


@pytest.mark.paragraph("intro-houses", "intro-web", "tiles-start")
def test_web_houses_and_squares_are_dealt_anew_for_each_game() -> None:
    games = [deal(12, seed=f"anew-{number}") for number in range(5)]

    assert len({tuple(state.web.items()) for state in games}) == 5
    for seat in seat_names(12):
        assert len({state.players[seat].house for state in games}) > 1
        assert len({state.players[seat].square for state in games}) > 1


@pytest.mark.paragraph("ruling-seats")
@pytest.mark.parametrize("seats", [1, 13])
def test_other_numbers_of_players_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="expected 2 to 12 seats"):
        deal(seats)
