"""What stands in a view: the names at each place of it, and the texts that a place can hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

_DEEPEST: Final = 6
_MOST_KEYS: Final = 400


def names_at(here: object) -> list[str]:
    """Return the fields of a part of a view, or the keys of a table in it; none of anything else."""
    if dataclasses.is_dataclass(here):
        return [one.name for one in dataclasses.fields(here)]
    return [str(key) for key in here] if isinstance(here, Mapping) else []


def below(here: object, name: str) -> object:
    """Return what stands below a field or a key that `names_at` tells; None if nothing does."""
    if dataclasses.is_dataclass(here):
        return getattr(here, name, None)
    if isinstance(here, Mapping):
        return next((value for key, value in here.items() if str(key) == name), None)
    return None


def paths(view: object, deepest: int) -> Iterator[tuple[str, ...]]:
    """Yield the path of everything in a view that has a name, as deep as that."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), view)]
    while waiting:
        walked, here = waiting.pop()
        for name in names_at(here)[:_MOST_KEYS]:
            path = (*walked, name)
            yield path
            if len(path) < deepest:
                waiting.append((path, below(here, name)))


def texts_in(view: object) -> frozenset[str]:
    """Return all texts of a view: those it holds, and the keys of its tables."""
    found: set[str] = set()
    waiting: list[tuple[object, int]] = [(view, 0)]
    while waiting:
        here, depth = waiting.pop()
        if isinstance(here, Mapping):
            found.update(map(str, here))
        if depth < _DEEPEST:
            waiting.extend((one, depth + 1) for one in _inside(here))
        if isinstance(here, str):
            found.add(str(here))
    return frozenset(found)


def texts_at(view: object, path: Iterable[str]) -> frozenset[str]:
    """Return the texts that a place of a view can hold, as far as it and the places like it tell.

    The places like `sites.mainz` are all of `sites`; a list holds its items, a table its keys.
    """
    level = [view]
    for name in path:
        after: list[object] = []
        for here in level:
            if isinstance(here, Mapping):
                after.extend(here.values())
            elif name in names_at(here):
                after.append(below(here, name))
        level = after
    found: set[str] = set()
    for here in level:
        if isinstance(here, str):
            found.add(str(here))
        elif isinstance(here, Mapping):
            found.update(map(str, here))
        elif isinstance(here, tuple | frozenset):
            found.update(str(one) for one in here if isinstance(one, str))
    return frozenset(found)


def _inside(here: object) -> Iterable[object]:
    if isinstance(here, Mapping):
        return here.values()
    if isinstance(here, tuple | frozenset):
        return here
    return [below(here, name) for name in names_at(here)]
