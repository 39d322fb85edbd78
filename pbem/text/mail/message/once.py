"""What is found in a mail or a part of one, found once, however many ask for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from weakref import WeakKeyDictionary

One = TypeVar("One")
Found = TypeVar("Found")


def once(find: Callable[[One], Found]) -> Callable[[One], Found]:
    """Return a function that looks once at each thing, and forgets what it found together with that thing."""
    known: WeakKeyDictionary[One, Found] = WeakKeyDictionary()

    def found(one: One) -> Found:
        if one not in known:
            known[one] = find(one)
        return known[one]

    return found
