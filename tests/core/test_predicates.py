"""Predicates: how conditions in a game's own words are read, what they come to, and how they say paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from pbem.core.conditions import is_term_met, unknown_test
from pbem.core.events import Seat
from pbem.core.foresight import NO_HORIZON, Domain, Horizon
from pbem.core.interface import Json
from pbem.core.predicates import (
    ME,
    Argument,
    Bound,
    Misstatement,
    Predicate,
    by_name,
    read_statement,
    restate_in_predicates,
    term_of,
)
from pbem.core.statements import Entry, Flaw, Reader, is_met, term_origins
from pbem.core.wording import Wording
from tests.written import rows_of

RED = Seat("red")
SQUARE = Argument("square", {"E5": "E5", "E6": "E6", "koeln": "Köln"})
PLAYER = Argument("player", {ME: ME, "red": "Red", "white": "White"}, ME)
CARD = Argument("card", {"N1": "N1", "N2": "N2"})
KNOWN = by_name(
    (
        Predicate("crown", "the crown is on {square}", {"crown": "{square}"}, (SQUARE,)),
        Predicate(
            "token", "{player} [hold/holds] {square}", {"board.{square}": "{player}"}, (SQUARE, PLAYER)
        ),
        Predicate("free", "{square} is free", {"board.{square}": "free"}, (SQUARE,)),
        Predicate(
            "card", "{player} [hold/holds] {card}", {"{player}.hand": {"has": "{card}"}}, (CARD, PLAYER)
        ),
        Predicate(
            "heroes",
            "{player} [have/has] {number} [hero|heroes]",
            {"{player}.heroes": "{number}"},
            (PLAYER,),
            Bound(0, 4),
        ),
        Predicate(
            "ahead_of",
            "you are {number} ahead of {player}",
            {"difference": ["{me}.heroes", "{player}.heroes", "{number}"]},
            (Argument("player", {"red": "Red", "white": "White"}),),
            Bound(None, None, {"at_least": 1}),
        ),
        Predicate(
            "squares",
            "{player} [hold/holds] {number} squares",
            {"count": ["board", "{player}", "{number}"]},
            (PLAYER,),
            Bound(0, 3),
        ),
        Predicate("lost", "a token was lost", {"lost": True}),
    )
)
WORDING = Wording(predicates=KNOWN)


class Rules(NamedTuple):
    wording: Wording = WORDING


@dataclass(frozen=True, slots=True)
class Side:
    hand: tuple[str, ...] = ("N1",)
    heroes: int = 2


@dataclass(frozen=True, slots=True)
class View:
    crown: str = "E5"
    board: Mapping[str, str] = field(default_factory=lambda: {"E5": "red", "E6": "free", "koeln": "red"})
    red: Side = Side()
    white: Side = field(default_factory=lambda: Side(("N2",), 1))
    lost: bool = False


@pytest.mark.parametrize(
    ("condition", "term"), rows_of(__file__, "a_condition_comes_to_a_term_of_paths"), ids=str
)
def test_a_condition_comes_to_a_term_of_paths(condition: dict[str, Json], term: dict[str, Json]) -> None:
    assert term_of(condition, KNOWN, RED) == term


@pytest.mark.parametrize(
    ("condition", "is_so"), rows_of(__file__, "a_condition_is_tested_on_its_owners_view"), ids=str
)
def test_a_condition_is_tested_on_its_owners_view(condition: dict[str, Json], is_so: bool) -> None:
    assert is_met(Rules(), condition, View(), RED) is is_so


@pytest.mark.parametrize(
    ("name", "written", "path", "kind"),
    [
        ("token", "Z9", (), "value"),
        ("token", "", (), "missing"),
        ("token", True, (), "shape"),
        ("token", 5, (), "value"),
        ("token", {"square": "E5", "player": "Whit"}, ("player",), "value"),
        ("token", {"sqare": "E5"}, ("sqare",), "argument"),
        ("token", {"player": "me"}, (), "missing"),
        ("token", {"square": ["E5", "E6"], "player": ["red", "white"]}, ("player",), "many"),
        ("token", {"square": ["E5"] * 13}, ("square",), "many"),
        ("token", {"square": []}, ("square",), "value"),
        ("heroes", {"player": "red"}, (), "missing"),
        ("heroes", {"at_least": 0}, ("at_least",), "always"),
        ("heroes", {"at_most": 4}, ("at_most",), "always"),
        ("heroes", {"at_least": 5}, ("at_least",), "number"),
        ("heroes", {"exactly": 9}, ("exactly",), "number"),
        ("heroes", {"at_least": "two"}, ("at_least",), "number"),
        ("heroes", {"at_least": True}, ("at_least",), "number"),
        ("heroes", {"at_least": 3, "at_most": 2}, ("at_most",), "number"),
        ("heroes", {"exactly": 2, "at_most": 3}, ("exactly",), "shape"),
        ("crown", {"at_least": 2}, ("at_least",), "argument"),
    ],
    ids=str,
)
def test_what_cannot_be_is_known_with_its_place(
    name: str, written: Json, path: tuple[str, ...], kind: str
) -> None:
    found = read_statement(KNOWN[name], written)

    assert isinstance(found, Misstatement)
    assert (found.path, found.kind) == (path, kind)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ({"crown": "E5"}, {"crown": "E5"}),
        ({"crown": ["E5", "E6"]}, {"crown": ["E5", "E6"]}),
        ({"board.E5": "red"}, {"token": "E5"}),
        ({"board.E5": "free"}, {"free": "E5"}),
        ({"board.E5": "white"}, {"token": {"square": "E5", "player": "white"}}),
        ({"board.E5": ["red", "white"]}, {"token": {"square": "E5", "player": [ME, "white"]}}),
        ({"red.heroes": 3}, {"heroes": 3}),
        ({"white.heroes": {"at_most": 1}}, {"heroes": {"player": "white", "at_most": 1}}),
        ({"lost": True}, {"lost": True}),
        ({"board.E5": "red", "board.E6": "red"}, {"all": [{"token": "E5"}, {"token": "E6"}]}),
        ({"board.E5": {"not": "red"}}, {"board.E5": {"not": "red"}}),
        ({"red.heroes": {"at_least": 0}}, {"red.heroes": {"at_least": 0}}),
        ({"board.Z9": "red"}, {"board.Z9": "red"}),
    ],
    ids=str,
)
def test_a_path_is_said_by_the_predicate_that_comes_to_it(
    condition: dict[str, Json], said: dict[str, Json]
) -> None:
    assert restate_in_predicates(condition, KNOWN, RED) == said
    assert is_term_met(term_of(said, KNOWN, RED), View()) == is_term_met(condition, View())


def reader(horizon: Horizon = NO_HORIZON) -> Reader:
    return Reader(WORDING, View(), horizon, RED, {Seat("white"): "Anna"})


def flaws(condition: dict[str, Json], horizon: Horizon = NO_HORIZON) -> list[tuple[Any, str]]:
    return [(one.place, one.kind) for one in reader(horizon).read(condition) if isinstance(one, Flaw)]


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ({"token": "E5", "heroes": 2}, []),
        ({"tokn": "E5"}, [(("tokn",), "unknown")]),
        ({"count": ["board", "red", 1]}, [(("count",), "unknown")]),
        ({"token": "Z9"}, [(("token",), "value")]),
        ({"token": {"square": ""}}, [(("token", "square"), "empty")]),
        ({"any": [{"lost": True}, {"token": "Z9"}]}, [(("any", 1, "token"), "value")]),
        ({"any": {"token": "Z9"}}, [(("any", "token"), "value")]),
        ({"not": [{"all": [{"heroes": 9}]}]}, [(("not", 0, "all", 0, "heroes"), "never")]),
        ({"any": "E5"}, [(("any",), "value")]),
        ({"any": []}, [(("any",), "value")]),
        ({"heroes": {"at_least": 0}}, [(("heroes", "at_least"), "always")]),
    ],
    ids=str,
)
def test_a_flaw_is_told_at_its_place(condition: dict[str, Json], found: list[tuple[Any, str]]) -> None:
    assert flaws(condition) == found


def test_too_many_joined_conditions_and_too_deep_ones_are_refused() -> None:
    deep: dict[str, Json] = {"lost": True}
    for _ in range(6):
        deep = {"not": deep}

    assert flaws({"any": [{"lost": True}] * 21}) == [(("any",), "value")]
    assert [kind for _, kind in flaws(deep)] == ["value"]


def test_a_player_is_found_by_the_name_of_who_plays_it() -> None:
    (flaw,) = reader().read({"token": {"square": "E5", "player": "anna"}})

    assert isinstance(flaw, Flaw)
    assert [one.value for one in flaw.advice.remedies] == ["White"]


def test_what_the_view_can_never_show_is_refused_where_it_is_said() -> None:
    horizon = Horizon(domains={"*.heroes": Domain(least=0, most=3)})

    assert flaws({"heroes": {"at_least": 4}}, horizon) == [(("heroes",), "never")]


def test_paths_are_left_to_who_knows_views() -> None:
    found = [*reader().read({"red.heroes": 2, "crown": {"not": "E5"}})]

    assert [one.path for one in found if isinstance(one, Entry)] == ["red.heroes", "crown"]


def test_a_path_is_found_again_under_the_name_that_it_was_written_by() -> None:
    condition: dict[str, Json] = {"token": "E5", "lost": True, "any": [{"free": "E6"}, {"free": "koeln"}]}

    assert term_origins(condition, KNOWN, RED) == {"board.e5": "token", "lost": "lost", "any": "any"}


@pytest.mark.parametrize(
    ("wanted", "is_test"), rows_of(__file__, "behind_a_path_stand_the_four_tests_only"), ids=str
)
def test_behind_a_path_stand_the_four_tests_only(wanted: Json, is_test: bool) -> None:
    assert (unknown_test(wanted) is None) is is_test
