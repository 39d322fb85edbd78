"""Ratings: places, what counts, and a table that is recomputed here with the formulas of the model alone."""

from __future__ import annotations

import math

import pytest

from pbem.archive.profiles import profiles_of, ratings_of
from pbem.archive.results import BETA, KAPPA, MU, SIGMA, TAU, Result, Seated, Stint, places, rated

pytest.importorskip("openskill")


@pytest.mark.parametrize(
    ("won", "scores", "found"),
    [
        ([0, 1, 0], [5, 9, 7], [3, 1, 2]),
        ([1, 1, 0], [9, 9, 7], [1, 1, 3]),
        ([1, 0, 0, 0], [9, 7, 7, 5], [1, 2, 2, 4]),
        ([1, 0, 0], [9, 9, 5], [1, 2, 3]),
        ([0, 0], [4, 4], [1, 1]),
        ([1, 0, 0], [None, None, None], [1, 2, 2]),
        ([1, 0, 0], [3, 9, 5], [1, 2, 2]),
        ([0, 0], [None, None], None),
    ],
    ids=["points", "shared win", "ties", "tie broken", "draw", "no points", "most points lose", "stopped"],
)
def test_places_are_winners_first_and_then_by_points(
    won: list[int], scores: list[int | None], found: list[int] | None
) -> None:
    assert places([bool(one) for one in won], scores) == found


def by_hand(games: list[dict[str, int]]) -> dict[str, tuple[float, float]]:
    """Return mu and sigma of each player by Plackett-Luce: Weng and Lin, JMLR 12 (2011), algorithm 4.

    With OpenSkill's dynamics: before each game, tau is added to what is unsure.
    """
    skill: dict[str, tuple[float, float]] = {}
    for game in games:
        mu = {who: skill.get(who, (MU, SIGMA))[0] for who in game}
        variance = {who: skill.get(who, (MU, SIGMA))[1] ** 2 + TAU**2 for who in game}
        c = math.sqrt(sum(one + BETA**2 for one in variance.values()))
        force = {who: math.exp(mu[who] / c) for who in game}
        behind = {q: sum(force[s] for s in game if game[s] >= game[q]) for q in game}
        tied = {q: sum(place == game[q] for place in game.values()) for q in game}
        for who in game:
            ahead = [q for q in game if game[q] <= game[who]]
            chance = {q: force[who] / behind[q] for q in ahead}
            omega = sum(((q == who) - chance[q]) / tied[q] for q in ahead)
            delta = sum(chance[q] * (1 - chance[q]) / tied[q] for q in ahead)
            shrink = 1 - math.sqrt(variance[who]) / c * delta * variance[who] / c**2
            skill[who] = (mu[who] + omega * variance[who] / c, math.sqrt(variance[who] * max(shrink, KAPPA)))
    return skill


def test_a_table_of_ratings_is_what_the_formulas_of_the_model_give() -> None:
    games = [
        {"ann": 1, "bob": 2},
        {"bob": 1, "cleo": 2, "ann": 3},
        {"cleo": 1, "ann": 1, "dan": 3, "bob": 4},
        {"ann": 2, "dan": 1},
        {"bob": 1, "dan": 2, "cleo": 2},
    ]

    found, wanted = rated(games), by_hand(games)

    assert found.keys() == wanted.keys()
    for who, (mu, sigma) in wanted.items():
        assert (found[who].mu, found[who].sigma) == pytest.approx((mu, sigma), rel=1e-9), who
    assert {who: one.games for who, one in found.items()} == {"ann": 4, "bob": 4, "cleo": 3, "dan": 3}
    assert (round(found["ann"].mu, 2), round(found["ann"].sigma, 2)) == (22.46, 7.53)


def test_a_rating_says_how_sure_it_is_and_grows_surer_with_games() -> None:
    new = rated([{"ann": 1, "bob": 2}])["ann"]
    old = rated([{"ann": 1 + game % 2, "bob": 2 - game % 2} for game in range(40)])["ann"]

    assert (new.sure, old.sure) == ("a guess", "fair")
    assert new.low < old.low < old.mu < old.high < new.high


def stint(seat: str, name: str, *, whole: bool = True, person: int = 1) -> Stint:
    return Stint(seat, name, 1, None, whole=whole, with_bot=False, known=True, person=person)


def result(
    name: str, at: str, scores: dict[str, int | None], people: list[Stint], rules: str = "duel"
) -> Result:
    best = max((score for score in scores.values() if score is not None), default=None)
    seats = tuple(Seated(seat, seat, "", score, score == best is not None) for seat, score in scores.items())
    return Result(name, rules, rules.title(), "2026-01-01", at, 9, True, seats, tuple(people))


SCORES: dict[str, int | None] = {"a": 9, "b": 5, "c": 7}


@pytest.mark.parametrize(
    ("people", "counted"),
    [
        ([stint("a", "Ann"), stint("b", "Bob"), stint("c", "Cleo")], {"ann": 1, "bob": 3, "cleo": 2}),
        ([stint("a", "Ann"), stint("b", "Bob")], {"ann": 1, "bob": 3}),
        ([stint("a", "Ann"), stint("b", "Bob", whole=False), stint("c", "Cleo")], {"ann": 1, "cleo": 2}),
        ([stint("a", "Ann"), stint("b", "Bob"), stint("c", "Ann")], {}),
        ([stint("a", "Ann")], {}),
    ],
    ids=["all", "a bot", "changed hands", "two seats", "alone"],
)
def test_seats_of_bots_and_seats_that_changed_hands_are_left_out(
    people: list[Stint], counted: dict[str, int]
) -> None:
    found = result("g", "2026-02-01", SCORES, people).rated()

    assert {name: place for (name, _), place in found.items()} == counted


def test_ratings_are_made_by_rules_in_the_order_in_which_games_ended() -> None:
    two = [stint("a", "Ann"), stint("b", "Bob")]
    first = result("z", "2026-02-01T10:00:00+00:00", {"a": 9, "b": 1}, two)
    second = result("a", "2026-02-02T10:00:00+00:00", {"a": 1, "b": 9}, two)
    other = result("m", "2026-02-01T12:00:00+00:00", {"a": 1, "b": 9}, two, rules="chess")
    stopped = result("s", "2026-02-01T12:00:00+00:00", {"a": None, "b": None}, two)

    found = ratings_of([second, other, stopped, first])

    ann, bob = ("ann", 1), ("bob", 1)
    assert found["duel"] == rated([{ann: 1, bob: 2}, {ann: 2, bob: 1}])
    assert found["duel"] != rated([{ann: 2, bob: 1}, {ann: 1, bob: 2}])
    assert found["chess"] == rated([{ann: 2, bob: 1}])
    profiles = {one.name: one for one in profiles_of([second, other, stopped, first], found)}
    assert [(by.title, by.games, by.won) for by in profiles["Ann"].by_rules] == [
        ("Chess", 1, 0),
        ("Duel", 2, 1),
    ]
    assert [by.rating for by in profiles["Ann"].by_rules] == [found["chess"][ann], found["duel"][ann]]
