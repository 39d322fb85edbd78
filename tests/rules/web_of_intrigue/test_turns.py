"""A turn, phase by phase: order of action, bids, specials, guesses, moves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.rules.web_of_intrigue.events import (
    ActionVoid,
    BidMade,
    BidWeighed,
    HouseGuessed,
    PlayerBlighted,
    PlayerRevealed,
    PointsChanged,
    SeatMoved,
    SpecialEnacted,
    TileRevealed,
    TilesSighted,
    VpMoved,
)
from pbem.rules.web_of_intrigue.state import (
    UNSEEN,
    Blight,
    Guess,
    HouseId,
    Sighting,
    Spotting,
    Square,
    TileId,
)

from .table import A, B, C, D, change, do, loaded, of, position, seen_by, woi

AT_HOME = {A: "d5", B: "d5", C: "d5", D: "d5"}


def bid(target: str, points: int = 5) -> Json:
    return {"for": target, "points": points}


def enact(special: str, points: int = 1, **subject: Any) -> Json:
    return {"enact": special, "points": points, **subject}


def test_most_points_act_first() -> None:
    state = position(tiles={"d5": "henrik_ibsen"}, squares=AT_HOME)
    orders = {
        seat: {"bid_1": bid("henrik_ibsen", points)} for seat, points in ((A, 3), (B, 9), (C, 1), (D, 4))
    }
    _, events = do(state, orders)
    assert [one.seat for one in of(events, BidMade)] == [B, D, A, C]


def test_equal_points_are_ordered_by_one_draw_for_each_seat() -> None:
    state = position(tiles={"d5": "henrik_ibsen"}, squares=AT_HOME)
    orders = {seat: {"bid_1": bid("henrik_ibsen")} for seat in (A, B, C)}
    dice = loaded(bid_1_tie_1=20, bid_1_tie_2=30, bid_1_tie_3=10)
    _, events = do(state, orders, dice)
    assert [one.seat for one in of(events, BidMade)] == [C, A, B]
    _, fewer = do(state, {A: orders[A], B: orders[B]}, dice)
    assert [one.seat for one in of(fewer, BidMade)] == [A, B]


def test_ties_fall_differently_in_each_phase() -> None:
    state = position(tiles={"d5": "henrik_ibsen", "d4": "druids"}, squares=AT_HOME)
    orders = {seat: {"bid_1": bid("henrik_ibsen", 1), "bid_2": bid("druids", 1)} for seat in (A, B, C, D)}
    orders_seen = set()
    for turn in range(12):
        _, events = do(replace(state, turn=turn + 1), orders, replace(loaded(), step=turn))
        made = [one.seat for one in of(events, BidMade)]
        orders_seen.add(tuple(made[:4]) == tuple(made[4:]))
    assert False in orders_seen


def test_of_several_bids_for_one_object_the_later_ones_meet_its_new_owner() -> None:
    state = position(tiles={"d5": "rick_blacken"}, squares=AT_HOME)
    orders = {
        A: {"bid_1": bid("rick_blacken", 9)},
        B: {"bid_1": bid("rick_blacken", 8)},
        C: {"bid_1": bid("rick_blacken", 7)},
    }
    dice = loaded(bid_1_die_1=5, bid_1_die_2=6, bid_1_die_3=5)
    state, events = do(state, orders, dice)
    assert [(one.seat, one.controller, one.success) for one in of(events, BidMade)] == [
        (A, None, True),
        (B, A, False),
        (C, A, False),
    ]
    assert [one.needed for one in of(events, BidWeighed)] == [5, 8, 8]
    assert state.owners == {"rick_blacken": A}


def test_a_later_bid_may_take_what_an_earlier_one_won() -> None:
    state = position(tiles={"d5": "henrik_ibsen"}, squares=AT_HOME)
    orders = {A: {"bid_1": bid("henrik_ibsen", 9)}, B: {"bid_1": bid("henrik_ibsen", 8)}}
    state, _ = do(state, orders, loaded(bid_1_die_1=1, bid_1_die_2=4))
    assert state.owners == {"henrik_ibsen": B}


def test_a_bid_for_what_one_controls_does_nothing_and_only_its_owner_is_told() -> None:
    state = position(tiles={"d5": "henrik_ibsen"}, squares=AT_HOME, owners={"henrik_ibsen": A})
    after, events = do(state, {A: {"bid_1": bid("henrik_ibsen")}})
    assert of(events, BidMade) == []
    (void,) = of(events, ActionVoid)
    assert (void.why, void.to) == ("you control it already", frozenset({A}))
    assert after.players[A].bids == {}


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


def test_what_is_won_helps_the_next_bid_and_what_is_lost_does_not() -> None:
    tiles = {"d5": "queen_victoria", "e5": "great_britain", "d4": "inflation", "d6": "mass_media"}
    state = position(tiles=tiles, squares=AT_HOME, houses={A: "scorpio"})
    orders = {
        A: {
            "special_1": enact("inflation"),
            "bid_1": bid("queen_victoria", 6),
            "special_2": enact("mass_media"),
            "bid_2": bid("great_britain", 6),
        }
    }
    state = replace(state, owners={TileId("queen_victoria"): A})
    _, events = do(state, orders)
    (weighed,) = of(events, BidWeighed, A)
    assert weighed.parts == {"distance": -1, "Queen Victoria": 6, "Inflation": 1, "Mass media": 2}


@pytest.mark.parametrize(("held", "bonus"), [(["mephistopheles"], {}), (["france"], {"Mass media": 2})])
def test_unless_you_control_is_tested_at_the_moment_of_the_bid(
    held: list[str], bonus: dict[str, int]
) -> None:
    tiles = {"d5": "bavaria", "d4": "mass_media"}
    state = position(tiles=tiles, squares=AT_HOME, houses={A: "scorpio"}, owners=dict.fromkeys(held, A))
    _, events = do(state, {A: {"special_1": enact("mass_media"), "bid_1": bid("bavaria")}})
    (weighed,) = of(events, BidWeighed)
    assert {name: value for name, value in weighed.parts.items() if name == "Mass media"} == bonus


@pytest.mark.parametrize(
    ("house", "die", "success"),
    [("leo", 5, True), ("leo", 4, False), ("cancer", 5, False), ("cancer", 6, False)],
)
def test_an_element_special_counts_against_its_element_and_its_log_does_not_say_so(
    house: str, die: int, success: bool
) -> None:
    tiles = {"d5": "rick_blacken", "d4": "peace_movement"}
    state = position(tiles=tiles, squares=AT_HOME, houses={B: house, D: "libra"}, owners={"rick_blacken": B})
    orders = {A: {"special_1": enact("peace_movement"), "bid_1": bid("rick_blacken")}}
    _, events = do(state, orders, loaded(bid_1_die_1=die))
    (made,), (weighed,) = of(events, BidMade), of(events, BidWeighed)
    assert made.success is success
    assert (weighed.needed, weighed.if_element) == (8, {"fire": 5})


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


def test_aetheric_resonance_takes_all_distance_away() -> None:
    tiles = {"d8": "rick_blacken", "d5": "aetheric_resonance"}
    state = position(tiles=tiles, squares=AT_HOME)
    orders = {
        A: {"special_1": enact("aetheric_resonance"), "bid_1": bid("rick_blacken")},
        B: {"bid_1": bid("rick_blacken", 1)},
    }
    _, events = do(state, orders, loaded(bid_1_die_1=4, bid_1_die_2=1))
    assert [one.parts for one in of(events, BidWeighed)] == [{}, {"distance": -5}]


def test_a_target_shoved_out_of_the_diamond_is_bid_for_at_its_new_distance() -> None:
    tiles = {"d8": "rick_blacken", "a8": "mischief", "d9": "france", "a1": "druids"}
    state = position(tiles=tiles, squares={A: "d5", B: "d9"})
    orders = {
        A: {"bid_1": bid("rick_blacken")},
        B: {"special_1": enact("mischief", squares=["d8", "d9"])},
    }
    _, events = do(state, orders)
    (weighed,) = of(events, BidWeighed)
    assert weighed.parts == {"distance": -7}


def test_an_exchanged_tile_takes_its_controller_along_and_nobody_who_stands_there() -> None:
    tiles = {"d5": "france", "e6": "chaos", "d6": "spain"}
    state = position(tiles=tiles, squares={A: "d5", B: "d5"}, owners={"france": B})
    after, events = do(state, {A: {"special_1": enact("chaos", squares=["d5", "d6"])}})
    assert (after.web[Square("d5")], after.web[Square("d6")]) == ("spain", "france")
    assert after.owners == {"france": B}
    assert after.players[B].square == "d5"
    assert [type(one).__name__ for one in seen_by(events, B)][:1] == ["SpecialEnacted"]


SHIFTS = [
    ("square_aspect", {"row": 1}, "a1", "j1"),
    ("square_aspect", {"row": 1}, "d1", "c1"),
    ("trine_aspect", {"row": 10}, "j10", "a10"),
    ("opposition", {"column": "c"}, "c1", "c10"),
    ("opposition", {"column": "c"}, "c7", "c6"),
    ("sextile_aspect", {"column": "j"}, "j10", "j1"),
]


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


@pytest.mark.parametrize(("special_at", "bonus"), [("a1", 1), ("j10", 1), ("a10", 0), ("b1", 0)])
def test_adjacency_wraps_and_diagonals_do_not_touch(special_at: str, bonus: int) -> None:
    state = position(tiles={"j1": "druids", special_at: "spyhole"}, squares={A: "j1"}, houses={A: "leo"})
    _, events = do(state, {A: {"special_1": enact("spyhole"), "bid_1": bid("druids")}})
    (weighed,) = of(events, BidWeighed)
    assert weighed.parts == ({"Spyhole": bonus} if bonus else {})


def test_adjacency_is_where_the_special_lies_at_the_moment_of_the_bid() -> None:
    tiles = {"d5": "druids", "d4": "spyhole", "b5": "mischief", "d3": "spain"}
    state = position(tiles=tiles, squares={A: "d5", B: "c4"}, houses={A: "leo"})
    orders = {
        A: {"special_1": enact("spyhole"), "bid_1": bid("druids", 1), "bid_2": bid("druids", 1)},
        B: {"special_2": enact("mischief", squares=["d4", "d3"])},
    }
    _, events = do(state, orders, loaded(bid_1_die_1=1, bid_2_die_1=1))
    # the first bid wins with any roll, so the second has nothing to do: look at the first only
    assert of(events, BidWeighed)[0].parts == {"Spyhole": 1}
    _, events = do(state, {**orders, B: {"special_1": enact("mischief", 9, squares=["d4", "d3"])}})
    assert of(events, BidWeighed)[0].parts == {}


def test_an_obscured_tile_is_hidden_in_the_next_report_from_all_but_the_enacter() -> None:
    rules = woi()
    state = position(
        tiles={"d5": "france", "d4": "fog_of_war"}, squares={A: "d4", B: "d6"}, owners={"france": B}
    )
    state = change(state, B, memory={Square("d5"): Sighting(TileId("spain"), 0)})
    after, events = do(state, {A: {"special_1": enact("fog_of_war", square="d5")}})
    assert rules.view(after, A).web[Square("d5")] == "france"
    view = rules.view(after, B)
    assert view.web[Square("d5")] == UNSEEN
    assert "france" not in view.objects
    assert view.memory[Square("d5")].tile == "spain"
    assert view.owners[TileId("france")].controller == B
    assert [one.tiles.get("d5") for one in of(events, TilesSighted, B)] == [UNSEEN]
    (problem,) = rules.check(view, rules.read({"bid_1": bid("france")}))
    assert problem.path == ("bid_1", "for")
    later, _ = do(after, {})
    assert rules.view(later, B).web[Square("d5")] == "france"


def test_the_question_mark_goes_where_the_tile_goes() -> None:
    rules = woi()
    tiles = {"d5": "france", "d4": "fog_of_war", "c4": "chaos", "e5": "spain"}
    state = position(tiles=tiles, squares={A: "d4", B: "d6"})
    orders = {
        A: {"special_1": enact("fog_of_war", square="d5"), "special_2": enact("chaos", squares=["d5", "e5"])}
    }
    view = rules.view(do(state, orders)[0], B)
    assert (view.web[Square("d5")], view.web[Square("e5")]) == ("spain", UNSEEN)


def test_an_obscured_object_can_still_be_won_this_turn() -> None:
    state = position(tiles={"d5": "henrik_ibsen", "d4": "fog_of_war"}, squares={A: "d4", B: "d5"})
    orders = {A: {"special_1": enact("fog_of_war", square="d5")}, B: {"bid_1": bid("henrik_ibsen")}}
    after, _ = do(state, orders)
    assert after.owners == {"henrik_ibsen": B}


def test_a_revealed_tile_is_shown_to_the_enacter_only_and_remembered_with_its_turn() -> None:
    state = position(tiles={"a1": "blackmail", "g7": "usa"}, owners={"usa": C})
    after, events = do(state, {A: {"special_1": enact("blackmail", square="g7")}})
    (shown,) = of(events, TileRevealed)
    assert (shown.tile, shown.controller, shown.to) == ("The USA", C, frozenset({A}))
    seen = woi().view(after, A).memory[Square("g7")]
    assert (seen.tile, seen.turn) == ("usa", 1)


def test_a_revealed_player_is_shown_where_it_stands_before_the_moves() -> None:
    state = position(tiles={"a1": "cartomancy"})
    after, events = do(state, {A: {"special_1": enact("cartomancy", player=2)}, B: {"move": "f2"}})
    (shown,) = of(events, PlayerRevealed)
    assert (shown.square, shown.to) == ("f1", frozenset({A}))
    assert woi().view(after, A).spotted == {B: Spotting(Square("f1"), 1)}
    assert after.players[B].square == "f2"


def test_telegraph_tap_widens_the_next_report_only() -> None:
    rules, state = woi(), position(tiles={"a1": "telegraph_tap"})
    after, _ = do(state, {A: {"special_1": enact("telegraph_tap")}})
    assert (len(rules.view(after, A).web), len(rules.view(after, B).web)) == (41, 25)
    assert len(rules.view(do(after, {})[0], A).web) == 25


def test_new_recruits_and_blight_count_next_turn_and_add_up() -> None:
    rules = woi()
    state = position(tiles={"a1": "new_recruits", "f1": "blight"}, squares={A: "a1", B: "f1", C: "f1"})
    orders = {
        A: {"special_1": enact("new_recruits")},
        B: {"special_1": enact("blight", player="1")},
        C: {"special_1": enact("blight", player="1"), "special_2": enact("blight", player="2")},
    }
    after, events = do(state, orders)
    assert [rules.view(after, seat).own.action_points for seat in (A, B, C)] == [20, 20, 20]  # type: ignore[union-attr]
    assert sorted(one.amount for one in of(events, PointsChanged, A)) == [-2, -2, 4]
    assert {one.to for one in of(events, PlayerBlighted)} == {frozenset({B}), frozenset({C})}
    assert [void.phase for void in of(events, ActionVoid)] == ["special_2"]
    once, _ = do(state, {A: orders[A]})
    assert rules.view(once, A).own.action_points == 24  # type: ignore[union-attr]
    assert rules.view(do(once, {})[0], A).own.action_points == 20  # type: ignore[union-attr]


def test_a_free_guess_names_a_player_not_yet_guessed_and_another_house() -> None:
    state = position(tiles={"a1": "malleus_maleficarum"})
    known = tuple(Guess(1, seat, state.players[seat].house, right=True, free=False) for seat in (B, C))
    state = change(state, A, guesses=known)
    for step in range(20):
        _, events = do(state, {A: {"special_1": enact("malleus_maleficarum")}}, replace(loaded(), step=step))
        (guess,) = of(events, HouseGuessed)
        assert (guess.player, guess.free, guess.to) == (D, True, frozenset({A}))
        assert guess.house != "Capricorn"
        assert guess.right == (guess.house == "Gemini")
    state = change(state, A, guesses=(*known, Guess(1, D, HouseId("gemini"), right=True, free=False)))
    _, events = do(state, {A: {"special_1": enact("malleus_maleficarum")}})
    assert [void.why for void in of(events, ActionVoid)] == ["you have guessed the Houses of all players"]


@pytest.mark.parametrize(("had", "amount"), [(30, 10), (4, 4), (0, 0)])
def test_redistribution_takes_ten_at_most_and_tells_each_of_the_two_their_part(had: int, amount: int) -> None:
    state = change(position(tiles={"a1": "redistribution"}), B, objects=had)
    dice = loaded(special_1_donor_1=1, special_1_receiver_1=2)
    after, events = do(state, {A: {"special_1": enact("redistribution")}}, dice)
    told = [(one.seat, one.amount, one.to) for one in of(events, VpMoved)]
    assert told == [(B, -amount, frozenset({B})), (D, amount, frozenset({D}))]
    assert (after.players[B].total, after.players[D].total) == (had - amount, amount)
    assert [type(one).__name__ for one in seen_by(events, None)] == ["SpecialEnacted", "ObjectsCounted"]


def test_equal_effects_of_different_tiles_add_up() -> None:
    tiles = {"d5": "rick_blacken", "d4": "bribery", "d6": "empathy"}
    state = position(tiles=tiles, squares=AT_HOME)
    orders = {A: {"special_1": enact("bribery"), "special_2": enact("empathy"), "bid_2": bid("rick_blacken")}}
    _, events = do(state, orders)
    assert of(events, BidWeighed)[0].parts == {"Bribery": 1, "Empathy": 2}


def test_several_players_may_enact_the_same_special_in_a_phase() -> None:
    state = position(tiles={"d5": "inflation"}, squares=AT_HOME)
    _, events = do(state, {seat: {"special_1": enact("inflation")} for seat in (A, B, C, D)})
    assert len(of(events, SpecialEnacted)) == 4


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


def test_all_guesses_of_a_phase_count_at_once_and_are_answered_to_the_guesser_alone() -> None:
    state = position(owners={"france": A, "usa": B})
    orders = {A: {"guess": {"player": 2, "house": "pisces"}}, B: {"guess": {"player": "1", "house": "Leo"}}}
    after, events = do(state, orders)
    assert [(one.seat, one.right, one.to) for one in of(events, HouseGuessed)] == [
        (A, True, frozenset({A})),
        (B, False, frozenset({B})),
    ]
    assert after.players[A].bonuses == {B: 2}
    assert after.players[B].bonuses == {}


def test_a_mutual_guess_ends_both_bonuses_for_good() -> None:
    state = position(owners={"france": A, "usa": B})
    state, _ = do(state, {A: {"guess": {"player": 2, "house": "pisces"}}})
    assert (state.players[A].bonus, state.players[B].bonus) == (2, 0)
    state, _ = do(state, {A: {"guess": {"player": 2, "house": "pisces"}}})
    assert (state.players[A].bonus, state.players[B].bonus) == (4, 0)
    state, _ = do(state, {B: {"guess": {"player": 1, "house": "capricorn"}}})
    assert (state.players[A].bonus, state.players[B].bonus) == (4, 0)
    assert state.players[A].bonuses == {B: 0}
    state, _ = do(
        state, {A: {"guess": {"player": 2, "house": "leo"}}, B: {"guess": {"player": 1, "house": "leo"}}}
    )
    assert (state.players[A].bonus, state.players[B].bonus) == (4, 0)


def test_players_move_within_the_last_diamond_and_may_share_a_square() -> None:
    state = position(squares={A: "a1", B: "c1"})
    after, events = do(state, {A: {"move": "b1"}, B: {"move": "b1"}, C: {"move": "stay"}})
    assert [after.players[seat].square for seat in (A, B, C, D)] == ["b1", "b1", "a6", "f6"]
    assert [one.to for one in of(events, SeatMoved)] == [frozenset({A}), frozenset({B})]


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
