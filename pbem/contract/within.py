"""What the public sees of the parts of a step: the same in any world that it cannot tell from this one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.contract.subject import Checked, Played, Subject, differing_fields, told_text
from pbem.core.dice import Dice
from pbem.core.events import ALL, Seat
from pbem.core.hooks import Stage


def compare_parts(
    subject: Subject, played: Played, other: Any, moves: Mapping[Seat, Any], result: Checked
) -> None:
    """Compare the parts of a step, as replays of running games show them, with those in another world.

    Args:
        subject: The rules.
        played: The step as it was played.
        other: The state before it in another world in which all that the public is told came out the same.
        moves: What was ordered there.
        result: Where breaches go.
    """
    here = _shown(subject, played.state, played.moves, played.dice)
    there = _shown(subject, other, moves, played.dice)
    if [one.name for one in here] != [one.name for one in there]:
        result.breach(
            "leak-within", "the parts of the step tell the spectator two worlds apart", played.where
        )
        return
    for one, another in zip(here, there, strict=True):
        _compare(subject, played, one, another.state, result)


def compare_redealt(subject: Subject, played: Played, dice: Dice, result: Checked) -> None:
    """Compare what the public sees of each part of a step with what it would see were it redealt."""
    for one in _shown(subject, played.state, played.moves, played.dice):
        _compare(subject, played, one, subject.rules.redeal(one.state, None, dice), result)


def _shown(subject: Subject, state: Any, moves: Mapping[Seat, Any], dice: Dice) -> list[Stage[Any]]:
    """Return the parts of a step of which something is told to all; its end is compared elsewhere."""
    stages = subject.stages(subject.rules, state, moves, dice)
    return [one for one in stages[:-1] if any(event.to == ALL for event in one.events)]


def _compare(subject: Subject, played: Played, one: Stage[Any], other: Any, result: Checked) -> None:
    result.views += 1
    view, another = subject.rules.view(one.state, None), subject.rules.view(other, None)
    if told_text(view) != told_text(another):
        told = "the spectator's view within the step tells two worlds apart"
        result.breach(
            "leak-within", f"{told}{differing_fields(view, another)}", f"{played.where}, {one.name}"
        )
