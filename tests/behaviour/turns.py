"""Turns of each of the rules: a position, orders one after the other, and all that comes of each.

Usage: python -m tests.behaviour.turns

writes down anew what comes of each order of `turns.yaml`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import pytest

from pbem.core.dice import Dice
from pbem.core.events import Event, Seat
from pbem.core.interface import Ask, Json, Outcome
from pbem.text.codec import encode, encode_event
from tests.behaviour import corpus
from tests.behaviour.judged import RULES
from tests.rules.web_of_intrigue.table import Loaded
from tests.written import yaml_beside

FILE: Final = "turns.yaml"
DICE: Final = Dice(b"table", 0)
LONG: Final = 12
"""Of a list with more entries only their number is written, and the first and last one."""
REMEMBERED: Final = "memory"
"""A part of states that is left out: of what lay where it was seen, `told` has all that is new."""
NOBODY: Final = "nobody"
"""Who looks on, in `look`."""

Row: TypeAlias = Mapping[str, Any]


def named(rules: str) -> list[Any]:
    """Return the rows of some rules as parameters of a test."""
    return [pytest.param(row, id=row["turn"]) for row in yaml_beside(__file__, FILE) if row["rules"] == rules]


def played(row: Row) -> list[dict[str, Json]]:
    """Return the steps of a row, each with what comes of its order."""
    load, _, lay_out = RULES[row["rules"]]
    rules: Any = load()
    state = lay_out(**row["at"])
    steps = []
    for step in row["steps"]:
        asked = {name: step[name] for name in ("do", "falls", "look") if name in step}
        state, came = _resolved(rules, state, asked)
        steps.append({**asked, **came, **_looked(rules, state, step.get("look", []))})
    return steps


def _resolved(rules: Any, state: Any, step: Mapping[str, Any]) -> tuple[Any, dict[str, Json]]:
    """Return the position after a step, and what came of it.

    An order that is null is a skip; where several seats are asked, each has its own, or stays. Dice may fall
    as the step says.
    """
    ask, wrong, moves = rules.ask(state), list[Json](), dict[Seat, Any]()
    if isinstance(ask, Ask) and len(ask.seats) > 1:
        moves = {seat: rules.read(step["do"].get(seat, {"move": "stay"})) for seat in state.players}
    elif step["do"] is not None:
        seat = _orders(ask, state)
        moves[seat] = rules.read(step["do"])
        wrong = [".".join(map(str, one.path)) for one in rules.check(rules.view(state, seat), moves[seat])]
    told_of: dict[str, Json] = {"wrong": wrong} if wrong else {}
    try:
        done = rules.resolve(state, moves, Loaded(DICE.key, 0, step["falls"]) if "falls" in step else DICE)
    except ValueError:
        return state, {**told_of, "refused": True}
    after = dict(_changed(encode(state), encode(done.state)))
    told = [_told(event) for event in done.events]
    return done.state, {**told_of, "told": told, "after": after, "asks": _asks(rules.ask(done.state))}


def _orders(ask: Ask | Outcome, state: Any) -> Seat:
    """Return whose order it is: of the one seat that is asked, or of the seat on turn."""
    if isinstance(ask, Ask) and len(ask.seats) == 1:
        return next(iter(ask.seats))
    return Seat(state.to_move)


def _told(event: Event) -> Json:
    """Return an event, without what rules say in words."""
    return corpus.without_words(encode_event(event))


def _asks(ask: Ask | Outcome) -> Json:
    """Return who is asked next, or who has won with how many points."""
    if isinstance(ask, Outcome):
        scores: dict[str, Json] = {str(seat): points for seat, points in ask.scores.items()}
        return {"winners": list[Json](ask.winners), "by": ask.decided_by, "scores": scores}
    return {ask.label: list[Json](sorted(ask.seats))}


def _changed(before: Json, after: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Yield each part of a state that is another now, with its path; None for what is gone."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            if key != REMEMBERED:
                yield from _changed(before.get(key), after.get(key), f"{path}.{key}" if path else key)
    elif before != after:
        yield path, _short(after)


def _short(value: Json) -> Json:
    """Return a value, or of a long list how long it is, and where it begins and ends."""
    if isinstance(value, list) and len(value) > LONG:
        return f"{len(value)}, {value[0]} to {value[-1]}"
    return value


def _looked(rules: Any, state: Any, looks: list[str]) -> dict[str, Json]:
    """Return what seats see then, each at a path of its view such as "red players.yellow.known"."""
    seen: dict[str, Json] = {}
    for look in looks:
        reader, _, path = look.partition(" ")
        value = encode(rules.view(state, None if reader == NOBODY else Seat(reader)))
        for key in path.split("."):
            value = value[key]  # type: ignore[index, call-overload]
        seen[look] = _short(value)
    return {"seen": seen} if seen else {}


def main() -> int:
    """Write down anew what comes of each order."""
    found = [{**row, "steps": played(row)} for row in yaml_beside(__file__, FILE)]
    corpus.write(FILE, found, steps="steps", lists=frozenset({"told"}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
