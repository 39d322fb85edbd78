"""Arguments that the conditions of several games have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from pbem.core.predicates import ME, Argument

NO_WORDS: Final[Mapping[str, str]] = MappingProxyType({})


def one_of(
    name: str, ids: Iterable[str], title: Callable[[str], str] = str, also: Mapping[str, str] = NO_WORDS
) -> Argument:
    """Return an argument that names one of some things.

    Args:
        name: Its name, a word that a player would use: "square".
        ids: The things.
        title: How reports call them.
        also: Other words for them, in small letters, each with its id.
    """
    return Argument(name, {one: title(one) for one in ids}, also=also)


def player(seats: Iterable[str], title: Callable[[str], str] = str) -> Argument:
    """Return the argument that names a player; where nothing is said, it is who writes the condition."""
    return Argument("player", {ME: ME, **{seat: title(seat) for seat in seats}}, ME)


def other_player(seats: Iterable[str], title: Callable[[str], str] = str) -> Argument:
    """Return the argument that names another player, who must be said."""
    return one_of("player", seats, title)
