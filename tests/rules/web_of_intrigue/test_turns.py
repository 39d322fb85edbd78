"""A turn, phase by phase: order of action, bids, specials, guesses, moves."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.web_of_intrigue.events import ActionVoid, BidMade, BidWeighed, TileRevealed, TilesSighted
from pbem.rules.web_of_intrigue.state import UNSEEN, Blight, Square, TileId

from .table import A, B, C, D, change, do, loaded, of, position, seen_by, woi

AT_HOME = {A: "d5", B: "d5", C: "d5", D: "d5"}


def bid(target: str, points: int = 5) -> Json:
    return {"for": target, "points": points}


def enact(special: str, points: int = 1, **subject: Any) -> Json:
    return {"enact": special, "points": points, **subject}


@pytest.mark.paragraph("points-order")
def test_equal_points_are_ordered_by_one_draw_for_each_seat() -> None:
    state = position(tiles={"d5": "henrik_ibsen"}, squares=AT_HOME)
    orders = {seat: {"bid_1": bid("henrik_ibsen")} for seat in (A, B, C)}
    dice = loaded(bid_1_tie_1=20, bid_1_tie_2=30, bid_1_tie_3=10)
    _, events = do(state, orders, dice)
    assert [one.seat for one in of(events, BidMade)] == [C, A, B]
    _, fewer = do(state, {A: orders[A], B: orders[B]}, dice)
    assert [one.seat for one in of(fewer, BidMade)] == [A, B]


def test_a_bid_for_what_one_controls_does_nothing_and_only_its_owner_is_told() -> None:
    state = position(tiles={"d5": "henrik_ibsen"}, squares=AT_HOME, owners={"henrik_ibsen": A})
    after, events = do(state, {A: {"bid_1": bid("henrik_ibsen")}})
    assert of(events, BidMade) == []
    (void,) = of(events, ActionVoid)
    assert (void.why, void.to) == ("you control it already", frozenset({A}))
    assert after.players[A].bids == {}


@pytest.mark.paragraph("example-5", "example-7", "points-order", "points-others")
def test_example_7_played_out() -> None:
    tiles = {"e5": "rick_blacken", "e6": "secret_tunnel", "c6": "tock_runners", "d6": "spyhole"}
    houses = {A: "taurus", B: "gemini", C: "cancer"}
    state = position(tiles=tiles, squares=AT_HOME, houses=houses, owners={"rick_blacken": D})
    orders = {
        A: {
            "special_1": enact("secret_tunnel"),
            "bid_1": bid("rick_blacken", 10),
            "bid_2": bid("tock_runners", 1),
        },
        B: {"bid_2": bid("tock_runners", 9)},
        C: {"bid_2": bid("rick_blacken", 8)},
    }
    dice = loaded(bid_1_die_1=5, bid_2_die_2=6, bid_2_die_3=6, bid_2_die_1=6)
    _, events = do(state, orders, dice)
    first, second = of(events, BidWeighed, A)
    assert first.parts == {"House": 3, "distance": -1, "control": -3, "Secret tunnel": 1}
    assert first.needed == 5
    assert second.parts == {"House": -3, "distance": -3, "control": -3}
    assert second.needed == 12
    assert [one.success for one in of(events, BidMade, A)] == [True, False]


@pytest.mark.paragraph("bid-known")
def test_a_bidder_is_told_the_same_whatever_the_house_of_the_owner() -> None:
    tiles = {"d5": "rick_blacken", "d4": "peace_movement"}
    told = set()
    for house in ("leo", "virgo", "libra", "cancer"):
        houses = {A: "capricorn", B: house, C: "taurus", D: "gemini"}
        state = position(tiles=tiles, squares=AT_HOME, houses=houses, owners={"rick_blacken": B})
        orders = {A: {"special_1": enact("peace_movement"), "bid_1": bid("rick_blacken")}}
        after, events = do(state, orders, loaded(bid_1_die_1=1))
        told.add(str((seen_by(events, A), woi().view(after, A))))
    assert len(told) == 1


SHIFTS = [
    ("square_aspect", {"row": 1}, "a1", "j1"),
    ("square_aspect", {"row": 1}, "d1", "c1"),
    ("trine_aspect", {"row": 10}, "j10", "a10"),
    ("opposition", {"column": "c"}, "c1", "c10"),
    ("opposition", {"column": "c"}, "c7", "c6"),
    ("sextile_aspect", {"column": "j"}, "j10", "j1"),
]


@pytest.mark.paragraph("special-row", "special-column", "intro-web")
@pytest.mark.parametrize(("special", "subject", "start", "end"), SHIFTS)
def test_a_line_shifts_by_one_round_the_edge(
    special: str, subject: dict[str, Any], start: str, end: str
) -> None:
    state = position(tiles={start: "france"}, owners={"france": B})
    after, _ = do(state, {A: {"special_1": enact(special, **subject)}})
    assert after.web[Square(end)] == "france"
    assert after.owners == {"france": B}
    assert sorted(after.web.values()) == sorted(state.web.values())
    moved = {square for square in state.web if state.web[square] != after.web[square]}
    assert len(moved) == 10


@pytest.mark.paragraph("bid-distance", "intro-web")
@pytest.mark.parametrize(
    ("here", "there", "steps"),
    [
        ("a1", "j1", 1),
        ("a1", "a10", 1),
        ("a1", "j10", 2),
        ("b10", "b2", 2),
        ("j5", "b5", 2),
        ("a1", "f6", 10),
    ],
)
def test_distance_counts_round_every_edge(here: str, there: str, steps: int) -> None:
    grid = woi().facts.grid
    assert grid.distance(Square(here), Square(there)) == grid.distance(Square(there), Square(here)) == steps


@pytest.mark.paragraph("special-fog")
def test_an_obscured_tile_is_sighted_as_a_question_mark_and_no_object_of_the_view() -> None:
    state = position(
        tiles={"d5": "france", "d4": "fog_of_war"}, squares={A: "d4", B: "d6"}, owners={"france": B}
    )
    after, events = do(state, {A: {"special_1": enact("fog_of_war", square="d5")}})
    assert [one.tiles.get("d5") for one in of(events, TilesSighted, B)] == [UNSEEN]
    view = woi().view(after, B)
    assert "france" not in view.objects
    assert view.owners[TileId("france")].controller == B


@pytest.mark.paragraph("special-tile")
def test_a_tile_is_revealed_as_it_lies_when_the_special_is_enacted() -> None:
    tiles = {"d5": "france", "d6": "spain", "d4": "chaos", "c5": "blackmail"}
    state = position(tiles=tiles, squares=AT_HOME, owners={"spain": B})
    orders = {
        A: {"special_1": enact("chaos", squares=["d5", "d6"]), "special_2": enact("blackmail", square="d5")}
    }
    after, events = do(state, orders)
    (revealed,) = of(events, TileRevealed)
    assert (revealed.square, revealed.tile, revealed.controller) == ("d5", "Spain", B)
    assert revealed.to == frozenset({A})
    assert after.players[A].memory[Square("d5")].tile == "spain"


VOIDS: list[tuple[str, int, dict[str, Json], list[str]]] = [
    (
        "a smaller budget",
        2,
        {"special_1": enact("inflation", 5), "bid_1": bid("spain", 15)},
        ["bid_1"],
    ),
    (
        "a later action that fits",
        2,
        {"bid_1": bid("spain", 19), "bid_2": bid("spain", 3)},
        ["bid_1"],
    ),
    ("nothing left", 30, {"special_1": enact("inflation", 1)}, ["special_1"]),
    (
        "a special twice, whose points are lost",
        0,
        {"special_1": enact("inflation", 5), "special_2": enact("inflation", 10), "bid_2": bid("spain", 6)},
        ["special_2", "bid_2"],
    ),
]


@pytest.mark.parametrize(("lost", "order", "void"), [row[1:] for row in VOIDS], ids=[row[0] for row in VOIDS])
def test_a_kept_line_loses_what_does_not_fit(lost: int, order: dict[str, Json], void: list[str]) -> None:
    state = change(
        position(tiles={"d5": "spain", "d4": "inflation"}, squares=AT_HOME), B, blights=(Blight(A, lost),)
    )
    _, events = do(state, {A: order})
    assert [one.phase for one in of(events, ActionVoid)] == void
    assert all(one.to == frozenset({A}) for one in of(events, ActionVoid))


@pytest.mark.paragraph("guess-basis")
def test_a_won_bid_proves_what_the_house_adds_at_least_by_public_facts_alone() -> None:
    tiles = {"d5": "shaka_zulu", "d4": "patent_office", "d6": "spyhole"}
    state = position(tiles=tiles, squares=AT_HOME)
    orders = {
        A: {"special_1": enact("patent_office"), "special_2": enact("spyhole"), "bid_2": bid("shaka_zulu")}
    }
    after, _ = do(state, orders, loaded(bid_2_die_1=3))
    # difficulty 9, die 3, +1 and at best +1 beside: a House of +4 or more
    assert woi().view(after, None).players[A].proven == {"discovery": 4}
    lost, _ = do(state, orders, loaded(bid_2_die_1=1))
    assert lost.players[A].proven == {}
    assert lost.players[A].bids == {"discovery": 1}


@pytest.mark.paragraph("bid-public", "guess-basis")
def test_who_bid_for_what_is_public_and_squares_points_and_modifiers_are_not() -> None:
    tiles = {"d5": "rick_blacken", "d4": "inflation", "d6": "chaos"}
    state = position(tiles=tiles, squares=AT_HOME)
    orders: dict[Seat, Json] = {
        A: {
            "special_1": enact("inflation", 7),
            "special_2": enact("chaos", squares=["d4", "d6"]),
            "bid_1": bid("rick_blacken", 5),
            "guess": {"player": 2, "house": "leo"},
            "move": "d6",
        }
    }
    _, events = do(state, orders)
    told = [type(one).__name__ for one in seen_by(events, None)]
    assert told == ["SpecialEnacted", "BidMade", "SpecialEnacted", "ObjectsCounted"]
