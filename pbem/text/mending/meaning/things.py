"""Names in an order that the rules do not know as they are written, as the ids of what is called so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from pbem.core.interface import Json, Problem
from pbem.text.mending.meaning.known import Known
from pbem.text.mending.meaning.values import number, pieces
from pbem.text.mending.shape.drafts import Edit, Sheet
from pbem.text.yaml.strictyaml import Path, dump_flow

_MOST_TRIED: Final = 6
_MOST_LINES: Final = 20
_MOST_NAMES: Final = 12
"""So many are tried out at most, for whoever names more has not made a slip."""

_NOTHING: Final = ("there is no ", " is no ", " is nothing that", " is neither a direction")


def things(page: Sheet, known: Known) -> Iterator[Edit]:
    """Write ids for names that only one thing has, where the rules refuse or miss what stands there."""
    orders = page.value.get("orders")
    for n, line in enumerate(orders[:_MOST_LINES] if isinstance(orders, list) else ()):
        if isinstance(line, dict) and isinstance(line.get("do"), dict):
            yield from _of_line(page, ("orders", n), line, known)


def _of_line(page: Sheet, place: Path, line: dict[str, Json], known: Known) -> Iterator[Edit]:
    if known.grammar is None or known.grammar.move.problems(line["do"]):
        return
    seen: set[Path] = set()
    for problem in known.problems(line):
        if not _unknown(problem):
            continue
        place_of, value = _reached(line["do"], tuple(problem.path))
        for below in _texts(value, place_of):
            if below in seen or len(seen) >= _MOST_NAMES:
                continue
            seen.add(below)
            if (right := _right(line, below, problem, known)) is not None:
                yield page.put((*place, "do", *below), dump_flow(right))
                return
    for below in _texts(line["do"], ()):
        if below not in seen and (one := _unread(line["do"], below, known)):
            yield page.put((*place, "do", *below), dump_flow(one))
            return


def _right(line: Mapping[str, Json], path: Path, problem: Problem, known: Known) -> Json:
    """Return what stands for a name so that this problem is gone; None if that is not one thing only."""
    assert known.grammar is not None, "the caller has looked"
    text = _reached(line["do"], path)[1]
    before = known.problems(line)
    for candidates in _candidates(text, known):
        working: list[Json] = []
        for one in candidates[:_MOST_TRIED]:
            order = _with(line["do"], path, one)
            if one == text or known.grammar.move.problems(order):
                continue
            after = known.problems({**line, "do": order})
            is_gone = not any(_unknown(p) and p.path == problem.path and str(one) in p.text for p in after)
            if is_gone and problem not in after and len(_unknowns(after)) < len(_unknowns(before)):
                working.append(one)
        if working:
            return working[0] if len(working) == 1 else None
    return None


def _unknowns(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if _unknown(problem)]


def _candidates(text: Json, known: Known) -> Iterator[list[Json]]:
    said = str(text)
    if (count := number(said)) is not None:
        yield [count]
    if len(parts := pieces(said)) > 1 and parts != said.split():
        yield [[(known.things.called(part) or (part,))[0] for part in parts]]
    yield list[Json](known.things.called(said))
    yield list[Json](known.seats.called(said))
    yield list[Json](known.things.in_part(said))
    yield list[Json](known.seats.in_part(said))


def _unknown(problem: Problem) -> bool:
    """Tell whether a problem says that nothing has a name, not that it does not fit now."""
    return any(words in problem.text for words in _NOTHING)


def _unread(order: Json, path: Path, known: Known) -> str:
    """Return the id of what is called so, if the rules did not read the name as that; or ""."""
    text = str(_reached(order, path)[1])
    called = known.things.called(text)
    if len(called) != 1 or called[0] == text or known.same(order, _with(order, path, called[0])):
        return ""
    return called[0] if not known.problems({"do": _with(order, path, called[0])}) else ""


def _texts(value: Json, path: Path) -> Iterator[Path]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, (*path, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _texts(inner, (*path, place))
    elif isinstance(value, str):
        yield path


def _reached(value: Json, path: Path) -> tuple[Path, Json]:
    """Return what stands at a path, or at the nearest place above it, with that place."""
    here, walked = value, list[str | int]()
    for name in path:
        if isinstance(here, dict) and name in here:
            here = here[str(name)]
        elif isinstance(here, list) and isinstance(name, int) and name < len(here):
            here = here[name]
        else:
            break
        walked.append(name)
    return tuple(walked), here


def _with(value: Json, path: Path, new: Json) -> Json:
    """Return a value with something else at a path."""
    if not path:
        return new
    if isinstance(value, dict):
        return {name: _with(one, path[1:], new) if name == path[0] else one for name, one in value.items()}
    if isinstance(value, list):
        return [_with(one, path[1:], new) if n == path[0] else one for n, one in enumerate(value)]
    return value
