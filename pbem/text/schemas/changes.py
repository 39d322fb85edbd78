"""JSON as changes to other JSON, so that what hardly differs is kept once; the order of names counts too."""

from __future__ import annotations

import json

from pbem.core.interface import Json


def changes(old: Json, new: Json) -> list[Json]:
    """Return what makes `new` of `old`.

    Returns:
        Changes in their order: `[path, value]` puts a value there, `[path]` takes away what is there. A path
        is a list of names and of places in lists, counted from 0; `[]` is all of it.
    """
    return _changes([], old, new)


def changed(old: Json, made: list[Json]) -> Json:
    """Return what changes make of a value, which stays as it is.

    Raises:
        ValueError: They are no changes, or do not fit the value.
    """
    whole: list[Json] = [json.loads(json.dumps(old))]
    for one in made:
        try:
            _change(whole, one)
        except (LookupError, TypeError, AttributeError) as wrong:
            raise ValueError(f"{one!r} is no change of this value") from wrong
    return whole[0]


def _change(whole: list[Json], change: Json) -> None:
    path, *values = change  # type: ignore[misc,str-unpack]
    within: Json = whole
    places: list[Json] = [0, *path]  # type: ignore[misc]
    for place in places[:-1]:
        within = within[place]  # type: ignore[index]
    last = places[-1]
    if not values:
        del within[last]  # type: ignore[union-attr,arg-type]
    elif isinstance(within, list) and last == len(within):
        within.append(values[0])
    else:
        within[last] = values[0]  # type: ignore[index]


def _changes(path: list[Json], old: Json, new: Json) -> list[Json]:
    whole: list[Json] = [[path, new]]
    if isinstance(old, dict) and isinstance(new, dict):
        kept = [name for name in old if name in new]
        if [*kept, *(name for name in new if name not in old)] != [*new]:
            return whole
        found: list[Json] = [[[*path, name]] for name in old if name not in new]
        for name, value in new.items():
            found += _changes([*path, name], old[name], value) if name in old else [[[*path, name], value]]
    elif isinstance(old, list) and isinstance(new, list):
        found = [[[*path, place]] for place in range(len(old) - 1, len(new) - 1, -1)]
        for place, value in enumerate(new):
            at: list[Json] = [*path, place]
            found += _changes(at, old[place], value) if place < len(old) else [[at, value]]
    else:
        return [] if type(old) is type(new) and old == new else whole
    return whole if found and len(json.dumps(whole)) < len(json.dumps(found)) else found
