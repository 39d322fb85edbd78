"""Victory points and every way in which a game ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Ask, Json, Outcome
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
from tests.written import rows_of

from .table import A, B, C, D, change, deal, do, position, seen_by, woi


def with_points(points: dict[Seat, dict[str, int]], **options: Any) -> State:
    state = deal(**options)
    for seat, fields in points.items():
        state = change(state, seat, **fields)
    return state


@pytest.mark.paragraph("victory-target", "ruling-ties", "ruling-last-turn")
@pytest.mark.parametrize(("sides", "options", "turn", "outcome"), rows_of(__file__, "the_game_ends"))
def test_the_game_ends(
    sides: dict[Seat, dict[str, int]], options: dict[str, Any], turn: int | None, outcome: list[Any] | None
) -> None:
    state = with_points(sides, **options)
    state = state if turn is None else replace(state, turn=turn)
    ask = woi().ask(state)
    if outcome is None:
        assert isinstance(ask, Ask)
    else:
        reason, winners, scores, decided_by = outcome
        assert ask == Outcome(reason, tuple(winners), scores, decided_by)
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
