"""Conditions as people write them: `Red.hand`, `crown = E5`, `>= 2`, `{controls: E5, player: Red}`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from pbem.core.conditions import (
    JOINTS,
    OPERATORS,
    explain_absence,
    explain_mismatch,
    is_reserved,
    unknown_path,
)
from pbem.core.interface import Json
from pbem.core.predicates import Predicate, Predicates
from pbem.core.remedies import Advice
from pbem.core.wording import suggest_values
from pbem.text.codec import fields_of
from pbem.text.mending.drafts import Edit, Sheet
from pbem.text.mending.names import KnownGame, below, child_names, plain_forms, texts_at
from pbem.text.mending.values import number, read_boolean
from pbem.text.strictyaml import Path, dump_flow

_MOST_JOINED: Final = 3
"""So many parts between dots a name may be written in: "St. Gallen" is two."""

_MOST_SHOWN: Final = 6

_Walk = tuple[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class UnclearName:
    """A name in a condition that the view does not have as it is written.

    Attributes:
        place: Its path in the file; that of its value, if it is a key.
        at_key: It is a key: the path of a fact.
        written: The name.
        could: What may be meant, as the view has it; at least one.
        shown: The same, with the names that reports have for it.
        is_whole: It is the whole name of one thing as reports write it, which nobody need be told.
    """

    place: Path
    at_key: bool
    written: str
    could: tuple[str, ...]
    shown: tuple[str, ...]
    is_whole: bool

    def told(self) -> tuple[str, Advice]:
        """Return what is said of it, and what would do."""
        shown = self.shown[:_MOST_SHOWN]
        more = " or another" if len(self.could) > len(shown) else ""
        thing = "stands otherwise in your view" if len(self.could) == 1 else "can be several things here"
        return f"'{self.written}' {thing}", suggest_values(*shown, more=more)


def unclear_names(value: Mapping[str, Json], known: KnownGame) -> Iterator[UnclearName]:
    """Yield the names in the conditions of an orders file that stand otherwise in the view of its seat."""
    if known.view is None:
        return
    for place, condition in conditions_in(value):
        for path, wanted in condition.items() if isinstance(condition, dict) else ():
            if _is_game_word(path, known):
                continue
            could = paths_meant(known, path)
            if could:
                yield _make_unclear((*place, path), path, could, known, at_key=True)
            right = could[0] if could else path
            if not unknown_path(known.view, right):
                yield from _unclear_values((*place, path), right, wanted, known)


def conditions_in(value: Mapping[str, Json]) -> Iterator[tuple[Path, Json]]:
    """Yield the conditions of an orders file, each with its place."""
    orders = value.get("orders")
    for at, line in enumerate(orders if isinstance(orders, list) else ()):
        if isinstance(line, dict) and line.get("when"):
            yield ("orders", at, "when"), line["when"]
    if value.get("stop_if"):
        yield ("stop_if",), value["stop_if"]


def _unclear_values(place: Path, path: str, wanted: Json, known: KnownGame) -> Iterator[UnclearName]:
    if isinstance(wanted, str):
        if could := possible_values(known, path, wanted):
            yield _make_unclear(place, wanted, could, known, at_key=False)
    elif isinstance(wanted, list):
        for at, one in enumerate(wanted):
            yield from _unclear_values((*place, at), path, one, known)
    elif isinstance(wanted, dict):
        for operator in ("has", "not"):
            yield from _unclear_values((*place, operator), path, wanted.get(operator), known)


def _is_game_word(name: str, known: KnownGame) -> bool:
    """Tell whether a name in a condition is one of the game's own words, and no path."""
    predicate = known.predicates.get(name)
    return is_reserved(name) or (predicate is not None and not predicate.is_field)


def _make_unclear(
    place: Path, written: str, could: tuple[str, ...], known: KnownGame, *, at_key: bool
) -> UnclearName:
    parts = [one.split(".") if at_key else [one] for one in could]
    shown = tuple(".".join(_names(known, name)[-1] for name in names) for names in parts)
    ways = product(*(_names(known, name) for name in parts[0]))
    said = {".".join(way).casefold() for way in ways} - {could[0].casefold()}  # other capitals are no name
    is_whole = len(could) == 1 and written.casefold() in said
    return UnclearName(place, at_key, written, could, shown, is_whole)


def _names(known: KnownGame, name: str) -> list[str]:
    """Return what reports call a thing, by its id and then by its names; a seat only as it is."""
    called = [] if name in known.seats.ids else [*known.things.ids.get(name, ())]
    if not called and name in known.shown.ids and name not in known.seats.ids:
        called = [known.said(name)]
    return [name, *called]


def paths_meant(known: KnownGame, path: str) -> tuple[str, ...]:
    """Return the paths of the view that a path can mean which is written otherwise; none if it is right.

    The fewest liberties count: a name as it is, then the whole name of a thing, then a part of one. A key
    that nothing is called by is as it is, for the keys of a table may come and go.
    """
    if explain_absence(known.view, path) is None:
        return ()
    found = sorted(set(_path_readings(known, known.view, tuple(path.split(".")))))
    best = [".".join(walked) for cost, walked in found if cost == found[0][0]]
    return tuple(best) if path not in best else ()


def _path_readings(known: KnownGame, here: object, left: tuple[str, ...]) -> Iterator[_Walk]:
    """Yield each way that the rest of a path may go on from here, with the liberties that it takes."""
    if not left or here is None:
        yield 0, left
        return
    if isinstance(here, tuple) and left[0].isdecimal():
        yield 0, left
        return
    if not isinstance(here, Mapping) and not child_names(here):
        return
    steps = [
        (cost, name, left[count:])
        for count in range(1, min(_MOST_JOINED, len(left)) + 1)
        for cost, name in _steps(known, here, ".".join(left[:count]))
    ]
    if not steps and isinstance(here, Mapping):
        yield 0, left
    for cost, name, rest in steps:
        key = next((one for one in child_names(here) if one.casefold() == name.casefold()), name)
        for more, walked in _path_readings(known, below(here, key), rest):
            yield cost + more, (name, *walked)


def _steps(known: KnownGame, here: object, name: str) -> list[tuple[int, str]]:
    """Return what a name may mean at this place of the view, each with the liberty that this takes."""
    keys = child_names(here)
    is_table = isinstance(here, Mapping)
    if name in keys or (is_table and name.casefold() in {key.casefold() for key in keys}):
        return [(0, name)]
    here = set(keys)
    kin = _things_of_kinds(known, keys) if is_table else here
    if is_table and not keys:
        kin = set(known.things.ids)
    if is_table and name in kin:
        return [(0, name)]
    called = _ids_called(known, name)
    same = {key for key in keys if plain_forms(key) & plain_forms(name)} | (called & here) or called & kin
    if same:
        return [(1, one) for one in sorted(same)]
    partly = _ids_called_in_part(known, name) if is_table else set(known.seats.ids_by_part(name))
    return [(2, one) for one in sorted(partly & here or partly & kin)]


def possible_values(known: KnownGame, path: str, written: str) -> tuple[str, ...]:
    """Return what a text can mean that a condition wants at a path; none if it is right, or means nothing.

    What can stand there is told by the places like it (`texts_at`), and by the tables of the game that these
    things come from.
    """
    here = texts_at(known.view, path.split("."))
    if written in here:
        return ()
    kin = here | _things_of_kinds(known, here)
    if written in kin or written.casefold() in {one.casefold() for one in kin}:
        return ()
    called = _ids_called(known, written)
    if fitting := called & here or called & kin:
        return tuple(sorted(fitting))
    own = {*known.things.ids, *known.seats.ids}
    if written.casefold() in {one.casefold() for one in (*known.shown.ids, *own)}:
        return ()
    partly = _ids_called_in_part(known, written)
    found = partly & here or partly & kin or called & own or called
    return tuple(sorted(found if found or here else partly & own))


def _things_of_kinds(known: KnownGame, some: Collection[str]) -> set[str]:
    """Return all things of the kinds that some things are of: of a city all cities, of a seat all seats."""
    return {one for kind in known.kinds if not kind.isdisjoint(some) for one in kind}


def _ids_called(known: KnownGame, name: str) -> set[str]:
    return {one for names in (known.things, known.seats, known.shown) for one in names.called(name)}


def _ids_called_in_part(known: KnownGame, name: str) -> set[str]:
    return {one for names in (known.things, known.seats, known.shown) for one in names.ids_by_part(name)}


_TEST: Final = re.compile(r"(>=|=>|≥|<=|=<|≤|>|<|==|=)\s*(-?[0-9]{1,9})")
_SAID: Final = re.compile(r"\s*([\w.][\w.' -]*?)\s*(?:==?|:|\bis\b)\s*([^\s=<>].*?)\s*")
_COMPARED: Final = re.compile(r"\s*([\w.][\w.' -]*?)\s*((?:>=|=>|≥|<=|=<|≤|>|<)\s*-?[0-9]{1,9})\s*")


def correct_conditions(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write the paths and values of conditions as the view has them."""
    if known.view is None:
        return
    orders = page.value.get("orders")
    places: list[Path] = [
        ("orders", n, "when") for n in range(len(orders) if isinstance(orders, list) else 0)
    ]
    for name in unclear_names(page.value, known):
        if len(name.could) == 1:
            yield _name_edit(page, name)
    for place in (*places, ("stop_if",)):
        condition = page.at(place)
        if isinstance(condition, str) and (written := _from_text(condition, known)):
            yield page.put(place, written)
        elif isinstance(condition, dict):
            for path, wanted in condition.items():
                if _is_game_word(path, known):
                    continue
                yield from _entry_edits(page, (*place, path), path, wanted, known)


def replace_whole_names(page: Sheet, known: KnownGame) -> list[Edit]:
    """Return the changes that write ids for the whole names of things in conditions, without a note."""
    return [_name_edit(page, name) for name in unclear_names(page.value, known) if name.is_whole]


def _name_edit(page: Sheet, name: UnclearName) -> Edit:
    """Return the change that writes a name as the view has it, told in the words of reports."""
    right = name.could[0]
    edit = page.rename(name.place, right) if name.at_key else page.put(name.place, value_yaml(right))
    return replace(edit, note="" if name.is_whole else f"`{name.written}` was read as `{name.shown[0]}`")


def _entry_edits(page: Sheet, place: Path, path: str, wanted: Json, known: KnownGame) -> Iterator[Edit]:
    if unknown_path(known.view, path):
        return
    if isinstance(wanted, str) and (test := _TEST.fullmatch(wanted.strip())):
        yield page.put(place, _test_text(test[1], int(test[2])))
        return
    if isinstance(wanted, str | int) and explain_mismatch(known.view, path, wanted):
        for value in (read_boolean(wanted), number(wanted)):
            if value is not None and not explain_mismatch(known.view, path, value):
                yield page.put(place, dump_flow(value))
                return
        if not explain_mismatch(known.view, path, {"has": wanted}):
            yield page.put(place, dump_flow({"has": wanted}))


def value_yaml(name: str) -> str:
    """Return a name as a value is written: a seat's number without quotes."""
    return name if name.isdigit() else dump_flow(name)


def _test_text(sign: str, bound: int) -> str:
    if sign in ("=", "=="):
        return str(bound)
    if sign in (">", ">=", "=>", "≥"):
        return f"{{at_least: {bound + (sign == '>')}}}"
    return f"{{at_most: {bound - (sign == '<')}}}"


def _from_text(text: str, known: KnownGame) -> str:
    """Return a condition that is written as a text, such as `crown = E5`, in braces; "" if it is none."""
    if (found := _COMPARED.fullmatch(text)) and (test := _TEST.fullmatch(found[2])):
        if paths_meant(known, found[1]) or not unknown_path(known.view, found[1]):
            return f"{{{found[1]}: {_test_text(test[1], int(test[2]))}}}"
    elif (found := _SAID.fullmatch(text)) and (
        paths_meant(known, found[1]) or not unknown_path(known.view, found[1])
    ):
        return f"{{{found[1]}: {found[2]}}}"
    return ""


def restate_conditions(page: Sheet, known: KnownGame) -> Iterator[Edit]:
    """Write what a condition is told behind its name, each thing under the name that it has there."""
    for place, joined in conditions_in(page.value):
        for at, condition in _parts(place, joined):
            meant = restate_condition(condition, known.predicates)
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


def restate_condition(condition: Mapping[str, Json], predicates: Predicates) -> dict[str, Json]:
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
    return {predicate.name: _rename_arguments(predicate, {**told, **beside}), **rest}


def _words(predicate: Predicate) -> tuple[str, ...]:
    """Return what may be told to a predicate by name; one with the name of a field is tested as that, too."""
    return (*predicate.words, *OPERATORS) if predicate.is_field else predicate.words


def _rename_arguments(predicate: Predicate, told: Mapping[str, Json]) -> dict[str, Json]:
    out: dict[str, Json] = {}
    for name, written in told.items():
        fitting = [one for one in predicate.arguments if one.name not in told and one.can_be(written)]
        is_known = name in _words(predicate)
        out[name if is_known or len(fitting) != 1 else fitting[0].name] = written
    return out
