"""Many games between bots: they end by the rules, and at every phase of every turn the position is sound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean
from typing import Any

import pytest

from pbem.cli import run_command
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.play.turn.simulate import Statistics, simulate
from pbem.rules.web_of_intrigue import SYSTEM, seat_names
from pbem.rules.web_of_intrigue.course import Course
from pbem.rules.web_of_intrigue.moves import Bid, Enact, Move
from pbem.rules.web_of_intrigue.rules import Void, WebOfIntrigue
from pbem.rules.web_of_intrigue.sight import budget
from pbem.rules.web_of_intrigue.tally import tally

from .table import deal, woi


class Watched(WebOfIntrigue):
    """The rules, with the position looked at after each phase of each turn."""

    phases: int = 0

    def _phase(
        self, course: Course, phase: str, actions: Mapping[Seat, Mapping[str, Enact | Bid | Void]]
    ) -> None:
        for seat, ordered in actions.items():
            spent = [action.points or 0 for action in ordered.values() if not isinstance(action, Void)]
            assert sum(spent) <= budget(self.facts, course.before, seat)
            assert all(points >= 1 for points in spent)
        super()._phase(course, phase, actions)
        self._look(course)

    def _guess_phase(self, course: Course, moves: Mapping[Seat, Move]) -> None:
        super()._guess_phase(course, moves)
        self._look(course)

    def _move_phase(self, course: Course, moves: Mapping[Seat, Move]) -> None:
        super()._move_phase(course, moves)
        self._look(course)

    def _look(self, course: Course) -> None:
        self.phases += 1
        assert set(course.web) == set(self.facts.grid.squares)
        assert sorted(course.web.values()) == sorted((*self.facts.objects, *self.facts.specials))
        assert {tile: square for square, tile in course.web.items()} == course.where
        assert set(course.owners) <= set(self.facts.objects)
        assert set(course.owners.values()) <= set(course.players)
        assert all(player.square in self.facts.grid.places for player in course.players.values())
        assert sum(player.transfers for player in course.players.values()) == 0


def played(rules: WebOfIntrigue, seats: int, skills: list[str], games: int) -> Statistics:
    """Play games as `pbem simulate` does."""
    names, options = seat_names(seats), SYSTEM.options
    return simulate(rules, names, options, skills, games, "web", lambda _: None, tally)


@pytest.mark.paragraph("turn-phases")
@pytest.mark.parametrize(
    ("seats", "games"),
    [
        *((seats, 1) for seats in (2, 3, 6, 9)),
        *(
            pytest.param(*table, marks=pytest.mark.worlds)
            for table in ((2, 4), (3, 4), (6, 4), (9, 3), (12, 12))
        ),
    ],
)
def test_games_end_by_the_rules_with_the_invariants_held_at_every_phase(seats: int, games: int) -> None:
    rules = Watched(woi().facts)

    found = played(rules, seats, ["greedy", "random"], games)

    assert rules.phases == 8 * sum(found.lengths)
    assert found.tables["endings"] == {"a player surpassed the target": games}
    assert found.draws == 0
    assert sum(found.wins.values()) == found.tables["wins_by_house"].total() >= games
    assert sum(found.tables["seats_by_house"].values()) == seats * games
    assert all(max(points) <= 500 for points in found.scores.values())
    assert max(found.lengths) <= 40
    if seats == 12:
        assert min(found.tables["specials"].values()) > 0
        assert len(found.tables["specials"]) == 40
        assert len(found.tables["wins_by_house"]) == 12
        ranks = found.ranks_by_skill
        assert len(ranks["greedy"]) == len(ranks["random"]) == 6 * games
        assert fmean(ranks["greedy"]) <= 4.0, "they rank in the first third of mixed tables"


def test_orders_beyond_the_budget_spend_no_more_than_it_at_any_phase() -> None:
    rules, state = Watched(woi().facts), deal(12, "spendthrift")
    for turn in range(1, 7):
        dice = Dice(b"spendthrift", turn)
        moves = {seat: _doubled(rules, rules.view(state, seat), dice.apart(seat)) for seat in state.players}
        state = rules.resolve(state, moves, dice).state
    assert not isinstance(rules.ask(state), Outcome)
    assert rules.phases == 6 * 8


def _doubled(rules: WebOfIntrigue, view: Any, dice: Dice) -> Move:
    """Return a bot's orders with twice the points on every action."""
    move = rules.read(rules.suggest(view, dice, "greedy"))
    doubled = {place: replace(action, points=2 * action.points) for place, action in move.actions.items()}
    return replace(move, actions=doubled)


@pytest.mark.worlds
def test_the_greedy_bot_has_a_use_for_every_special() -> None:
    enacted = played(woi(), 12, ["greedy"], 8).tables["specials"]

    assert len(enacted) == 40
    assert min(enacted.values()) > 0, enacted


def test_the_command_prints_wins_by_house_and_how_often_each_special_was_enacted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_command(["simulate", "web-of-intrigue", "--games", "1", "--seats", "2"]) == 0
    said = capsys.readouterr().out.splitlines()
    rows = said[said.index("specials:") + 1 :][: len(woi().facts.specials)]
    assert [row.split(":")[0].strip() for row in rows] == [one.name for one in woi().facts.specials.values()]
    assert "wins_by_house:" in said
    assert sum(
        row.startswith("  ") and row.endswith(": 1") for row in said[said.index("wins_by_house:") :][:13]
    )
