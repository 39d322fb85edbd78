"""The terms of a run: who is excused, what was decided, why a game rests, and what runs a turn again."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.core.opening import Begun
from pbem.core.turn import Policy, Run, advance
from pbem.host.notices.news import acts_in_force
from pbem.host.notices.queue import render_paragraphs
from pbem.host.office.watch import Uptime, host_gate_reasons, reasons_of_silence, vital_signs
from pbem.host.run.losses import is_next_lost
from pbem.host.run.notes import Notes, notes_of, vote_outcome
from pbem.host.time.deadlines import deadline_in_force, deadline_of_new_turn, is_closed, last_run_moment
from pbem.play.config.gamefile import seat_with_player
from pbem.play.config.schedule import Span
from pbem.play.homes import saves
from pbem.play.homes.earlier import facts_of_act
from pbem.play.homes.players import acts_of
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import is_left_unanswered, read_lodged_orders
from pbem.play.submissions.reinstated import taken_back_since
from pbem.play.turn.running import RunTerms, silent_seats, waiting_clause
from pbem.store.records import Act

Moment = datetime.datetime

_OF_TIME: Final = ("extend", "pause", "resume")


def terms_of_run(
    saved: SavedGame,
    now: Moment,
    *,
    due: bool,
    deal: bool,
    attended: bool,
    named: bool,
    uptime: Uptime | None,
) -> RunTerms:
    """Return the terms of a run: what is known before it begins of whether its turn may be made and kept.

    Args:
        saved: The game, locked.
        now: The moment of the run.
        due: Answer for silent seats if the deadline has passed, with its grace.
        deal: Deal without the start forms that have not come.
        attended: The moderator gave the command: a turn that all have answered is run early, too.
        named: The moderator named the game: a turn is run again that was taken back.
        uptime: The machine's other clock, if `now` was read from the first.
    """
    notes = notes_of(saved.home, saved.name)
    policy = policy_of_run(saved, notes, now, due=due, deal=deal)
    may_wait = not (attended or policy.due or policy.ended)
    return RunTerms(
        policy=policy,
        over=why_not_runnable(saved, notes),
        rests=_why_left_alone(saved, notes, now, attended=attended, named=named),
        early=_why_too_early(saved, notes, now) if may_wait else "",
        deadline=lambda: _new_deadline(saved, notes, now),
        reasons=lambda silent: host_gate_reasons(
            saved, notes, vital_signs(saved, now, uptime), now, due=due, silent=silent
        ),
    )


def policy_of_run(saved: SavedGame, notes: Notes, now: Moment, *, due: bool, deal: bool) -> Policy:
    """Return how a run answers asks without a fitting line, and what was decided since the last one.

    Args:
        saved: The game.
        notes: What is noted of it.
        now: The moment of the run.
        due: Answer for silent seats if the deadline has passed, with its grace.
        deal: Deal without the start forms that have not come.
    """
    table, acts = saved.table, acts_to_tell(saved, notes, now)
    deal = deal and not saved.is_dealt
    is_due = due and is_closed(saved, notes, now) and not deal
    deadline = deadline_in_force(saved, notes) if is_due else None
    away = (seat for seat in saved.start.seats if deadline is not None and notes.is_away(seat, deadline))
    return Policy(
        due=is_due or deal,
        silent=dict.fromkeys(saved.start.seats, "hold") if deal else dict(table.silent),
        bots=table.bots,
        forced=saved.start.forced,
        most_steps=saved.start.most_steps,
        misses=table.misses,
        excused=frozenset(away),
        arrived=saved.arrived,
        held=frozenset(notes.held),
        acts=tuple(one.words for one in acts),
        act_facts=tuple(one.facts for one in acts),
        ended=vote_outcome(saved, notes),
    )


class ReportedAct(NamedTuple):
    """An act that a report tells: in words, and what the record of its turn holds of it."""

    words: str
    facts: dict[str, str | int]


def acts_to_tell(saved: SavedGame, notes: Notes, now: Moment) -> tuple[ReportedAct, ...]:
    """Return the acts since the last turn that still hold, as its successor tells them to all.

    The moment of a turn is kept to the second only, so what it has told already is looked up there. Turns
    that were taken back are told by themselves where no note tells of them.
    """
    last = last_run_moment(saved)
    before: list[Mapping[str, Json]] = [*acts_of(saved.record)]
    void = _overtaken_deadline_acts(saved, notes, now)
    acts = [act for act in notes.acts if last <= Moment.fromisoformat(act.at) <= now and act not in void]
    undone = Counter(taken_back_since(saved))
    if not acts and not undone:
        return ()
    found = []
    for act, words in acts_in_force(saved, notes, acts):
        told, at = _act_record(act), Moment.fromisoformat(act.at)
        if at < last + Span(seconds=1) and told in before:
            before.remove(told)
        else:
            found.append(ReportedAct(words, told))
    undone.subtract(int(one.facts["turn"]) for one in found if one.facts["kind"] == "turn-undone")
    unnoted: list[dict[str, str | int]] = [{"turn": turn} for turn in undone.elements()]
    kind = "turn-undone"
    return (
        *(
            ReportedAct(render_paragraphs(saved.home, f"acts/{kind}", one), {"kind": kind, **one})
            for one in unnoted
        ),
        *found,
    )


_NAMELESS: Final[Mapping[str, tuple[str, ...]]] = {
    "turn-undone": ("turn",),
    "turn-remade": ("turn",),
    "orders-lodged-for": ("seat", "receipt"),
}
"""Facts of acts that something depends on later."""


def _act_record(act: Act) -> dict[str, str | int]:
    """Return what the record of a turn holds of an act that it tells: what tells it from others, no name."""
    facts = facts_of_act(act)
    kind = str(facts["kind"])
    if (named := _NAMELESS.get(kind)) is None:
        return {"kind": kind, "at": act.at}
    return {"kind": kind, **{name: _int_or_text(facts[name]) for name in named}}


def _int_or_text(value: Json) -> str | int:
    return value if isinstance(value, int) else str(value)


def _overtaken_deadline_acts(saved: SavedGame, notes: Notes, now: Moment) -> tuple[Act, ...]:
    """Return acts on the deadlines of turns that were taken back since: what they say is true no more.

    While the game rests, or will, they say why.
    """
    back = [number for number, act in enumerate(notes.acts) if act.act == "undo"]
    if not back or notes.pause_at(now) is not None:
        return ()
    records = (saves.record_of_undone(one.place) for one in saved.undone if one.turn == saved.turn + 1)
    made = [str(one["at"]) for one in records if one.get("previous") == saved.record["root"]]
    if not made:
        return ()
    first = min(map(Moment.fromisoformat, made))
    before = (act for act in notes.acts[: back[-1]] if act.act in _OF_TIME)
    return tuple(act for act in before if Moment.fromisoformat(act.at) > first)


def why_not_runnable(saved: SavedGame, notes: Notes) -> str:
    """Say why no turn of a game is run any more, whoever asks for it; "" if it is not so."""
    if notes.cancelled is None:
        return ""
    return f"{notes.cancelled.told()}; bring it back: pbem cancel {saved.name} --undo"


def waits_until(saved: SavedGame, notes: Notes, now: Moment) -> str:
    """Return until when a game waits in which nothing can be done now, in a clause; "" if nothing says that.

    Args:
        saved: The game.
        notes: What is noted of it.
        now: The moment.
    """
    if isinstance(saved.ask, Outcome) or notes.cancelled is not None:
        return ""
    if (pause := notes.rest_at(now)) is not None:
        return f"{pause.told(saved.table, now)}; let it go on: pbem resume {saved.name}"
    deadline = deadline_in_force(saved, notes)
    if deadline is None:
        return ""
    due = saved.table.spelled(deadline)
    if not is_closed(saved, notes, now):
        return f"due {due}"
    return f"was due {due}; this answers for the silent: pbem run {saved.name} --due"


def _new_deadline(saved: SavedGame, notes: Notes, now: Moment) -> tuple[Moment | None, str]:
    """Return the deadline of the next turn; where it gets none and this one had one, a clause says so."""
    found = deadline_of_new_turn(saved, notes, now)
    if found is not None or deadline_in_force(saved, notes) is None:
        return found, ""
    way = f"pbem extend {saved.name} --to WHEN, or `schedule` in game.yaml"
    return None, f"no deadline follows; set one: {way}"


def _why_left_alone(saved: SavedGame, notes: Notes, now: Moment, *, attended: bool, named: bool) -> str:
    """Say why a game is left alone now, though the gate may let it pass; "" if it is not."""
    if not attended:
        return why_night_job_skips(saved, notes, now)
    return "" if named else _why_not_again(saved, notes, now)


def why_night_job_skips(saved: SavedGame, notes: Notes, now: Moment) -> str:
    """Say why a night job leaves a game alone that a moderator may run by name; "" if it does not."""
    if (pause := notes.rest_at(now)) is not None:
        return pause.told(saved.table, now)
    if told := _why_not_again(saved, notes, now):
        return told
    if saved.table.free and saved.position.game is None:
        return f"nobody has taken {', '.join(saved.table.free)}"
    return ""


def _why_not_again(saved: SavedGame, notes: Notes, now: Moment) -> str:
    """Say that the next turn was taken back, and what runs it; "" if it was not, or is lost."""
    if saved.turn + 1 not in saved.again:
        return ""
    return "" if is_next_lost(saved) else why_taken_back(saved, notes, now)


def why_taken_back(saved: SavedGame, notes: Notes, now: Moment) -> str:
    """Say that the next turn was taken back, and what runs it."""
    taken_back, way = f"turn {saved.turn + 1} was taken back", rerun_trigger(saved, notes, now)
    return f"{taken_back}; only a run by name makes it again, this runs it{way.once}: {way.command}"


def rerun_trigger(saved: SavedGame, notes: Notes, now: Moment) -> RerunTrigger:
    """Return what runs a turn again that was taken back."""
    return trigger_for_policy(saved, notes, policy_of_run(saved, notes, now, due=True, deal=False), now)


def _why_too_early(saved: SavedGame, notes: Notes, now: Moment) -> str:
    """Say why a turn that all have answered waits; "" if it may run."""
    early, deadline = saved.table.schedule.early, deadline_in_force(saved, notes)
    if not saved.is_dealt or deadline is None or deadline <= now:
        return ""
    if early is None:
        return f"all orders are in; it runs at the deadline, {saved.table.spelled(deadline)}"
    if now < (earliest := last_run_moment(saved) + early):
        return f"all orders are in; it runs not before {saved.table.spelled(earliest)}"
    return ""


class RerunTrigger(NamedTuple):
    """What runs a turn that was taken back.

    Attributes:
        command: The command.
        once: What must be so before it does anything, with a space in front; "" if nothing must.
        silent: The seats that it answers for at once, because their deadline has passed.
    """

    command: str
    once: str = ""
    silent: tuple[Seat, ...] = ()


def trigger_for_policy(saved: SavedGame, notes: Notes, policy: Policy, now: Moment) -> RerunTrigger:
    """Return the command that runs a turn again, as the game stands.

    A run by name waits for silent seats, also for those that the turn had been answered for; `--due` does
    not, once their deadline has passed, and the reasons of the gate against that must be overridden.

    Args:
        saved: The game, whose next turn was taken back.
        notes: What is noted of it.
        policy: How a run answers now.
        now: The moment.
    """
    plain = f"pbem run {saved.name}"
    if not saved.turn:
        return RerunTrigger(f"{plain} --deal")
    orders = read_lodged_orders(saved, held=notes.held).orders
    seats, seed = saved.start.seats, saved.secret.seed

    def played(*, due: bool) -> Run[Begun[Any]]:
        return advance(saved.watched, seats, saved.position, orders, seed, policy._replace(due=due))

    asks = played(due=False)
    if asks.steps or not asks.waiting:
        return RerunTrigger(plain)
    once = f" once {_owed_text(saved, notes, asks.waiting)}"
    deadline = deadline_in_force(saved, notes)
    if deadline is None or not (answers := played(due=True)).steps:
        return RerunTrigger(plain, once)
    if not is_closed(saved, notes, now):
        return RerunTrigger(
            f"{plain} --due", f"{once}, or their time is over ({saved.table.spelled(deadline)})"
        )
    signs, silent = vital_signs(saved, now, None), silent_seats(answers, declined=True)
    names = dict.fromkeys(one.name for one in reasons_of_silence(saved, notes, signs, silent))
    return RerunTrigger(" ".join([plain, "--due", *(f"--override {name}" for name in names)]), silent=silent)


def _owed_text(saved: SavedGame, notes: Notes, waiting: Collection[Seat]) -> str:
    """Return what is missing of the seats that a run waits for: orders, or that they count."""
    missing = [seat for seat in saved.start.seats if seat in waiting and seat not in notes.held]
    held = [seat for seat in saved.start.seats if seat in waiting and seat in notes.held]

    def named(seats: list[Seat]) -> str:
        return ", ".join(seat_with_player(seat, saved.players.holder(seat)) for seat in seats)

    both = [f"orders of {named(missing)} are in"] * bool(missing)
    return " and ".join([*both, *[f"orders of {named(held)} are held back no longer"] * bool(held)])


def why_turn_waits(
    saved: SavedGame, notes: Notes, now: datetime.datetime, owing: tuple[Seat, ...]
) -> tuple[str, ...]:
    """Return why a turn is not made whose deadline has passed: a seat is waited for, or the gate.

    Args:
        saved: The game.
        notes: What is noted of it.
        now: The moment.
        owing: The seats that have nothing to answer the present ask with.
    """
    if not owing or notes.rest_at(now) is not None or not is_closed(saved, notes, now):
        return ()
    left = [seat for seat in owing if is_left_unanswered(saved, saved.position, seat)]
    if why := waiting_clause(saved.table.silent, left):
        return (why,)
    found = host_gate_reasons(saved, notes, vital_signs(saved, now, None), now, due=True, silent=owing)
    return tuple(str(one) for one in found if one.name in ("silent", "down", "clock"))
