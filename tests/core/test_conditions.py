"""Conditions: paths into a view, and what must be found there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

import pytest

from pbem.core.conditions import OPERATORS, absence, follows, holds, is_unsaid, mismatch, unknown_path
from pbem.core.interface import Json
from tests.facts import tells


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class OneSide:
    heroes: int = 4


@dataclass(frozen=True, slots=True)
class Kinds:
    """One value of each kind that a view can hold."""

    crown: str = "E5"
    hand: tuple[str, ...] = ("N1",)
    lost: bool = False
    points: int = 3
    board: Mapping[str, str] = field(default_factory=lambda: {"E5": "red"})
    side: OneSide = OneSide()
    nothing: str | None = None


@dataclass(frozen=True, slots=True)
class Side:
    heroes: int = 4
    hand: tuple[str, ...] = ("N1", "SE3")


@dataclass(frozen=True, slots=True)
class View:
    me: str = "red"
    crown: str = "E5"
    number: str = "7"
    none_word: str = "None"
    pile: int = 0
    one: int = 1
    price: float = 1.5
    share: Fraction = Fraction(3, 4)
    colour: Colour = Colour.RED
    lost: bool = False
    won: bool = True
    supply: int | None = None
    bonus: Side | None = None
    white: Side = field(default_factory=Side)
    board: Mapping[str, str] = field(default_factory=lambda: {"E5": "red", "A1": "empty"})
    rounds: Mapping[int, int] = field(default_factory=lambda: {3: 30})
    dice: tuple[int, ...] = (3, 5)
    sides: tuple[Side, ...] = (Side(heroes=1), Side(heroes=2))
    allies: frozenset[str] = frozenset({"blue", "green"})
    numbers: tuple[str, ...] = ("4", "14")
    lords: Mapping[str, int] = field(default_factory=lambda: {"scarlet": 1})

    def secret(self) -> int:
        return 1


VIEW = View()


@pytest.mark.parametrize(
    ("path", "wanted", "expected"),
    [
        # a value
        ("crown", "E5", True),
        ("crown", "e5", True),
        ("me", "red", True),
        ("colour", "Red", True),
        ("pile", 0, True),
        ("price", 1.5, True),
        ("share", 0.75, True),
        ("supply", None, True),
        ("pile", None, False),
        ("none_word", None, False),
        # numbers as text
        ("number", 7, True),
        ("number", 8, False),
        # truth values are no numbers and no words
        ("lost", False, True),
        ("won", True, True),
        ("won", 1, False),
        ("won", "true", False),
        ("lost", 0, False),
        ("one", True, False),
        # a list: any of them
        ("crown", ["A1", "E5"], True),
        ("crown", [], False),
        ("number", [6, 7], True),
        ("one", [True, "1"], False),
        # nested paths
        ("white.heroes", 4, True),
        ("White.heroes", 4, False),
        ("board.E5", "red", True),
        ("board.e5", "red", True),
        ("rounds.3", 30, True),
        ("dice.1", 5, True),
        ("sides.1.heroes", 2, True),
        # missing paths hold nothing, not even a "not"
        ("castle", "E5", False),
        ("castle", {"not": "E5"}, False),
        ("board.B2", {"not": "red"}, False),
        ("dice.2", {"at_most": 9}, False),
        ("dice.-1", 5, False),
        ("crown.E5", "E5", False),
        ("secret", {"not": 0}, False),
        ("__class__", {"not": 0}, False),
        ("", {"not": 0}, False),
        # at_least, at_most
        ("white.heroes", {"at_least": 5}, False),
        ("white.heroes", {"at_most": 3}, False),
        ("white.heroes", {"at_least": 1, "at_most": 4}, True),
        ("white.heroes", {"at_least": 1, "at_most": 3}, False),
        ("share", {"at_most": 0.5}, False),
        ("won", {"at_least": 0}, False),
        ("white.heroes", {"at_least": "1"}, False),
        ("crown", {"at_least": 1}, False),
        ("supply", {"at_most": 1}, False),
        # has
        ("white.hand", {"has": "n1"}, True),
        ("white.hand", {"has": ["N1", "SE3"]}, True),
        ("white.hand", {"has": ["N1", "W1"]}, False),
        ("white.hand", {"has": []}, True),
        ("dice", {"has": 5}, True),
        ("dice", {"has": True}, False),
        ("numbers", {"has": [4, "14"]}, True),
        ("numbers", {"not": {"has": 4}}, False),
        ("allies", {"has": "red"}, False),
        ("board", {"has": "E5"}, True),
        ("board", {"has": "red"}, False),
        ("crown", {"has": "E"}, False),
        # not
        ("crown", {"not": "A1"}, True),
        ("crown", {"not": ["A1", "E5"]}, False),
        ("white.heroes", {"not": {"at_least": 5}}, True),
        ("white.hand", {"not": {"has": "N1"}}, False),
        ("white.hand", {"has": "N1", "not": {"has": "W1"}}, True),
        ("lost", {"not": 0}, True),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value),
)
def test_a_condition_is_a_path_and_what_must_be_there(path: str, wanted: Json, expected: bool) -> None:
    assert holds({path: wanted}, VIEW) is expected


def test_all_entries_of_a_condition_must_hold() -> None:
    assert holds({}, VIEW)
    assert holds({"crown": "E5", "pile": 0}, VIEW)
    assert not holds({"crown": "E5", "pile": 1}, VIEW)


def test_the_operators_are_these_four() -> None:
    assert set(OPERATORS) == {"has", "at_least", "at_most", "not"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("crown", None, id="a-field"),
        pytest.param("white.heroes", None, id="a-field-of-a-field"),
        pytest.param("board.B2", None, id="a-key-that-may-come"),
        pytest.param("dice.7", None, id="a-position-that-may-come"),
        pytest.param("sides.7.heroes", None, id="below-a-position-that-may-come"),
        pytest.param("supply", None, id="a-field-without-a-value"),
        pytest.param("bonus.heroes", None, id="below-what-is-not-there-yet"),
        pytest.param("crwon", ("'crwon'", "crown"), id="misspelt"),
        pytest.param("white.heros", ("white.heros", "'heros'", "heroes"), id="misspelt-below"),
        pytest.param("white.xyz", ("white.xyz", "'xyz'", "hand, heroes"), id="nothing-like-it"),
        pytest.param("sides.0.heros", ("sides.0.heros", "'heros'", "heroes"), id="in-a-list"),
        pytest.param("crown.x", ("crown.x",), id="below-a-word"),
        pytest.param("lost.x", ("lost.x",), id="below-a-truth"),
        pytest.param("price.x", ("price.x",), id="below-a-decimal"),
    ],
)
def test_a_path_that_no_view_can_have_is_explained(path: str, expected: tuple[str, ...] | None) -> None:
    said = unknown_path(VIEW, path)
    assert said is None if expected is None else tells(said, *expected)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("crown", None),
        ("board.E5", None),
        ("board.Z9", ("board.Z9",)),
        ("board.B2", ("board.B2",)),
        ("lords.scarlett", ("lords.scarlett",)),
        ("dice.2", ("dice.2",)),
        ("supply", None),
    ],
)
def test_a_path_may_be_absent_now(path: str, expected: tuple[str, ...] | None) -> None:
    said = absence(VIEW, path)
    assert said is None if expected is None else tells(said, *expected)


@pytest.mark.parametrize(
    ("path", "wanted", "why"),
    [
        ("hand", "N1", ("{has: X}",)),
        ("hand", {"has": "N1"}, None),
        ("crown", {"has": "E5"}, ()),
        ("crown", {"at_least": 3}, ("at_least",)),
        ("crown", True, ()),
        ("crown", ["E5", "E6"], None),
        ("crown", {"not": ["E5"]}, None),
        ("lost", "true", ()),
        ("lost", False, None),
        ("lost", {"not": "true"}, ()),
        ("points", "many", ()),
        ("points", {"at_most": 7}, None),
        ("side", 1, ("heroes",)),
        ("board.Z9", "red", None),
        ("nothing", "x", None),
    ],
)
def test_a_value_that_can_never_be_found_is_explained(
    path: str, wanted: Json, why: tuple[str, ...] | None
) -> None:
    said = mismatch(Kinds(), path, wanted)
    assert said is None if why is None else tells(said, *why)


@pytest.mark.parametrize(
    ("condition", "given", "expected"),
    [
        ({"crown": "E5"}, {"crown": "e5"}, True),
        ({"crown": ["E5", "D4"]}, {"crown": "E5", "points": 3}, True),
        ({"crown": "E5"}, {"crown": ["E5", "D4"]}, False),
        ({"crown": {"not": "D4"}}, {"Crown": ["E5", "F5"]}, True),
        ({"points": {"at_least": 3}}, {"points": 4}, True),
        ({"points": {"at_least": 3}}, {"points": {"at_least": 5, "at_most": 9}}, True),
        ({"points": {"at_least": 3}}, {"points": {"at_least": 2}}, False),
        ({"points": {"at_most": 3}}, {"points": {"at_most": 3}}, True),
        ({"hand": {"has": "N1"}}, {"hand": {"has": "N1"}}, True),
        ({"hand": {"has": "N1"}}, {"hand": {"has": "N2"}}, False),
        ({"lost": True}, {"lost": 1}, False),
        ({"points": 3}, {"crown": "E5"}, False),
        ({"points": 3}, {}, False),
    ],
)
def test_a_condition_follows_from_another_that_says_as_much(
    condition: dict[str, Json], given: dict[str, Json], expected: bool
) -> None:
    assert follows(condition, given) is expected


@pytest.mark.parametrize(
    ("path", "wanted", "expected"),
    [
        ("crown", "", True),
        ("crown", {"not": ["", "E5"]}, True),
        ("crown", "E5", False),
        ("hand", {"has": ""}, True),
        ("board.E5", "", True),
        ("board.A1", "", False),
        ("board.a1", ["", "red"], False),
        ("board.A1", {"not": ""}, False),
        ("board.Z9", "", True),
        ("side.heroes", "", True),
        ("", "", True),
    ],
)
def test_an_empty_text_is_not_filled_in_unless_one_stands_there(
    path: str, wanted: Json, expected: bool
) -> None:
    view = Kinds(board={"A1": "", "E5": "red"})

    assert is_unsaid(view, path, wanted) == expected
