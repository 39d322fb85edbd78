"""Conditions as people write them: `Red.hand`, `crown = E5`, `{min: 2}`, `>= 2`, `lost_token: yes`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pbem.core.conditions import mismatch, unknown_path
from pbem.core.interface import Json
from pbem.text.mending.meaning.conditionnames import Unclear, paths_meant, unclear_names
from pbem.text.mending.meaning.known import Known
from pbem.text.mending.meaning.names import Names, folded
from pbem.text.mending.meaning.values import number, truth
from pbem.text.mending.meaning.viewwalk import paths
from pbem.text.mending.shape.drafts import Edit, Sheet
from pbem.text.yaml.strictyaml import Path, dump_flow

_TEST: Final = re.compile(r"(>=|=>|≥|<=|=<|≤|>|<|==|=)\s*(-?[0-9]{1,9})")
_SAID: Final = re.compile(r"\s*([\w.][\w.' -]*?)\s*(?:==?|:|\bis\b)\s*([^\s=<>].*?)\s*")
_COMPARED: Final = re.compile(r"\s*([\w.][\w.' -]*?)\s*((?:>=|=>|≥|<=|=<|≤|>|<)\s*-?[0-9]{1,9})\s*")
_DEEPEST: Final = 5
_MOST_NEAR: Final = 3


def conditions(page: Sheet, known: Known) -> Iterator[Edit]:
    """Write the paths and values of conditions as the view has them."""
    if known.view is None:
        return
    orders = page.value.get("orders")
    places: list[Path] = [
        ("orders", n, "when") for n in range(len(orders) if isinstance(orders, list) else 0)
    ]
    for name in unclear_names(page.value, known):
        if len(name.could) == 1:
            yield _written(page, name)
    for place in (*places, ("stop_if",)):
        condition = page.at(place)
        if isinstance(condition, str) and (written := _from_text(condition, known)):
            yield page.put(place, written)
        elif isinstance(condition, dict):
            for path, wanted in condition.items():
                yield from _entry(page, (*place, path), path, wanted, known)


def whole_names(page: Sheet, known: Known) -> list[Edit]:
    """Return the changes that write ids for the whole names of things in conditions, without a note."""
    return [_written(page, name) for name in unclear_names(page.value, known) if name.is_whole]


def _written(page: Sheet, name: Unclear) -> Edit:
    """Return the change that writes a name as the view has it, told in the words of reports."""
    right = name.could[0]
    edit = page.rename(name.place, right) if name.at_key else page.put(name.place, as_value(right))
    return replace(edit, note="" if name.is_whole else f"`{name.written}` was read as `{name.shown[0]}`")


def _entry(page: Sheet, place: Path, path: str, wanted: Json, known: Known) -> Iterator[Edit]:
    if unknown_path(known.view, path):
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


def as_value(name: str) -> str:
    """Return a name as a value is written: a seat's number without quotes."""
    return name if name.isdigit() else dump_flow(name)


def _as_test(sign: str, bound: int) -> str:
    if sign in ("=", "=="):
        return str(bound)
    if sign in (">", ">=", "=>", "≥"):
        return f"{{at_least: {bound + (sign == '>')}}}"
    return f"{{at_most: {bound - (sign == '<')}}}"


def _from_text(text: str, known: Known) -> str:
    """Return a condition that is written as a text, such as `crown = E5`, in braces; "" if it is none."""
    if (found := _COMPARED.fullmatch(text)) and (test := _TEST.fullmatch(found[2])):
        if paths_meant(known, found[1]) or not unknown_path(known.view, found[1]):
            return f"{{{found[1]}: {_as_test(test[1], int(test[2]))}}}"
    elif (found := _SAID.fullmatch(text)) and (
        paths_meant(known, found[1]) or not unknown_path(known.view, found[1])
    ):
        return f"{{{found[1]}: {found[2]}}}"
    return ""


def nearest_paths(view: object, path: str, seats: Names | None = None) -> list[str]:
    """Return paths of a view that end as a path does which is not there, the shortest first.

    Args:
        view: The view.
        path: The path: `black.tokens`.
        seats: What seats are called, for paths in which a player's name stands for one.
    """
    wanted = [{folded(name), *map(folded, seats.called(name) if seats else ())} for name in path.split(".")]
    found = []
    for one in paths(view, _DEEPEST):
        tail = [folded(name) for name in one[-len(wanted) :]]
        if len(tail) == len(wanted) and all(name in meant for name, meant in zip(tail, wanted, strict=True)):
            found.append(".".join(one))
    return sorted(found, key=lambda one: (one.count("."), one))[:_MOST_NEAR]
