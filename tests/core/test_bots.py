"""Bots for rules that bring none: one step ahead, in worlds that the seat cannot tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.core import bots
from pbem.core.bots import any_order, bot_order
from pbem.core.dice import Dice
from pbem.core.events import Seat
from pbem.core.interface import Choices, Json, put_at
from tests.core.small_rules import ANN, BOB, CAT, TRIO, Bids, Pile, Stones, Table


class Botless:
    """Rules without the bots that they have."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.seen: set[tuple[int, ...]] = set()

    def __getattr__(self, name: str) -> Any:
        if name == "suggest":
            raise AttributeError(name)
        return getattr(self.rules, name)


class Valued(Botless):
    """The same, with how the seats stand."""

    def points(self, view: Any) -> Mapping[Seat, float]:
        return {seat: float(points) for seat, points in view.points.items()}


TABLE = Table({ANN: (2, 5, 9), BOB: (1, 3, 4), CAT: (6, 7, 8)}, dict.fromkeys(TRIO, 0))
LONE = Table({ANN: (2,), BOB: (1,), CAT: (6,)}, dict.fromkeys(TRIO, 2), 3)
LAST = Table({ANN: (2, 5), BOB: (1, 3), CAT: (6, 7)}, dict.fromkeys(TRIO, 1), 2)


def best(rules: Any, state: Any, seat: Seat, number: int = 0, skill: str = "greedy") -> Json:
    return bot_order(rules, state, seat, Dice(b"", 1).apart(str(number)), skill)


def test_rules_with_bots_of_their_own_are_asked() -> None:
    assert best(Bids(), TABLE, ANN) == {"bid": 9}
    assert best(Stones(), Pile(stones=9), ANN) == {"take": 3}


def test_the_order_that_brings_most_at_once_is_chosen_where_points_are_told() -> None:
    """The highest card of all wins in every world."""
    assert {str(best(Valued(Bids()), TABLE, ANN, number)) for number in range(5)} == {"{'bid': 9}"}


def test_without_points_the_game_is_played_on_to_its_end() -> None:
    """Who takes three of four stones has won, whatever comes; who takes one or two may still lose."""
    found = {str(best(Botless(Stones()), Pile(stones=4), ANN, number)) for number in range(5)}

    assert found == {"{'take': 3}"}


def test_the_bot_depends_on_what_is_hidden_by_the_worlds_alone() -> None:
    """Redeals are all that it is told of the others' hands: where these are the same, so is its order."""

    class Fixed(Valued):
        def redeal(self, state: Table, seat: Seat | None, dice: Dice) -> Table:
            self.seen.add(state.hands[BOB])
            return Table({**TABLE.hands, ANN: state.hands[ANN]}, state.points, state.turn)

    rules = Fixed(Bids())
    other = Table({**TABLE.hands, BOB: (8, 7, 6), CAT: (4, 3, 1)}, TABLE.points)

    assert [best(rules, TABLE, ANN, n) for n in range(5)] == [best(rules, other, ANN, n) for n in range(5)]
    assert rules.seen == {(1, 3, 4), (8, 7, 6)}, "both were redealt"


def test_other_seats_do_anything_and_their_hands_differ_from_world_to_world() -> None:
    class Watched(Valued):
        def resolve(self, state: Table, moves: Mapping[Seat, Any], dice: Dice) -> Any:
            self.seen |= {(moves[BOB].n,)}
            return self.rules.resolve(state, moves, dice)

    rules = Watched(Bids())

    best(rules, TABLE, ANN)

    assert len(rules.seen) >= 5, "cards of the worlds, more than the three of the hand"


def test_the_only_order_is_given_without_looking() -> None:
    class Blind(Botless):
        def redeal(self, state: Any, seat: Seat | None, dice: Dice) -> Any:
            raise AssertionError("there is nothing to weigh")

    assert best(Blind(Bids()), LONE, ANN) == {"bid": 2}


def test_a_game_without_end_is_given_up_and_every_order_has_the_same_worlds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Endless(Botless):
        def resolve(self, state: Table, moves: Mapping[Seat, Any], dice: Dice) -> Any:
            self.steps = getattr(self, "steps", 0) + 1
            step = self.rules.resolve(state, moves, dice)
            return type(step)(state, ())

    monkeypatch.setattr(bots, "FAR", 7)
    monkeypatch.setattr(bots, "STEPS", 100)
    rules = Endless(Bids())

    assert best(rules, TABLE, ANN) in [{"bid": card} for card in (2, 5, 9)]
    assert rules.steps == 5 * 3 * 8, "five worlds, three cards, one step and seven more"


@pytest.mark.parametrize("state", [TABLE, LAST])
def test_any_order_is_any_that_is_listed(state: Table) -> None:
    view = Bids().view(state, ANN)
    found = {str(any_order(Botless(Bids()), view, Dice(b"", n))) for n in range(40)}

    assert found == {str({"bid": card}) for card in state.hands[ANN]}
    assert str(best(Botless(Bids()), state, ANN, skill="random")) in found


def test_a_skill_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError):
        best(Botless(Bids()), TABLE, ANN, skill="clever")


def test_a_seat_that_can_order_nothing_orders_nothing() -> None:
    class Silent(Botless):
        def choices(self, view: Any) -> Choices:
            return Choices(())

        def hold(self, view: Any) -> Json:
            return None

    assert best(Silent(Bids()), TABLE, ANN) is None
    assert best(Silent(Bids()), TABLE, ANN, skill="random") is None


@pytest.mark.parametrize(
    ("order", "path", "made"),
    [
        (None, "", 3),
        ({"a": 1}, "b", {"a": 1, "b": 3}),
        ({"a": 1}, "a", {"a": 3}),
        (None, "a.b", {"a": {"b": 3}}),
        ({"a": {"c": 1}, "d": 2}, "a.b", {"a": {"c": 1, "b": 3}, "d": 2}),
        ({"a": 1}, "a.b", {"a": {"b": 3}}),
    ],
)
def test_an_item_is_put_at_a_dotted_place(order: Json, path: str, made: Json) -> None:
    assert put_at(order, path, 3) == made
