"""The contract: what every rule system must keep, checked by playing; also for rules of your own.

result = check(subject)
assert not result.breaches, result
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.contract.planted import LeakyEvents, LeakyViews, find_leak
from pbem.contract.playing import play
from pbem.contract.shown import check_book, report_next
from pbem.contract.subject import Checked, Subject
from pbem.contract.worlds import FieldWatch
from pbem.core.interface import Json

__all__ = ["Checked", "Subject", "check"]


def check(subject: Subject, *, games: int = 10, worlds: int = 4, seed: str = "contract") -> Checked:
    """Play games and compare every seat's knowledge between worlds it must not tell apart.

    Args:
        subject: The rules with what is needed to play and report them.
        games: How many games; greedy bots play every second one.
        worlds: Other worlds compared at each step, for each seat and the spectator; 1 or 2 do for many seats.
        seed: Any text; the same text gives the same games.

    Returns:
        What was checked and every breach; none means that the rules keep the contract.
    """
    result, fields = Checked(), FieldWatch(subject)
    for number in range(games):
        skill = "greedy" if number % 2 else "random"
        for _ in play(subject, f"{seed}/{number}", skill, worlds, result, fields):
            pass
    fields.report(result)
    report_next(result)
    _check_kinds(subject, result)
    _check_schema(subject, result)
    check_book(subject, result)
    if fields.hides_something:
        _check_planted_leaks(subject, seed, worlds, result)
    return result


def _check_kinds(subject: Subject, result: Checked) -> None:
    declared = {kind.__name__ for kind in subject.rules.event_kinds}
    for name in sorted(result.events.keys() - declared):
        result.breach("event-unlisted", f"the event {name} is not listed in event_kinds")


def _check_schema(subject: Subject, result: Checked) -> None:
    """Every field a player may write has a title and a description, for forms and editors."""
    for place, field in _described(dict(subject.moves.schema), "do"):
        for wanted in ("title", "description"):
            if not isinstance(field.get(wanted), str):
                result.breach("schema-incomplete", f"the schema of orders: {place} has no {wanted}")


def _described(schema: Json, place: str) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield every schema of a field, with the path players write; conditions between fields are none."""
    if not isinstance(schema, dict):
        return
    yield place, schema
    fields = schema.get("properties")
    for name, field in (fields if isinstance(fields, dict) else {}).items():
        yield from _described(field, f"{place}.{name}")
    items = schema.get("items")
    if isinstance(items, dict) and "properties" in items:
        yield from _described(items, f"{place}[]")


def _check_planted_leaks(subject: Subject, seed: str, worlds: int, result: Checked) -> None:
    """Plant a leak in the views, then one in the events: the comparison must find both."""
    for name, leaky in (
        ("view", LeakyViews(subject.rules)),
        ("event", LeakyEvents(subject.rules)),
    ):
        spoilt = replace(subject, rules=leaky, environment=None)
        if find_leak(spoilt, worlds=worlds, seed=seed):
            result.planted_found += 1
        else:
            result.breach(
                "leak-not-found",
                f"a leak planted in a {name} was not found: the comparison of worlds is blind",
            )
