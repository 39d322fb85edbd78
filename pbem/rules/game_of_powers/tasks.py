"""Tasks: what played cards entitle to (rulebook, "Possibilities", TASKS)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.core.interface import Problem
from pbem.core.remedies import Advice
from pbem.rules.game_of_powers.facts import Facts, Prerequisite
from pbem.rules.game_of_powers.state import Card, Task
from pbem.rules.game_of_powers.view import View
from pbem.rules.kit.words import count, leave_out


def missing(facts: Facts, task: Prerequisite, played: Iterable[Card]) -> int:
    """Return how many more cards must be played for a task; 0 is fulfilled.

    Source: rulebook, "Possibilities", TASKS, 1 and 2.
    """
    return lacking(task, facts.count_by(played, task.by))


def lacking(task: Prerequisite, counts: Mapping[str, int]) -> int:
    """Return how many more cards must be played for a task, by the played cards of each site or category."""
    groups = [counts[task.of]] if task.of else sorted(counts.values(), reverse=True)
    return sum(max(0, task.each - count) for count in groups[: task.groups])


def claimable(facts: Facts, view: View, played: Sequence[Card]) -> tuple[Task, ...]:
    """Return the tasks that a seat that has played these cards can collect a token of.

    Source: rulebook, "Possibilities", TASKS; NOTE 4: no two tokens with the same prerequisite.
    """
    return tuple(
        task
        for task, values in view.tasks.items()
        if values and task not in view.own.tasks and not missing(facts, facts.tasks[task], played)
    )


def claim_token(
    facts: Facts, view: View, played: Sequence[Card], wanted: Sequence[Task]
) -> tuple[Task | None, tuple[Problem, ...]]:
    """Return the first of some tasks that a token can be collected of, or why there is none.

    The problems are bearable: an order that was written before is played without the claim.

    Source: rulebook, "Possibilities", TASKS, NOTE 3: one token a turn, and only as it was ordered (ruling).
    """
    can = claimable(facts, view, played)
    for task in wanted:
        if task in can:
            return task, ()
    problems = tuple(
        Problem(
            ("claim", place) if len(wanted) > 1 else ("claim",),
            why_not(facts, view, played, task),
            *(Advice(f"You can claim {' or '.join(can)}.") if can else leave_out("claim")),
            bearable=True,
        )
        for place, task in enumerate(wanted)
    )
    return None, problems


def why_not(facts: Facts, view: View, played: Sequence[Card] | None, task: Task) -> str:
    """Say why a seat that has played these cards, or unknown ones (None), cannot claim a task; else ""."""
    name = facts.tasks[task].name
    if not view.tasks:
        return "this game is played without tasks"
    if task in view.own.tasks:
        return f"you have collected a token for {name} already"
    if not view.tasks.get(task):
        return f"no token for {name} is left"
    if played is None or not (short := missing(facts, facts.tasks[task], played)):
        return ""
    return f"for {name} you must have played {count(short, 'more card')} by the end of your action"
