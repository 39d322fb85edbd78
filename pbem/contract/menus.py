"""Menus by place: each entry goes where its menu says it may stand, through schema, `read` and `check`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.contract.subject import Subject
from pbem.core.drafts import draft_of, put_at
from pbem.core.interface import Choices, Json
from pbem.text.yaml.yamlwrite import dump_flow

TO_FILL: Final = "..."
"""Stands in an entry for what the player is to name."""

TRIED: Final = "(tried in the order of `hold`, in the form's example, and alone)"
"""What stood beside an entry that is wrong wherever it was put."""

Path = tuple[str | int, ...]


def misfits(subject: Subject, view: Any, choices: Choices) -> Iterator[str]:
    """Yield what is wrong with the entries of menus for places; whole orders are checked where bots play.

    An entry may be wrong beside what stands in other places; it is not to be wrong in its own.

    Args:
        subject: The rules.
        view: What a seat that is asked knows.
        choices: What it may order.
    """
    example = draft_of(subject.rules, view, choices, subject.takes).now
    bases: list[Json] = [subject.rules.hold(view), example, {}]
    for menu in choices.menus:
        for path in menu.paths if "" not in menu.paths else ():
            for item in menu.items if path == menu.paths[0] else menu.items[:1]:
                if not _is_open(item.order) and (wrong := _why_wrong(subject, view, bases, path, item.order)):
                    yield f"the menu {menu.title!r} has {item.order!r} for {path}: {wrong} {TRIED}"


def unprinted(choices: Choices, names: Mapping[str, Json], form: str) -> Iterator[str]:
    """Yield the entries of menus for places that are no lists or tables and stand nowhere in the form.

    Args:
        choices: What a seat may order.
        names: How things are called, by id.
        form: The form that was made of it.
    """
    printed = re.sub(r"\s*\n[# ]*", " ", form)
    for menu in choices.menus:
        for item in menu.items if "" not in menu.paths else ():
            if not isinstance(item.order, str | int):
                continue
            words = {dump_flow(item.order)}
            if isinstance(item.order, str):
                called = str(names.get(item.order, item.order))
                words = {item.order, called, dump_flow(called)}
            if not any(_stands(word, printed) for word in words):
                yield f"the form leaves out {item.order!r} of the menu {menu.title!r}"


def _stands(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _is_open(value: Json) -> bool:
    """Tell whether a part of an entry is left to the player."""
    if isinstance(value, dict | list):
        return any(map(_is_open, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and TO_FILL in value


def _why_wrong(subject: Subject, view: Any, bases: list[Json], path: str, item: Json) -> str:
    """Say why an entry can stand at a place in none of some orders, alone or in a list, or return ""."""
    place: Path = tuple(path.split("."))
    orders = [put_at(base, path, value) for base in bases for value in (item, [item])]
    taken = [order for order in orders if subject.takes(order)]
    why = _why_refused if taken else _why_misshapen
    found = []
    for order in taken or orders:
        found.append(why(subject, view, order, place))
        if not found[-1]:
            return ""
    return found[0]


def _why_misshapen(subject: Subject, view: Any, order: Json, place: Path) -> str:
    """Say what the schema forbids at a place, or return "" if only something else is missing."""
    faults = subject.moves.problems(order)
    here = [
        fault.text for fault in faults if fault.path[: len(place)] == place and fault.kind != "field-missing"
    ]
    return f"schema: {here[0]}" if here else ""


def _why_refused(subject: Subject, view: Any, order: Json, place: Path) -> str:
    """Say what the rules will always refuse at a place, or return ""."""
    try:
        problems = subject.rules.check(view, subject.rules.read(order))
    except Exception as wrong:  # a plug-in's own code may raise anything
        return f"{type(wrong).__name__}: {wrong}"
    lasting = [one.text for one in problems if one.lasting and one.path[: len(place)] == place]
    return lasting[0] if lasting else ""
