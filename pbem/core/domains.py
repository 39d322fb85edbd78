"""Conditions that can never hold: names that no table has, and values that never stand in a place."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from pbem.core.conditions import fits_pattern
from pbem.core.foresight import Domain, Horizon
from pbem.core.interface import Json
from pbem.core.remedies import Advice, Possible
from pbem.core.wording import LONGEST_NAME, PLAIN, Wording, did_you_mean

_MOST_LISTED: Final = 12
"""So many values are all named."""

_MOST_SHOWN: Final = 6
"""So many of more values are named, the nearest ones."""


def never_holds(
    view: object, path: str, wanted: Json, horizon: Horizon, wording: Wording = PLAIN
) -> tuple[str, Advice] | None:
    """Say why a condition holds on no view of a game, with what could be meant; None if it may hold.

    Args:
        view: Any view of the game.
        path: The path of the condition; it can be found in views of this kind.
        wanted: What is wanted there.
        horizon: What is always the same in the game.
        wording: How the rules say facts and names.
    """
    if strange := _strange_name(view, path, horizon):
        return strange
    domain, thing = _domain(path, horizon.domains), partial(wording.thing, path)
    if domain is not None and (told := _outside(thing, wanted, domain, wording)):
        return told
    return _contradiction(thing, wanted)


def _strange_name(view: object, path: str, horizon: Horizon) -> tuple[str, Advice] | None:
    """Say that a table whose names never change has no such name."""
    here, walked = view, list[str]()
    for name in path.split("."):
        if isinstance(here, Mapping):
            wanted = name.casefold()
            found = [key for key in here if str(key).casefold() == wanted]
            if not found:
                where, names = ".".join(walked), [str(key) for key in here]
                is_fixed = any(fits_pattern(walked, pattern) for pattern in horizon.tables)
                text = f"{path}: {where} has no {name!r}"
                return (text, _near(name, names, PLAIN)) if is_fixed else None
            here = here[found[0]]
        elif dataclasses.is_dataclass(here) and hasattr(here, name):
            here = getattr(here, name)
        else:
            return None
        walked.append(name)
    return None


def _domain(path: str, domains: Mapping[str, Domain]) -> Domain | None:
    names = path.split(".")
    return next((domain for pattern, domain in domains.items() if fits_pattern(names, pattern)), None)


def _outside(
    thing: Callable[[], str], wanted: Json, domain: Domain, wording: Wording
) -> tuple[str, Advice] | None:
    """Say why nothing that can stand at a path is what is wanted."""
    if isinstance(wanted, dict):
        for operator, value in wanted.items():
            if operator == "has":
                for one in value if isinstance(value, list) else [value]:
                    if unknown := _not_among([one], domain, wording):
                        return f"{unknown[0]} is never among {thing()}", unknown[1]
            elif operator == "not":  # "is not Haithbu" would hold whatever comes
                if not isinstance(value, dict) and (told := _outside(thing, value, domain, wording)):
                    return told
            elif told := _beyond(thing, operator, value, domain):
                return told
        return None
    several = wanted if isinstance(wanted, list) else [wanted]
    if unknown := _not_among(several, domain, wording):
        return f"{thing()} is never {unknown[0]}", unknown[1]
    return _no_such_number(thing, several, domain)


def _not_among(wanted: Iterable[Json], domain: Domain, wording: Wording) -> tuple[str, Advice] | None:
    """Return those of several texts that can never stand at a path, and what can; None if there are none."""
    if domain.values is None:
        return None
    asked = [str(one) for one in wanted if isinstance(one, str | int) and not isinstance(one, bool)]
    known = {value.casefold() for value in domain.values}
    unknown = [one for one in asked if one.casefold() not in known]
    return (" or ".join(unknown), _near(unknown[0], [*domain.values], wording)) if unknown else None


def _no_such_number(
    thing: Callable[[], str], wanted: Iterable[Json], domain: Domain
) -> tuple[str, Advice] | None:
    numbers = list(_numbers(wanted))
    if not numbers or any(_is_within(one, domain) for one in numbers):
        return None
    return f"{thing()} is never {' or '.join(map(str, numbers))}", _bounds(domain)


def _beyond(
    thing: Callable[[], str], operator: str, value: Json, domain: Domain
) -> tuple[str, Advice] | None:
    """Say that a number is never so great, or so small."""
    for number in _numbers([value]):
        if operator == "at_least" and domain.most is not None and number > domain.most:
            return f"{thing()} is never as much as {number}", _bounds(domain)
        if operator == "at_most" and domain.least is not None and number < domain.least:
            return f"{thing()} is never as little as {number}", _bounds(domain)
    return None


def _contradiction(thing: Callable[[], str], wanted: Json) -> tuple[str, Advice] | None:
    """Say that two bounds leave no number between them."""
    if not isinstance(wanted, dict):
        return None
    least, most = (list(_numbers([wanted.get(name)])) for name in ("at_least", "at_most"))
    if least and most and least[0] > most[0]:
        return f"{thing()} is never at least {least[0]} and at most {most[0]} at once", Advice()
    return None


def _numbers(values: Iterable[Json]) -> Iterator[int | float]:
    for value in values:
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield value


def _is_within(number: float, domain: Domain) -> bool:
    return (domain.least is None or number >= domain.least) and (domain.most is None or number <= domain.most)


def _bounds(domain: Domain) -> Advice:
    least, most = domain.least, domain.most
    if least is None:
        return Advice(f"It is at most {most}.")
    return Advice(f"It is at least {least}." if most is None else f"It is from {least} to {most}.")


def _near(word: str, known: list[str], wording: Wording) -> Advice:
    """Return what could be meant, or what there is, in names as reports write them."""
    from difflib import get_close_matches  # only a mistake needs it

    titles = {one: wording.name(one) for one in known}
    if meant := did_you_mean(word, known, titles) or did_you_mean(word, titles.values()):
        return meant
    if (grid := _grid(known)) and len(known) > _MOST_LISTED:
        return Advice(f"It can be {grid}.")
    if len(known) <= _MOST_LISTED:
        return _one_of([*titles.values()]) if known else Advice()
    by_fold = {one.casefold(): title for one, title in titles.items()}
    shown = (
        get_close_matches(word[:LONGEST_NAME].casefold(), list(by_fold), n=_MOST_SHOWN, cutoff=0.3)
        or [*by_fold][:3]
    )
    return _one_of([by_fold[one] for one in shown], f", or one of {len(known) - len(shown)} others")


def _one_of(names: list[str], more: str = "") -> Advice:
    """Say that something can be one of some names, or more: "It can be red, white."."""
    return Advice(f"It can be {', '.join(names)}{more}.", (Possible(names[0]),))


def _grid(names: Collection[str]) -> str:
    """Return "A1 to I9" if names are the squares of a board, from its first row and column on; else ""."""
    matched = [re.fullmatch(r"([A-Z])([1-9][0-9]?)", name) for name in names]
    squares = [(ord(one[1]), int(one[2])) for one in matched if one is not None]
    if not squares:
        return ""
    (left, right), (top, bottom) = ((min(line), max(line)) for line in zip(*squares, strict=True))
    whole = {f"{chr(column)}{row}" for column in range(left, right + 1) for row in range(top, bottom + 1)}
    return f"{chr(left)}{top} to {chr(right)}{bottom}" if whole == set(names) else ""
