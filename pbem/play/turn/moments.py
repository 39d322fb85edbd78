"""The moments of a turn: after each step and within it, as a replay shows them and as the public saw them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from pbem.core.events import ALL, Event, Recorded
from pbem.core.interface import Ask, Json, Outcome, Stage
from pbem.core.opening import Begun, DealtGame
from pbem.core.turn import ResolvedStep, Run, TakenStep
from pbem.play.homes.saved import SavedGame
from pbem.play.homes.saves import STEPS_IN_TURN, sha256
from pbem.store.errors import WrongInput
from pbem.store.interface import Place
from pbem.text.codec import apply_changes, diff_values, dumps_line, encode

Game = Begun[Any]


class ReplayMoment(NamedTuple):
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


def moments_of(before: SavedGame, number: int, run: Run[Game]) -> tuple[ReplayMoment, ...]:
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
        parts = [part for n, (taken, shot) in shots for part in _step_parts(before, n, taken, shot)]
        asks = [*(before.opening.ask(part.game) for part in parts[:-1]), run.ask]
    except Exception:  # a plug-in's own; the replay shows the turn as it was told
        return ()
    parts = parts or [_Part(1, "", "", True, True, run.position.game, ())]
    told = _share_events(parts, run.events)
    return tuple(
        ReplayMoment(
            number, one.step, one.label, one.stage, one.begins, one.ends, one.game, ask, tuple(events)
        )
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


def _step_parts(saved: SavedGame, step: int, taken: TakenStep, shot: ResolvedStep[Game]) -> Iterator[_Part]:
    stages = _stages(saved, shot)
    if not isinstance(shot.game, DealtGame) or not stages:
        yield _Part(step, taken.label, "", True, True, shot.step.state, shot.step.events)
        return
    last = len(stages) - 1
    for n, stage in enumerate(stages):
        game = DealtGame(shot.game.luck, stage.state)
        yield _Part(step, taken.label, stage.name, n == 0, n == last, game, stage.events)


def _stages(saved: SavedGame, shot: ResolvedStep[Game]) -> Sequence[Stage[Any]]:
    system = saved.system.system
    assert system is not None, "find returns no broken rules"
    if not isinstance(shot.game, DealtGame):
        return ()
    moves, dice = saved.opening.moves_for_rules(shot.moves), shot.dice.with_luck(shot.game.luck)
    return system.stages(saved.rules, shot.game.state, moves, dice)


def _share_events(parts: Sequence[_Part], events: Sequence[Recorded]) -> list[list[Recorded]]:
    """Return the events of a turn moment by moment: the rules' own in their stage, others with their step.

    What belongs to no step stands with the first moment if it came before all steps, and else with the last.
    """
    told: list[list[Recorded]] = [[] for _ in parts]
    begun = {part.label: n for n, part in reversed(list(enumerate(parts)))}
    due = {label: _DueEvents([part for part in parts if part.label == label]) for label in begun}
    is_before = True
    for entry in events:
        if entry.at in begun:
            is_before = False
            told[begun[entry.at] + due[entry.at].stage_of(entry.event)].append(entry)
        else:
            told[0 if is_before else -1].append(entry)
    return told


class _DueEvents:
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


class PublicMoment(NamedTuple):
    """A moment of a turn as the public saw it.

    Attributes:
        number: The place of its step among those of the turn, from 1.
        label: What was asked in its step; "" where nothing was.
        stage: Which part of the step it ends; "" where the step has none.
        view: The spectator's view then.
        ask: Whom the game waited for then, as facts of a report tell it.
        events: What was told to all since the moment before.
    """

    number: int
    label: str
    stage: str
    view: Json
    ask: Json
    events: tuple[Json, ...]


def public_moments(moments: Sequence[ReplayMoment]) -> tuple[ReplayMoment, ...]:
    """Return the moments of a turn in which something was told to all, and its end.

    Of a step, or a part of one, of which nothing is told not even this is told: that there was one.
    """
    return tuple(one for one in moments if one is moments[-1] or _public_event_count(one))


def _public_event_count(moment: ReplayMoment) -> int:
    """Return how many events of its step a moment tells to all."""
    return sum(entry.at == moment.label and entry.event.to == ALL for entry in moment.events)


def public_steps(before: SavedGame, number: int, run: Run[Game]) -> tuple[ReplayMoment, ...]:
    """Return the moments that the public sees of a turn, as `public_moments` does.

    Args:
        before: The game before the turn.
        number: The number of the turn.
        run: What it came to.

    Returns:
        Nothing of a turn that ends the game: all of it is shown then.
    """
    return () if isinstance(run.ask, Outcome) else public_moments(moments_of(before, number, run))


def steps_text(saved: SavedGame, shown: Sequence[ReplayMoment]) -> str:
    """Return the file of the steps that the public saw; "" if it saw the end of the turn alone.

    The view of each moment is kept as what makes it of the next one's; the last is in the report.

    Args:
        saved: The game before the turn.
        shown: The moments of the turn, from `public_moments`.
    """
    if len(shown) < 2:
        return ""
    last = saved.view(shown[-1].game, None)
    shape, later, ask = _view_fingerprint(last), encode(last), _ask(saved, shown[-1].ask)
    lines: list[str] = []
    for moment in reversed(shown):
        told: dict[str, Json] = {
            "number": moment.number,
            "label": moment.label,
            "events": _public_event_count(moment),
        }
        told |= {"stage": moment.stage} if moment.stage else {}
        if moment is not shown[-1]:
            view, asked = encode(saved.view(moment.game, None)), _ask(saved, moment.ask)
            told |= {} if asked == ask else {"ask": asked}
            told["view"] = diff_values(later, view)
            later, ask = view, asked
        lines.insert(0, json.dumps(told, ensure_ascii=False, separators=(",", ":")))
    return f'{{"shape":"{shape}","steps":[\n' + ",\n".join(lines) + "\n]}\n"


def _ask(saved: SavedGame, ask: Ask | Outcome) -> dict[str, Json]:
    if isinstance(ask, Outcome):  # within the last step of a game
        return {"kind": "over", "label": "", "seats": []}
    seats: list[Json] = [one for one in saved.start.seats if one in ask.seats]
    return {"kind": ask.kind, "label": ask.label, "seats": seats}


def _view_fingerprint(view: object) -> str:
    """Return what tells views of one version from those of another, which have other fields."""
    return sha256(dumps_line([*sorted(set(_names(view)))]).encode())[:16]


def _names(value: Any) -> Iterator[str]:
    if is_dataclass(value):
        names = [one.name for one in fields(value)]
        yield " ".join(names)
        for name in names:
            yield from _names(getattr(value, name))
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _names(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from _names(one)


def is_same_steps(kept: Place, hashed: Json, made: str) -> bool | None:
    """Tell whether the steps that a turn keeps are those that it has when it is played again.

    Args:
        kept: Where the turn keeps them.
        hashed: Their SHA-256 by its record.
        made: Those that it has when it is played again.

    Returns:
        None if a version kept them whose views have other fields.
    """
    if hashed == sha256(made.encode()):
        return True
    shapes = [_parsed(text).get("shape") for text in (made, kept.read_text() if kept.exists() else "")]
    return None if all(shapes) and shapes[0] != shapes[1] else False


def _parsed(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def read_public_moments(turn: Place, facts: Mapping[str, Json]) -> list[PublicMoment]:
    """Return the moments of a turn as the public saw them; nothing if the turn keeps none.

    Args:
        turn: Where the turn lies.
        facts: The facts of its spectator's report, as they may be published.

    Raises:
        WrongInput: What it keeps is damaged.
    """
    place = turn / STEPS_IN_TURN
    if not place.exists():
        return []
    try:
        return _public_moments(_parsed(place.read_text())["steps"], facts)
    except (OSError, LookupError, ValueError, TypeError, AttributeError) as wrong:
        text = f"{place} is damaged ({type(wrong).__name__})."
        raise WrongInput(text, "`pbem verify` tells more; restore the file from your backup.") from None


def _public_moments(steps: list[dict[str, Any]], facts: Mapping[str, Json]) -> list[PublicMoment]:
    events, found = _events_of_steps(steps, facts["events"]), list[PublicMoment]()
    view, ask = facts["view"], facts["ask"]
    for step, told in zip(reversed(steps), reversed(events), strict=True):
        if found:
            view = apply_changes(view, step["view"])
            ask = {**step["ask"], "mine": False, "next": "", "after": ""} if "ask" in step else ask
        found.insert(
            0, PublicMoment(step["number"], step["label"], step.get("stage", ""), view, ask, tuple(told))
        )
    return found


def _events_of_steps(steps: Sequence[Mapping[str, Any]], events: Json) -> list[list[Json]]:
    """Return the events of a report moment by moment; those of no step stand with the first or the last."""
    told: list[list[Json]] = [[] for _ in steps]
    waiting = [step["events"] for step in steps]
    is_before = True
    for event in events if isinstance(events, list) else ():
        at = event.get("at") if isinstance(event, dict) else ""
        own = [n for n, step in enumerate(steps) if step["label"] == at and waiting[n]]
        if own:
            is_before, waiting[own[0]] = False, waiting[own[0]] - 1
        told[own[0] if own else 0 if is_before else -1].append(event)
    return told
