"""Simulations through the loop: games end by the rules, and greedy bots beat random ones."""

from __future__ import annotations

import hashlib
import json
from collections import Counter

import pytest

from pbem.cli import run_command
from pbem.core.events import Seat
from pbem.core.interface import Ask, Label, Outcome
from pbem.core.opening import Begun, Opening
from pbem.core.turn import Policy, Position, TakenStep, advance
from pbem.play.turn.simulate import ranks, turn_order
from pbem.rules.rose_king.rules import RoseKing
from pbem.rules.rose_king.state import State
from tests.subjects import subject

GAMES = 400
ENDINGS = {"the last token was placed", "neither red nor white can move"}

ROSE_KING = subject("rose-king")


class Watched(RoseKing):
    """The Rose King with its invariants checked at every step."""

    steps = 0

    def ask(self, state: State) -> Ask | Outcome:
        Watched.steps += 1
        cards = [*state.pile, *state.discards, *(c for p in state.players.values() for c in p.hand)]
        assert sorted(cards) == sorted(self.facts.deck)
        assert len(cards) == 24
        assert state.supply is not None
        assert state.supply + len(state.tokens) == 52
        assert set(state.tokens) <= set(self.facts.squares)
        assert len(self.facts.squares) == 81
        assert all(len(player.hand) <= 5 and 0 <= player.heroes <= 4 for player in state.players.values())
        return super().ask(state)


@pytest.mark.worlds
@pytest.mark.parametrize("part", range(4))
def test_four_hundred_games_end_by_the_rules_with_the_invariants_held_at_every_step(part: int) -> None:
    assert isinstance(ROSE_KING.rules, RoseKing)
    rules = Watched(ROSE_KING.rules.facts)
    opening = Opening(rules, ROSE_KING.seats, ROSE_KING.options)
    skills = (("random", "random"), ("greedy", "random"), ("random", "greedy"), ("random", "random"))[part]
    endings, winners = set[str](), Counter[str]()
    for number in range(GAMES // 4):
        seed = hashlib.sha256(f"invariants {part} {number}".encode()).digest()
        policy = Policy(bots=dict(zip(ROSE_KING.seats, skills, strict=True)), most_steps=10_000)
        start: Position[Begun[State]] = Position(None)
        ran = advance(opening, ROSE_KING.seats, start, {}, seed, policy)
        assert isinstance(ran.ask, Outcome)
        assert set(ran.ask.scores) == {Seat("red"), Seat("white")}
        endings.add(ran.ask.reason)
        winners.update(policy.bots[seat] for seat in ran.ask.winners)

    assert endings == ENDINGS
    assert Watched.steps > 10_000
    if "greedy" in skills:
        assert winners["greedy"] >= 0.9 * GAMES // 4, "greedy beats random in at least nine games of ten"


def test_winners_rank_first_then_points_decide_and_ties_share_the_mean() -> None:
    a, b, c, d, e = (Seat(name) for name in "abcde")
    outcome = Outcome("by a tie-break", (c,), {a: 7, b: 3, c: 7, d: 3, e: 9}, "cards")
    assert ranks(outcome) == {c: 1, e: 2, a: 3, b: 4.5, d: 4.5}
    assert ranks(Outcome("a draw", (), {a: 1, b: 1}, "")) == {a: 1.5, b: 1.5}


def test_the_same_seed_gives_the_same_statistics_and_another_seed_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = []
    for seed in ("one", "one", "two"):
        words = ["simulate", "rose-king", "--games", "4", "--bots", "random", "--seed", seed, "--json"]
        assert run_command(words) == 0
        said.append(json.loads(capsys.readouterr().out))

    assert said[0] == said[1] != said[2]
    assert said[0]["games"] == 4
    places = said[0]["wins_by_place"].values()
    assert len(places) == 2 and sum(row["wins"] for row in places) == sum(said[0]["wins"].values())
    assert said[0].keys() >= {"steps", "points", "endings", "decided_by", "wins", "wins_by_skill", "draws"}


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (["ann-1", "bob-1", "ann-2"], ["ann", "bob"]),
        (["bob-1", "bob-1.trade", "cleo-1", "ann-1"], ["bob", "cleo", "ann"]),
        (["turn-1", "turn-2"], []),
        ([], []),
    ],
)
def test_the_turn_order_is_that_of_the_first_moves(labels: list[str], order: list[str]) -> None:
    steps = [TakenStep(Label(one), "move", {}, {}) for one in labels]

    assert turn_order(steps) == tuple(order)
