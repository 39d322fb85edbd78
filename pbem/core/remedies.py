"""What would do in place of a mistake: the same as its hint says, for programs.

A hint is made for people, and no program reads it. Whoever writes one in which something stands that could be
written says it here too, best with one function that gives both: `Advice`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pbem.core.interface import Json


class Remedy:
    """What would do; one of those below.

    These are plain classes: every command loads them, and dataclasses take long to make.

    Attributes:
        name: The name of a field, or "".
        value: A value; None where it is about a name alone.
        is_order: The value is the whole order, in place of the one that the mistake is in.
    """

    __slots__ = ("is_order", "name", "value")

    def __init__(self, name: str = "", value: Json = None, *, is_order: bool = False) -> None:
        self.name = name
        self.value = value
        self.is_order = is_order

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Remedy) or type(self) is not type(other):
            return NotImplemented
        return (self.name, self.value, self.is_order) == (other.name, other.value, other.is_order)

    def __hash__(self) -> int:
        return hash((type(self), self.name, self.is_order))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.value!r}, is_order={self.is_order})"


class _ValueRemedy(Remedy):
    __slots__ = ()

    def __init__(self, value: Json, *, is_order: bool = False) -> None:
        super().__init__("", value, is_order=is_order)


class Meant(_ValueRemedy):
    """What may have been meant by what stands there: a value, or a field's name where the name is wrong."""

    __slots__ = ()


class Without(Remedy):
    """The order without one of its fields, wherever in it that stands."""

    __slots__ = ()


class With(Remedy):
    """The fields that stand there with one more; its value is possible."""

    __slots__ = ()


class Inside(Remedy):
    """What is wrong belongs inside a field that stands beside it."""

    __slots__ = ()


class Missing(Remedy):
    """A field that must stand there; nobody can say with which value."""

    __slots__ = ()


class Advice(NamedTuple):
    """What would do, for people and for programs; `Problem(path, text, *advice)` takes both.

    Attributes:
        hint: In a sentence or several; may be empty.
        remedies: The same, the likeliest first; what cannot be written as one is in the hint alone.
    """

    hint: str = ""
    remedies: tuple[Remedy, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return bool(self.hint)

    def then(self, other: Advice) -> Advice:
        """Return this with other advice behind it."""
        hint = " ".join(filter(None, (self.hint, other.hint)))
        return Advice(hint, (*self.remedies, *other.remedies))
