"""Conditions: paths into a view, and what must be found there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

import pytest

from pbem.core.conditions import (
    OPERATORS,
    explain_absence,
    explain_mismatch,
    is_blank_value,
    is_implied_by,
    is_term_met,
    unknown_path,
)
from pbem.core.interface import Json
from tests.facts import tells
from tests.written import rows_of


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
    rows_of(__file__, "a_condition_is_a_path_and_what_must_be_there"),
    ids=lambda value: value if isinstance(value, str) else repr(value),
)
def test_a_condition_is_a_path_and_what_must_be_there(path: str, wanted: Json, expected: bool) -> None:
    assert is_term_met({path: wanted}, VIEW) is expected


def test_all_entries_of_a_condition_must_hold() -> None:
    assert is_term_met({}, VIEW)
    assert is_term_met({"crown": "E5", "pile": 0}, VIEW)
    assert not is_term_met({"crown": "E5", "pile": 1}, VIEW)


def test_the_operators_are_these_four() -> None:
    assert set(OPERATORS) == {"has", "at_least", "at_most", "not"}


@pytest.mark.parametrize(("path", "expected"), rows_of(__file__, "a_path_that_no_view_can_have_is_explained"))
def test_a_path_that_no_view_can_have_is_explained(path: str, expected: tuple[str, ...] | None) -> None:
    said = unknown_path(VIEW, path)
    assert said is None if expected is None else tells(said, *expected)


@pytest.mark.parametrize(("path", "expected"), rows_of(__file__, "a_path_may_be_absent_now"))
def test_a_path_may_be_absent_now(path: str, expected: tuple[str, ...] | None) -> None:
    said = explain_absence(VIEW, path)
    assert said is None if expected is None else tells(said, *expected)


@pytest.mark.parametrize(
    ("path", "wanted", "why"), rows_of(__file__, "a_value_that_can_never_be_found_is_explained")
)
def test_a_value_that_can_never_be_found_is_explained(
    path: str, wanted: Json, why: tuple[str, ...] | None
) -> None:
    said = explain_mismatch(Kinds(), path, wanted)
    assert said is None if why is None else tells(said, *why)


@pytest.mark.parametrize(
    ("condition", "given", "expected"),
    rows_of(__file__, "a_condition_follows_from_another_that_says_as_much"),
)
def test_a_condition_follows_from_another_that_says_as_much(
    condition: dict[str, Json], given: dict[str, Json], expected: bool
) -> None:
    assert is_implied_by(condition, given) is expected


@pytest.mark.parametrize(
    ("path", "wanted", "expected"),
    rows_of(__file__, "an_empty_text_is_not_filled_in_unless_one_stands_there"),
)
def test_an_empty_text_is_not_filled_in_unless_one_stands_there(
    path: str, wanted: Json, expected: bool
) -> None:
    view = Kinds(board={"A1": "", "E5": "red"})

    assert is_blank_value(view, path, wanted) == expected
