"""The moments of a turn that a replay shows: after each of its steps, and what lies within a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pbem.core.engine.opening import Begun, Opened
from pbem.core.engine.position import Run, Shot, TakenStep
from pbem.core.events import Event, Recorded
from pbem.core.hooks import Stage
from pbem.core.interface import Ask, Outcome
from pbem.play.homes.saved import SavedGame

Game = Begun[Any]


class Moment(NamedTuple):
    """The game after something happened.

    Attributes:
        turn: The number of the turn.
        number: The place of its step among those of the turn, from 1.
        label: What was asked in its step; "" where nothing was.
        stage: Which part of the step it ends, as the rules call it; "" where the step has none.
        begins: It is the first of its step, before which the orders were taken.
        ends: It is the last of its step.
        game: The game then.
        ask: Whom it waits for then, or how it ended.
        events: What happened since the moment before.
    """

    turn: int
    number: int
    label: str
    stage: str
    begins: bool
    ends: bool
    game: Game
    ask: Ask | Outcome
    events: tuple[Recorded, ...]

    @property
    def address(self) -> str:
        """What stands behind the # of its address, as long as its turn stands."""
        return address(self.turn, self.number, self.stage)


def address(turn: int, number: int, stage: str) -> str:
    """Return the address of a moment, which is the same while the game runs and when it is over.

    Args:
        turn: The number of the turn.
        number: The place of its step among those of the turn, from 1.
        stage: Which part of the step it ends, or "".
    """
    return f"t{turn}-{number}-{stage}" if stage else f"t{turn}-{number}"


def moments_of(before: SavedGame, number: int, run: Run[Game]) -> tuple[Moment, ...]:
    """Return the moments of a turn that is played, or was played again.

    Args:
        before: The game before the turn.
        number: The number of the turn.
        run: What it came to.

    Returns:
        The last of them is the end of the turn; none if the rules cannot tell the stages of a step.
    """
    try:
        shots = enumerate(zip(run.steps, run.shots, strict=True), 1)
        parts = [part for n, (taken, shot) in shots for part in _parts(before, n, taken, shot)]
        asks = [*(before.opening.ask(part.game) for part in parts[:-1]), run.ask]
    except Exception:  # a plug-in's own; the replay shows the turn as it was told
        return ()
    parts = parts or [_Part(1, "", "", True, True, run.position.game, ())]
    told = _shared_out(parts, run.events)
    return tuple(
        Moment(number, one.step, one.label, one.stage, one.begins, one.ends, one.game, ask, tuple(events))
        for one, ask, events in zip(parts, asks, told, strict=True)
    )


class _Part(NamedTuple):
    """A stage of a step, or a step without any: the game after it, and the rules' events in it."""

    step: int
    label: str
    stage: str
    begins: bool
    ends: bool
    game: Game
    events: tuple[Event, ...]


def _parts(saved: SavedGame, step: int, taken: TakenStep, shot: Shot[Game]) -> Iterator[_Part]:
    stages = _stages(saved, shot)
    if not isinstance(shot.game, Opened) or not stages:
        yield _Part(step, taken.label, "", True, True, shot.step.state, shot.step.events)
        return
    last = len(stages) - 1
    for n, stage in enumerate(stages):
        game = Opened(shot.game.luck, stage.state)
        yield _Part(step, taken.label, stage.name, n == 0, n == last, game, stage.events)


def _stages(saved: SavedGame, shot: Shot[Game]) -> Sequence[Stage[Any]]:
    system = saved.system.system
    assert system is not None, "find returns no broken rules"
    if not isinstance(shot.game, Opened):
        return ()
    moves, dice = saved.opening.typed(shot.moves), shot.dice.with_luck(shot.game.luck)
    return system.stages(saved.rules, shot.game.state, moves, dice)


def _shared_out(parts: Sequence[_Part], events: Sequence[Recorded]) -> list[list[Recorded]]:
    """Return the events of a turn moment by moment: the rules' own in their stage, others with their step.

    What belongs to no step stands with the first moment if it came before all steps, and else with the last.
    """
    told: list[list[Recorded]] = [[] for _ in parts]
    begun = {part.label: n for n, part in reversed(list(enumerate(parts)))}
    due = {label: _Due([part for part in parts if part.label == label]) for label in begun}
    is_before = True
    for entry in events:
        if entry.at in begun:
            is_before = False
            told[begun[entry.at] + due[entry.at].stage_of(entry.event)].append(entry)
        else:
            told[0 if is_before else -1].append(entry)
    return told


class _Due:
    """The events of a step that are still to come, stage by stage, as a turn records them in a row."""

    def __init__(self, parts: Sequence[_Part]) -> None:
        self.waiting = [list(part.events) for part in parts]
        self.place = 0

    def stage_of(self, event: Event) -> int:
        """Return the stage that an event belongs to; what the engine tells stands with what was before."""
        place = next((n for n, events in enumerate(self.waiting) if events), len(self.waiting) - 1)
        if self.waiting[place][:1] == [event]:
            del self.waiting[place][0]
            self.place = place
        elif not any(self.waiting):
            self.place = len(self.waiting) - 1
        return self.place
