"""Frozen dataclasses of this program behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from pbem.core import values

T = TypeVar("T")
Decorator = Callable[..., Any]

both = pytest.mark.parametrize("dataclass", [dataclasses.dataclass, values.dataclass], ids=["theirs", "ours"])
slotted = pytest.mark.parametrize("slots", [True, False], ids=["slots", "no slots"])


@values.dataclass(frozen=True, slots=True)
class Point:
    """At the top of a module, so that it can be pickled."""

    x: int
    y: int = 0
    seen: list[int] = field(default_factory=list, compare=False, repr=False)


def point(dataclass: Decorator, **how: bool) -> Any:
    class Point:
        """A point."""

        kinds: ClassVar[int] = 1
        x: int
        y: int = 0
        seen: list[int] = field(default_factory=list, compare=False, repr=False)

    return dataclass(frozen=True, **how)(Point)


@both
@slotted
def test_a_value_is_made_by_place_by_name_and_by_defaults(dataclass: Decorator, slots: bool) -> None:
    made = point(dataclass, slots=slots)

    assert [(one.x, one.y, one.seen) for one in (made(1), made(1, 2), made(y=2, x=1, seen=[3]))] == [
        (1, 0, []),
        (1, 2, []),
        (1, 2, [3]),
    ]
    assert made(1).seen is not made(1).seen


@both
@pytest.mark.parametrize(
    ("words", "named"), [((), {}), ((1, 2, [], 4), {}), ((1,), {"x": 1}), ((1,), {"z": 1})]
)
def test_a_value_with_too_few_or_too_many_fields_is_refused(
    dataclass: Decorator, words: tuple[Any, ...], named: dict[str, Any]
) -> None:
    made = point(dataclass, slots=True)

    for _ in range(2):  # the first call is another one than those that follow
        with pytest.raises(TypeError, match=r"Point\.__init__\(\)"):
            made(*words, **named)


@both
@slotted
def test_values_are_equal_and_hashed_by_the_fields_that_are_compared(
    dataclass: Decorator, slots: bool
) -> None:
    made, other = point(dataclass, slots=slots), point(dataclass, slots=slots)

    assert made(1, 2) == made(1, 2, [5])
    assert made(1, 2) != made(1, 3)
    assert made(1, 2) != other(1, 2)
    assert made(1, 2) != (1, 2)
    assert len({made(1, 2), made(1, 2, [5]), made(2, 1)}) == 2
    assert hash(made(1, 2)) == hash((1, 2))


@both
@slotted
def test_a_value_says_what_it_is(dataclass: Decorator, slots: bool) -> None:
    assert repr(point(dataclass, slots=slots)(1, 2)) == "point.<locals>.Point(x=1, y=2)"


@both
@slotted
def test_a_value_cannot_be_changed(dataclass: Decorator, slots: bool) -> None:
    one = point(dataclass, slots=slots)(1)

    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        one.x = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del one.x
    assert hasattr(one, "__dict__") is not slots


@both
@slotted
def test_the_standard_library_knows_its_fields(dataclass: Decorator, slots: bool) -> None:
    made = point(dataclass, slots=slots)

    assert bool(dataclasses.is_dataclass(made)) is True
    assert [(one.name, one.type) for one in fields(made)] == [
        ("x", "int"),
        ("y", "int"),
        ("seen", "list[int]"),
    ]
    assert replace(made(1, 2), y=3) == made(1, 3)
    assert dataclasses.asdict(made(1)) == {"x": 1, "y": 0, "seen": []}
    assert made.__match_args__ == ("x", "y", "seen")
    assert (made.kinds, made(1).kinds) == (1, 1)


@both
@pytest.mark.parametrize("base", [dataclasses.dataclass, values.dataclass], ids=["of theirs", "of ours"])
@slotted
def test_a_class_inherits_fields_from_either(dataclass: Decorator, base: Decorator, slots: bool) -> None:
    above = point(base, slots=slots)

    class Named(above):  # type: ignore[misc, valid-type]
        """A point with a name."""

        name: str = "?"
        y: int = 7

    made = dataclass(frozen=True, slots=slots)(Named)

    assert repr(made(1)).endswith("Named(x=1, y=7, name='?')")
    assert [one.name for one in fields(made)] == ["x", "y", "seen", "name"]
    assert made(1) != above(1, 7)
    assert made(1, 2, [], "A") == made(1, 2, [3], "A") != made(1, 2, [], "B")
    with pytest.raises(FrozenInstanceError):
        made(1).name = "A"


@both
def test_fields_can_be_asked_for_by_name_alone(dataclass: Decorator) -> None:
    class Event:
        """An event."""

        to: str
        text: str = ""

    made = dataclass(frozen=True, kw_only=True)(Event)

    assert made(to="all") == made(text="", to="all")
    assert made.__match_args__ == ()
    with pytest.raises(TypeError):
        made("all")


@both
def test_what_a_class_has_of_its_own_stays(dataclass: Decorator) -> None:
    class Odd:  # noqa: PLW1641
        """Equal to all of its kind."""

        x: int
        y: int = field(init=False, default=4)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Odd)

        def __repr__(self) -> str:
            return "odd"

        def __post_init__(self) -> None:
            assert self.x, "zero is even"

    made: Any = dataclass(frozen=True)(Odd)

    assert (made(1) == made(3), repr(made(1)), made(1).y) == (True, "odd", 4)
    assert hash(made(1)) == hash((1, 4))
    with pytest.raises(AssertionError, match="zero is even"):
        made(0)


@both
def test_a_class_may_be_generic_and_have_no_fields(dataclass: Decorator) -> None:
    class Box(Generic[T]):
        """A box."""

        held: T

    class Empty:
        """Nothing."""

    made, empty = dataclass(frozen=True, slots=True)(Box), dataclass(frozen=True, slots=True)(Empty)

    assert made[int] != made
    assert made(3) == made(3)
    assert (empty() == empty(), hash(empty()), repr(empty()).rpartition(".")[2]) == (
        True,
        hash(()),
        "Empty()",
    )


def test_values_are_copied_and_pickled() -> None:
    one = Point(1, 2, [3])

    for other in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert (other, other.seen) == (one, [3])


def test_what_changes_or_is_ordered_is_made_by_the_standard_library() -> None:
    @values.dataclass(slots=True)
    class Count:
        number: int = 0

    @values.dataclass(frozen=True, order=True)
    class Size:
        number: int

    count = Count()
    count.number += 1

    assert count == Count(1)
    assert Size(1) < Size(2)
