"""What would do in place of a mistake: the same as its hint says, for programs.

A hint is made for people, and no program reads it. Whoever writes one in which something stands that could be
written says it here too, best with one function that gives both: `Advice`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from pbem.core.interface import Json


@dataclass(frozen=True, slots=True)
class Meant:
    """What may have been meant by what stands there.

    Attributes:
        value: The value; the name of a field, where the name is wrong.
        is_order: It is the whole order, in place of the one that the mistake is in.
    """

    value: Json = field(hash=False)
    is_order: bool = False


@dataclass(frozen=True, slots=True)
class Possible:
    """What is possible there; nobody can say that it was meant.

    Attributes:
        value: The value; the name of a field, where the name is wrong.
        is_order: It is a whole order, in place of the one that the mistake is in.
    """

    value: Json = field(hash=False)
    is_order: bool = False


@dataclass(frozen=True, slots=True)
class Without:
    """The order without one of its fields, wherever in it that stands."""

    name: str


@dataclass(frozen=True, slots=True)
class With:
    """The fields that stand there with one more; its value is possible."""

    name: str
    value: Json = field(hash=False)


@dataclass(frozen=True, slots=True)
class Inside:
    """What is wrong belongs inside a field that stands beside it."""

    name: str


@dataclass(frozen=True, slots=True)
class Missing:
    """A field that must stand there; nobody can say with which value."""

    name: str


Remedy: TypeAlias = Meant | Possible | Without | With | Inside | Missing


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
