"""Bots play from the view alone, and the greedy one well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Outcome
from pbem.rules.web_of_intrigue import seat_names
from pbem.rules.web_of_intrigue.bots.beliefs import best_guess, form_beliefs
from pbem.rules.web_of_intrigue.moves import BIDS, SPECIALS, Bid, Enact, HouseGuess, Move
from pbem.rules.web_of_intrigue.state import Category, Guess, HouseId, Square, TileId

from .table import A, B, C, change, playout, position, woi


def test_the_greedy_bot_takes_the_helper_before_the_prize() -> None:
    tiles = {"d5": "rick_blacken", "d4": "tock_runners", "c5": "bribery"}
    rest = dict.fromkeys(["d2", "c3", "d3", "e3", "b4", "c4", "e4", "f4", "a5", "b5", "e5", "f5", "g5"])
    specials = [one for one in woi().facts.specials if one != "bribery"]
    tiles |= dict(zip([*rest, "b6", "c6", "d6", "e6", "f6", "c7", "d7", "e7", "d8"], specials, strict=False))
    view = woi().view(position(tiles=tiles, squares={A: "d5"}, houses={A: "leo"}), A)
    order = woi().suggest(view, Dice(b"bot", 1), "greedy")
    assert isinstance(order, dict)
    bids = [order[place]["for"] for place in ("bid_1", "bid_2") if place in order]  # type: ignore[call-overload,index]
    assert bids == ["rick_blacken", "tock_runners"]


def test_won_bids_and_own_guesses_rule_houses_out() -> None:
    state = change(position(), B, proven={Category("entity"): 3}, bids={Category("entity"): 2})
    state = change(state, A, guesses=(Guess(1, B, HouseId("cancer"), right=False, free=False),))
    beliefs = form_beliefs(woi().facts, woi().view(state, A))
    assert set(beliefs[B]) == {"scorpio", "pisces"}
    assert "capricorn" not in beliefs[C]
    guess = best_guess(woi().facts, woi().view(state, A), beliefs, Dice(b"guess", 1))
    assert isinstance(guess, HouseGuess)
    assert guess.player == B


def test_bids_make_what_a_house_is_good_at_likelier() -> None:
    state = change(position(), B, bids={Category("country"): 6, Category("person"): 3})
    weights = form_beliefs(woi().facts, woi().view(state, A))[B]
    assert max(weights, key=lambda house: weights[house]) == "leo"


def think(
    tiles: dict[str, str], owners: Mapping[str, Seat] | None = None, seats: int = 4, **options: Any
) -> Move:
    """Return the greedy orders of House Leo on d5, which sees these tiles and "?" everywhere else."""
    rules = woi()
    hidden = tuple(square for square in rules.facts.grid.diamond(Square("d5"), 3) if square not in tiles)
    state = position(tiles=tiles, squares={A: "d5"}, houses={A: "leo"}, owners=owners, seats=seats, **options)
    view = rules.view(change(state, B, shrouds=hidden), A)
    move = rules.read(rules.suggest(view, Dice(b"bot", 1), "greedy"))
    assert rules.check(view, move) == ()
    return move


def enacted(move: Move) -> list[Enact]:
    """Return the specials of orders."""
    return [one for one in move.actions.values() if isinstance(one, Enact)]


def bids(move: Move) -> list[Bid]:
    """Return the bids of orders."""
    return [one for one in move.actions.values() if isinstance(one, Bid)]


@pytest.mark.parametrize(
    ("special", "square", "line"),
    [
        ("square_aspect", "f5", {"row": 5}),
        ("trine_aspect", "b5", {"row": 5}),
        ("opposition", "d7", {"column": "d"}),
        ("sextile_aspect", "d3", {"column": "d"}),
    ],
)
def test_a_line_is_shifted_so_that_an_object_comes_nearer(
    special: str, square: str, line: dict[str, Any]
) -> None:
    move = think({square: "france", "e4": special})
    assert move.actions["special_1"] == Enact(special, 1, **line)
    assert [bid.tile for bid in bids(move)] == ["france"]


def test_an_exchange_brings_the_prize_underfoot_before_the_bid() -> None:
    move = think({"d8": "france", "d5": "chaos"})
    assert move.actions["special_1"] == Enact("chaos", 1, squares=("d8", "d5"))
    assert "bid_1" in move.actions


def test_no_point_is_spent_on_a_special_that_helps_no_bid() -> None:
    assert enacted(think({"d5": "france", "d4": "pyramid"})) == []
    assert enacted(think({"d5": "france", "d4": "redistribution"})) == []
    assert [one.tile for one in enacted(think({"d6": "france", "d4": "inflation"}))] == ["inflation"]


def test_two_specials_of_a_kind_work_on_different_squares() -> None:
    reveals = enacted(think({"d5": "covert_agents", "d4": "blackmail"}))
    assert len({one.square for one in reveals}) == len(reveals) == 2
    shrouds = {"d5": "france", "d6": "druids", "d4": "fog_of_war", "c5": "astral_shroud"}
    hidden = enacted(think(shrouds, {"france": A, "druids": A}, seats=6))
    assert {one.square for one in hidden} == {"d5", "d6"}


def test_an_own_object_that_others_can_reach_is_hidden_from_them() -> None:
    (one,) = enacted(think({"d5": "spain", "d6": "usa", "d4": "fog_of_war"}, {"spain": A, "usa": A}, seats=6))
    assert (one.tile, one.square) == ("fog_of_war", "d5")


def test_what_lasts_beyond_the_last_turn_is_left_alone() -> None:
    tiles = {"d5": "france", "d4": "new_recruits"}
    assert [one.tile for one in enacted(think(tiles, turns=2))] == ["new_recruits"]
    assert enacted(think(tiles, turns=1)) == []


def test_the_points_go_where_another_player_could_come_first() -> None:
    move = think({"d5": "france", "d6": "spain"}, {"spain": B})
    points = {bid.tile: bid.points for bid in bids(move)}
    assert sum(points.values()) == 20
    assert points["france"] > points["spain"] > 0


def test_every_special_on_bids_of_a_greedy_game_helps_a_bid_that_follows_it() -> None:
    rules, facts, bonuses = woi(), woi().facts, 0
    for state, ask, _ in playout("wasteful", dict.fromkeys(seat_names(12), "greedy")):
        if isinstance(ask, Outcome):
            break
        for seat in state.players:
            view = rules.view(state, seat)
            dice = Dice(b"wasteful", state.turn).apart("bot", seat)
            move = rules.read(rules.suggest(view, dice, "greedy"))
            named = [one.square for one in enacted(move) if one.square]
            assert len(set(named)) == len(named)
            for number, place in enumerate(SPECIALS):
                special = move.actions.get(place)
                effect = facts.specials[TileId(special.tile)].effect if special else None
                later = [
                    view.objects[TileId(move.actions[bid].tile)]
                    for bid in BIDS[number:]
                    if bid in move.actions
                ]
                if effect is not None and effect.kind == "category_bonus":
                    bonuses += 1
                    assert any(offer.category == effect.category for offer in later)
                if effect is not None and effect.kind == "element_bonus":
                    assert any(offer.controller for offer in later)
                if effect is not None and effect.kind in ("ignore_distance", "exchange_tiles", "shift_row"):
                    assert later
    assert bonuses > 20
