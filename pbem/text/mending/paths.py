"""Conditions as people write them: `Red.hand`, `crown = E5`, `{min: 2}`, `>= 2`, `lost_token: yes`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Final

from pbem.core.conditions import mismatch, unknown_path
from pbem.core.interface import Json
from pbem.text.mending.drafts import Edit, Sheet
from pbem.text.mending.known import Known
from pbem.text.mending.names import Names, folded
from pbem.text.mending.values import number, truth
from pbem.text.strictyaml import Path, dump_flow

_TEST: Final = re.compile(r"(>=|=>|≥|<=|=<|≤|>|<|==|=)\s*(-?[0-9]{1,9})")
_SAID: Final = re.compile(r"\s*([\w.]+)\s*(?:==?|:|\bis\b)\s*([^\s=<>].*?)\s*")
_COMPARED: Final = re.compile(r"\s*([\w.]+)\s*((?:>=|=>|≥|<=|=<|≤|>|<)\s*-?[0-9]{1,9})\s*")
_DEEPEST: Final = 5
_MOST_KEYS: Final = 400
_MOST_NEAR: Final = 3


def conditions(page: Sheet, known: Known) -> Iterator[Edit]:
    """Write the paths and values of conditions as the view has them."""
    if known.view is None:
        return
    orders = page.value.get("orders")
    places: list[Path] = [
        ("orders", n, "when") for n in range(len(orders) if isinstance(orders, list) else 0)
    ]
    for place in (*places, ("stop_if",)):
        condition = page.at(place)
        if isinstance(condition, str) and (written := _from_text(condition, known.view)):
            yield page.put(place, written)
        elif isinstance(condition, dict):
            for path, wanted in condition.items():
                yield from _entry(page, (*place, path), path, wanted, known)


def _entry(page: Sheet, place: Path, path: str, wanted: Json, known: Known) -> Iterator[Edit]:
    if unknown_path(known.view, path):
        if right := same_path(known, path):
            yield page.rename(place, right)
        return
    if isinstance(wanted, str) and (test := _TEST.fullmatch(wanted.strip())):
        yield page.put(place, _as_test(test[1], int(test[2])))
        return
    if isinstance(wanted, str | int) and mismatch(known.view, path, wanted):
        for value in (truth(wanted), number(wanted)):
            if value is not None and not mismatch(known.view, path, value):
                yield page.put(place, dump_flow(value))
                return
        if not mismatch(known.view, path, {"has": wanted}):
            yield page.put(place, dump_flow({"has": wanted}))


def _as_test(sign: str, bound: int) -> str:
    if sign in ("=", "=="):
        return str(bound)
    if sign in (">", ">=", "=>", "≥"):
        return f"{{at_least: {bound + (sign == '>')}}}"
    return f"{{at_most: {bound - (sign == '<')}}}"


def _from_text(text: str, view: object) -> str:
    """Return a condition that is written as a text, such as `crown = E5`, in braces; "" if it is none."""
    if (found := _COMPARED.fullmatch(text)) and (test := _TEST.fullmatch(found[2])):
        if not unknown_path(view, found[1]):
            return f"{{{found[1]}: {_as_test(test[1], int(test[2]))}}}"
    elif (found := _SAID.fullmatch(text)) and not unknown_path(view, found[1]):
        return f"{{{found[1]}: {found[2]}}}"
    return ""


def same_path(known: Known, path: str) -> str:
    """Return the path that differs in capitals, or in the name of a seat, only; "" if there is none."""
    here, walked = known.view, list[str]()
    for name in path.split("."):
        keys = _names(here)
        same = [key for key in keys if folded(key) == folded(name)]
        if not same:
            called = known.seats.called(name) or known.seats.in_part(name)
            same = [key for key in keys if key in called]
        if len(same) != 1:
            return ""
        walked.append(same[0])
        here = _below(here, same[0])
    right = ".".join(walked)
    return right if right != path and not unknown_path(known.view, right) else ""


def nearest_paths(view: object, path: str, seats: Names | None = None) -> list[str]:
    """Return paths of a view that end as a path does which is not there, the shortest first.

    Args:
        view: The view.
        path: The path: `black.tokens`.
        seats: What seats are called, for paths in which a player's name stands for one.
    """
    wanted = [{folded(name), *map(folded, seats.called(name) if seats else ())} for name in path.split(".")]
    found = []
    for one in _paths(view):
        tail = [folded(name) for name in one[-len(wanted) :]]
        if len(tail) == len(wanted) and all(name in meant for name, meant in zip(tail, wanted, strict=True)):
            found.append(".".join(one))
    return sorted(found, key=lambda one: (one.count("."), one))[:_MOST_NEAR]


def _paths(view: object) -> Iterator[tuple[str, ...]]:
    waiting: list[tuple[tuple[str, ...], object]] = [((), view)]
    while waiting:
        walked, here = waiting.pop()
        for name in _names(here)[:_MOST_KEYS]:
            path = (*walked, name)
            yield path
            if len(path) < _DEEPEST:
                waiting.append((path, _below(here, name)))


def _names(here: object) -> list[str]:
    if dataclasses.is_dataclass(here):
        return [one.name for one in dataclasses.fields(here)]
    return [str(key) for key in here] if isinstance(here, Mapping) else []


def _below(here: object, name: str) -> object:
    if dataclasses.is_dataclass(here):
        return getattr(here, name, None)
    if isinstance(here, Mapping):
        return next((value for key, value in here.items() if str(key) == name), None)
    return None
