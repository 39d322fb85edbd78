"""The codec: what is written comes back equal, and what does not fit is refused with its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from typing import Any, Literal, NamedTuple, NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.events import ALL, Event, Seat, only
from pbem.core.interface import Json
from pbem.text.codec import ShapeError, decode, dumps, dumps_line, encode, encode_event
from tests.facts import tells

Card = NewType("Card", str)
Jewel = NewType("Jewel", Card)
Turn = NewType("Turn", int)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Mood(Enum):
    CALM = "calm"


@dataclass(frozen=True, slots=True)
class Coin:
    worth: int


@dataclass(frozen=True, slots=True)
class Note:
    text: str


@dataclass(frozen=True, slots=True)
class Player:
    seat: Seat
    hand: tuple[Card, ...]
    jewel: Jewel | None
    share: Fraction
    colour: Colour
    level: Level
    mood: Mood
    kind: Literal["person", "bot", 3]
    friends: frozenset[Seat]
    spot: tuple[int, str]
    weight: float
    awake: bool
    purse: Coin | Note | None


@dataclass(frozen=True, slots=True)
class Sample:
    players: Mapping[Seat, Player]
    rounds: Mapping[Turn, Mapping[int, tuple[Turn, ...]]]
    moods: Mapping[Colour, int]
    last: int | None = None


cards = st.text(max_size=4).map(Card)
seats = st.text(max_size=4).map(Seat)
players = st.builds(
    Player,
    seat=seats,
    hand=st.lists(cards, max_size=3).map(tuple),
    jewel=st.none() | cards.map(Jewel),
    share=st.fractions(),
    colour=st.sampled_from(Colour),
    level=st.sampled_from(Level),
    mood=st.sampled_from(Mood),
    kind=st.sampled_from(("person", "bot", 3)),
    friends=st.frozensets(seats, max_size=3),
    spot=st.tuples(st.integers(), st.text(max_size=3)),
    weight=st.floats(allow_nan=False, allow_infinity=False),
    awake=st.booleans(),
    purse=st.none() | st.builds(Coin, st.integers()) | st.builds(Note, st.text(max_size=3)),
)
turns = st.integers().map(Turn)
samples = st.builds(
    Sample,
    players=st.dictionaries(seats, players, max_size=3),
    rounds=st.dictionaries(
        turns, st.dictionaries(st.integers(), st.lists(turns, max_size=2).map(tuple), max_size=2), max_size=2
    ),
    moods=st.dictionaries(st.sampled_from(Colour), st.integers(), max_size=2),
    last=st.none() | st.integers(),
)


@given(samples)
def test_what_is_written_comes_back_equal(sample: Sample) -> None:
    text = dumps(encode(sample))

    assert decode(Sample, json.loads(text)) == sample
    assert dumps(encode(decode(Sample, json.loads(text)))) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (7, 7),
        ("red", "red"),
        (Fraction(6, 14), "3/7"),
        (Fraction(2), "2/1"),
        (Colour.RED, "red"),
        (Level.HIGH, 2),
        (Mood.CALM, "calm"),
        (frozenset({"b", "a"}), ["a", "b"]),
        (frozenset({10, 9}), [9, 10]),
        ((1, (2, "x")), [1, [2, "x"]]),
        ({7: (1,)}, {"7": [1]}),
        ({Colour.BLUE: 1}, {"blue": 1}),
        ({Mood.CALM: 1}, {"calm": 1}),
        (Coin(3), {"worth": 3}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_written_as(value: object, expected: Json) -> None:
    written = encode(value)

    assert written == expected
    assert type(written) is type(expected)


def test_what_the_codec_does_not_know_is_a_fault_of_ours() -> None:
    with pytest.raises(TypeError):
        encode(1j)
    with pytest.raises(TypeError):
        decode(complex, "1")


GOOD = encode(
    Player(
        Seat("red"), (Card("N1"),), None, Fraction(1, 2), Colour.RED, Level.LOW, Mood.CALM, "bot",
        frozenset({Seat("blue")}), (1, "x"), 1.5, True, Coin(1),
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("seat", 7, ("player.seat", "7")),
        ("hand", "N1", ("player.hand", '"N1"')),
        ("hand", ["N1", 2], ("player.hand[1]", "2")),
        ("share", "x", ("player.share", '"3/7"')),
        ("share", "1/0", ("player.share", '"3/7"', '"1/0"')),
        ("share", "0.5", ("player.share", '"3/7"', '"0.5"')),
        ("colour", "green", ("player.colour", "red, blue", '"green"')),
        ("level", True, ("player.level", "1, 2")),
        ("level", 1.0, ("player.level", "1, 2", "1.0")),
        ("kind", 3.0, ("player.kind", "3", "3.0")),
        ("friends", {"blue": 1}, ("player.friends", "1}")),
        ("spot", [1], ("player.spot", "2", "[1]")),
        ("spot", [1, 2], ("player.spot[1]", "2")),
        ("weight", 1, ("player.weight", "1")),
        ("awake", 1, ("player.awake", "1")),
        ("purse", {"gold": 1}, ("player.purse",)),
        ("purse", {"worth": "x"}, ("player.purse.worth",)),
        ("purse", "x" * 99, ("player.purse", "(Coin)")),
    ],
    ids=str,
)
def test_a_value_of_the_wrong_kind_is_named_with_its_place(
    name: str, value: Json, error: tuple[str, ...]
) -> None:
    assert isinstance(GOOD, dict)

    with pytest.raises(ShapeError) as raised:
        decode(Player, {**GOOD, name: value}, "player")

    assert tells(str(raised.value), *error)


@pytest.mark.parametrize(
    ("cls", "value", "error"),
    [
        (Coin, {}, ()),
        (Coin, {"worth": 1, "metal": "tin", "age": 3}, ()),
        (Coin, [1], ("(Coin)", "[1]")),
        (Coin, {"worth": True}, ("state.worth",)),
        (Mapping[int, int], {"x": 1}, ()),
        (Mapping[int, int], {"٧": 1}, ('"٧"',)),
        (Mapping[Seat, int], {"red": "x"}, ("state.red",)),
        (Mapping[Seat, int], [], ()),
        (Mapping[Colour, int], {"green": 1}, ("red, blue", '"green"')),
    ],
    ids=str,
)
def test_a_shape_that_does_not_fit_is_refused(cls: Any, value: Json, error: tuple[str, ...]) -> None:
    with pytest.raises(ShapeError) as raised:
        decode(cls, value)

    assert tells(str(raised.value), *error)


def test_json_of_saves_is_sorted_and_indented_so_that_it_diffs() -> None:
    assert dumps({"b": [1], "a": "ä"}) == '{\n "a": "ä",\n "b": [\n  1\n ]\n}\n'
    assert dumps_line({"b": [1], "a": "ä"}) == '{"a":"ä","b":[1]}'


@dataclass(frozen=True)
class CoinFound(Event):
    seat: Seat
    coins: tuple[Coin, ...]


@pytest.mark.parametrize(
    ("event", "to"),
    [
        (CoinFound(Seat("red"), (Coin(1),), to=ALL), "all"),
        (CoinFound(Seat("red"), (Coin(1),), to=only(Seat("white"), Seat("red"))), ["red", "white"]),
        (CoinFound(Seat("red"), (Coin(1),), to=only()), []),
    ],
    ids=["all", "some", "nobody"],
)
def test_an_event_is_written_with_its_kind_and_audience(event: Event, to: Json) -> None:
    assert encode_event(event) == {"event": "CoinFound", "to": to, "seat": "red", "coins": [{"worth": 1}]}


class _Counted(NamedTuple):
    name: str
    counts: tuple[int, ...]


def test_a_named_tuple_becomes_an_object_as_a_dataclass_does_and_is_read_again() -> None:
    counted = _Counted("red", (1, 2))

    assert encode((counted,)) == [{"name": "red", "counts": [1, 2]}]
    assert decode(tuple[_Counted, ...], encode((counted,))) == (counted,)
