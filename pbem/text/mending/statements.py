"""Conditions that are told something beside them, or under another name: `{controls: E5, player: Red}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.conditions import JOINTS, OPERATORS
from pbem.core.interface import Json
from pbem.core.predicates import Predicate, Predicates
from pbem.text.codec import fields_of
from pbem.text.mending.conditions import conditions_in
from pbem.text.mending.drafts import Edit, Sheet
from pbem.text.mending.names import Known
from pbem.text.strictyaml import Path, dump_flow


def statements(page: Sheet, known: Known) -> Iterator[Edit]:
    """Write what a condition is told behind its name, each thing under the name that it has there."""
    for place, joined in conditions_in(page.value):
        for at, condition in _parts(place, joined):
            meant = restated(condition, known.predicates)
            if meant != condition:
                yield page.put(at, dump_flow(meant))


def _parts(place: Path, condition: Json) -> Iterator[tuple[Path, Mapping[str, Json]]]:
    """Yield a condition, and those that it joins, each with its place."""
    if isinstance(condition, list):
        for number, one in enumerate(condition):
            yield from _parts((*place, number), one)
    elif isinstance(condition, dict):
        yield place, condition
        for name in JOINTS:
            yield from _parts((*place, name), condition.get(name))


def restated(condition: Mapping[str, Json], predicates: Predicates) -> dict[str, Json]:
    """Return a condition with all that a predicate is told behind its name, where it can only be meant so.

    What stands beside a single predicate, and is no condition itself, is told to it. What it has no name
    for is the only argument that is not said yet and can be that.
    """
    named = [one for name, one in predicates.items() if name in condition]
    if len(named) != 1:
        return dict(condition)
    predicate, written = named[0], condition[named[0].name]
    words = _words(predicate)
    beside = {name: one for name, one in condition.items() if name in words and name not in predicates}
    first = next((one.name for one in predicate.arguments if one.name not in beside), "")
    if not isinstance(written, dict) and not (beside and first):
        return dict(condition)
    told = fields_of(written) if isinstance(written, dict) else {first: written}
    rest = {name: one for name, one in condition.items() if name not in (*beside, predicate.name)}
    return {predicate.name: _renamed(predicate, {**told, **beside}), **rest}


def _words(predicate: Predicate) -> tuple[str, ...]:
    """Return what may be told to a predicate by name; one with the name of a field is tested as that, too."""
    return (*predicate.words, *OPERATORS) if predicate.is_field else predicate.words


def _renamed(predicate: Predicate, told: Mapping[str, Json]) -> dict[str, Json]:
    out: dict[str, Json] = {}
    for name, written in told.items():
        fitting = [one for one in predicate.arguments if one.name not in told and one.can_be(written)]
        is_known = name in _words(predicate)
        out[name if is_known or len(fitting) != 1 else fitting[0].name] = written
    return out
