"""What the archive reckons from rows alone: ratings, records, who is the same person, lines, sentences."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.archive.profiles import SeatSummary, Span, profiles_of, ratings_of, records_of
from pbem.archive.rendering import labels_apart, mark_names
from pbem.archive.results import (
    BETA,
    KAPPA,
    MU,
    SIGMA,
    TAU,
    Result,
    SeatRow,
    Stint,
    normalize_player_name,
    number_namesakes,
    places,
    player_page_name,
    rated,
)
from pbem.archive.story import lines_of, points_of
from pbem.core.interface import Plot
from pbem.rules.kit.plots import of_players
from tests.written import rows_of

pytest.importorskip("openskill")


@pytest.mark.parametrize(
    ("won", "scores", "found"), rows_of(__file__, "places_are_winners_first_and_then_by_points")
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
    assert (len(old.course), old.course[-1]) == (40, round(old.mu, 2))
    assert new.low < old.low < old.mu < old.high < new.high


def stint(seat: str, name: str, *, whole: bool = True, person: int = 1) -> Stint:
    return Stint(seat, name, 1, None, whole=whole, with_bot=False, known=True, person=person)


def result(
    name: str, at: str, scores: dict[str, int | None], people: list[Stint], rules: str = "duel"
) -> Result:
    best = max((score for score in scores.values() if score is not None), default=None)
    seats = tuple(SeatRow(seat, seat, "", score, score == best is not None) for seat, score in scores.items())
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


RED, WHITE = "Red", "White"


def of_two(name: str, at: str, turn: int, red: int | None, white: int | None, *, over: bool = True) -> Result:
    points = {RED: red, WHITE: white}
    best = max((one for one in points.values() if one is not None), default=None)
    seats = tuple(
        SeatRow(seat.lower(), seat, "", one, one is not None and one == best) for seat, one in points.items()
    )
    ann = Stint("red", "Ann", 1, None, whole=True, with_bot=False, known=True, person=1)
    begun = "2026-01-01T00:00:00+00:00"
    return Result(
        name, "rose-king", "The Rose King", begun, f"{at}T00:00:00+00:00", turn, over, seats, (ann,)
    )


GAMES = [
    of_two("a", "2026-01-11", 40, 30, 20),
    of_two("b", "2026-01-31", 50, 25, 35),
    of_two("c", "2026-01-21", 30, 22, 22),
    of_two("stopped", "2026-03-01", 90, None, None),
    of_two("runs", "2026-05-01", 99, None, None, over=False),
]


def test_lengths_and_records_are_of_finished_games_with_a_result() -> None:
    found = records_of(GAMES)

    assert (found.games, found.stopped) == (4, 1)
    assert (found.turns, found.days) == (Span(30, 40, 50), Span(10, 20, 30))
    assert found.seats == (
        SeatSummary(2, "Red", 3, 2, (30 + 25 + 22) / 3),
        SeatSummary(2, "White", 3, 2, (20 + 35 + 22) / 3),
    )
    assert [one.share for one in found.seats] == [67, 67], "a shared win counts for each seat"
    found = records_of([GAMES[3], GAMES[4]])
    assert (found.games, found.stopped, found.turns, found.held, found.seats) == (1, 1, None, (), ())


def test_who_reaches_a_record_again_does_not_take_it_and_only_who_had_its_seat_is_named() -> None:
    held = {one.what: one for one in records_of([*GAMES, of_two("later", "2026-02-20", 50, 35, 1)]).held}

    assert [(held[what].game, held[what].name) for what in ("most points", "most turns")] == [("b", "")] * 2
    assert {one.what: one.name for one in records_of(GAMES[:1]).held}["most points"] == "Ann"


ANN, OTHER = "ann@example.org", "ann@other.example"


def who(name: str, address: str, seat: str = "red", person: int = 0) -> Stint:
    return Stint(seat, name, 1, None, whole=True, with_bot=False, known=bool(address), person=person)


@pytest.mark.parametrize(
    ("played", "people"),
    [
        ([("Ann", ANN), ("Ann", ANN)], [1, 1]),
        ([("Ann", ANN), ("Ann", OTHER), ("Ann", ANN)], [1, 2, 1]),
        ([("Ann", ANN), (" ann  ", ANN)], [1, 1]),
        ([("Ann", ""), ("Ann", "")], [1, 1]),
        ([("Ann", ""), ("Ann", ANN)], [1, 1]),
        ([("Ann", OTHER), ("Ann", ""), ("Ann", ANN)], [1, 2, 3]),
        ([("Ann", ANN), ("Bob", ANN)], [1, 1]),
    ],
    ids=["same", "two", "spelling", "no address", "one address", "whose is unknown", "names"],
)
def test_the_same_name_and_address_are_one_person(played: list[tuple[str, str]], people: list[int]) -> None:
    games = {f"g-{n}": (f"2026-01-0{n + 1}", [who(*one)]) for n, one in enumerate(played)}
    addresses = {f"g-{n}": address for n, (_, address) in enumerate(played)}

    found = number_namesakes(games, lambda game, _: addresses[game])

    assert [found[game][0].person for game in games] == people


@pytest.mark.parametrize("seed", range(5))
def test_numbers_depend_on_the_games_and_not_on_what_was_numbered_before(seed: int) -> None:
    chance = random.Random(seed)
    addresses: dict[str, str] = {}
    kept: dict[str, tuple[str, list[Stint]]] = {}
    for step in range(40):
        if kept and chance.random() < 0.3:
            del kept[chance.choice(sorted(kept))]
        game = f"g-{chance.randrange(12)}" if chance.random() < 0.3 else f"h-{step}"
        addresses[game] = chance.choice(["", ANN, OTHER, "ann@third.example"])
        kept[game] = (f"2026-01-{chance.randrange(10, 30)}", [who("Ann", addresses[game])])
        told = number_namesakes(kept, lambda game, _: addresses[game])
        new = {game: (begun, [who("Ann", addresses[game])]) for game, (begun, _) in kept.items()}

        assert told == number_namesakes(new, lambda game, _: addresses[game])
        kept = {game: (begun, told[game]) for game, (begun, _) in kept.items()}


def test_a_player_whose_address_cannot_be_read_any_more_stays_a_person_of_their_own() -> None:
    games = {"a": ("1", [who("Ann", ANN, person=1)]), "b": ("2", [who("Ann", OTHER, person=2)])}
    games["c"] = ("3", [who("Ann", OTHER)])

    found = number_namesakes(games, lambda game, _: {"a": "", "b": OTHER, "c": OTHER}[game])

    assert [found[game][0].person for game in "abc"] == [1, 2, 2]


@pytest.mark.parametrize(
    "name",
    [
        "Ann Lee",
        "../../etc/passwd",
        "CON",
        "",
        ".",
        "王小明",
        "a" * 300,
        "<b>x</b>",
        "a/b\\c:d|e?f*g",
        "İ\u202eß",
    ],
)
def test_the_page_of_any_name_has_a_safe_file_name(name: str) -> None:
    page = player_page_name(name)

    assert set(page) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
    assert page.startswith("player-") and page.endswith(".html") and page.count(".") == 1
    assert len(page) < 80


def test_names_that_look_alike_in_a_file_name_have_pages_of_their_own() -> None:
    names = ["Ann Lee", "Ann-Lee", "Änn Lee", "Ann Lée", "ann lee jr", "安", "李"]

    assert (
        len({player_page_name(name) for name in names})
        == len({normalize_player_name(name) for name in names})
        == len(names)
    )
    assert player_page_name("ANN  lee") == player_page_name("Ann Lee")


PLOTS: dict[str, Plot] = {"Points": of_players(lambda side: side.points)}


@dataclass(frozen=True)
class Side:
    points: int


@dataclass(frozen=True)
class View:
    players: dict[str, Side]


def test_what_is_kept_of_a_view_has_the_points_of_the_view() -> None:
    view = View({"red": Side(3), "white": Side(4)})
    kept = {"players": {"red": {"points": 3}, "white": {"points": 4}}}

    assert points_of(PLOTS, view) == points_of(PLOTS, kept) == {"red": 3, "white": 4}


@pytest.mark.parametrize("view", [None, {}, {"players": {"red": {}}}, {"players": []}, "damaged"])
def test_a_view_in_which_there_are_no_points_has_none(view: object) -> None:
    assert points_of(PLOTS, view) == {}
    assert points_of({}, view) == {}


@given(st.lists(st.dictionaries(st.sampled_from(["red", "white"]), st.integers(-99, 999)), min_size=1))
def test_a_line_has_each_change_at_its_moment_and_more_points_stand_higher(
    points: list[dict[str, int]],
) -> None:
    lines = lines_of(points)

    assert [line.seat for line in lines] == list(dict.fromkeys(seat for one in points for seat in one))
    for line in lines:
        first = re.match(r"M(\d+) (\d+)", line.path)
        assert first is not None
        steps = [(int(first[1]), int(first[2]))]
        steps += ((int(x), int(y)) for x, y in re.findall(r"H(\d+)V(\d+)", line.path))
        told = [(moment, one[line.seat]) for moment, one in enumerate(points) if line.seat in one]
        changes = [one for n, one in enumerate(told) if n == 0 or told[n - 1][1] != one[1]]
        assert [moment for moment, _ in steps] == [moment for moment, _ in changes]
        for (_, y), (_, number) in zip(steps, changes, strict=True):
            for (_, other_y), (_, other) in zip(steps, changes, strict=True):
                assert 0 <= y <= 100 and (number <= other or y <= other_y)


def test_seats_in_a_sentence_are_called_by_their_players_and_nothing_in_it_is_markup() -> None:
    seats = [
        {"seat": "1", "title": "Player 1", "name": "<i>Ann</i>", "colour": "#111111"},
        {"seat": "10", "title": "Player 10", "name": "", "colour": "#222222"},
    ]
    told = str(mark_names("Player 10 took <b>Rome</b> from Player 1.", seats, ["Rome"]))
    shown = ElementTree.fromstring(f"<p>{told}</p>")
    assert "".join(shown.itertext()) == "Player 10 took <b>Rome</b> from <i>Ann</i>."
    assert [(one.get("data-seat"), one.get("style"), one.text) for one in shown] == [
        ("10", "--c:#222222", "Player 10"),
        (None, None, "Rome"),
        ("1", "--c:#111111", "<i>Ann</i>"),
    ]


@pytest.mark.parametrize("least", [4, 8])
def test_labels_stand_apart_and_near_to_their_lines(least: float) -> None:
    heights = [97, 97, 3, 50, 51]
    found = labels_apart(heights, least)
    in_order = sorted(found)
    assert (
        all(b - a >= least - 1e-9 for a, b in pairwise(in_order)) and 0 <= in_order[0] <= in_order[-1] <= 100
    )
    assert all(abs(one - was) <= 2 * least for one, was in zip(found, heights, strict=True))
    assert labels_apart([], 8) == []
