"""Games are paused and go on: at once or planned ahead, by the moderator or by a vote."""

from __future__ import annotations

import datetime

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.queue import make_act, player_notices
from pbem.host.run.notes import PAUSED, Notes, Pause, hold_game, note
from pbem.host.time.deadlines import (
    awaited_absences,
    deadline_after_rest,
    deadline_in_force,
    is_single_deadline,
    last_run_moment,
    present_label,
    table_in_force,
)
from pbem.host.time.extensions import deadline_rows
from pbem.play.config.gamefile import next_deadline
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import RequestRefused, WrongInput
from pbem.store.records import MODERATOR, Row, facts_of, iso

Moment = datetime.datetime


def pause(
    home: Home,
    game: str,
    now: Moment,
    why: str = "by the moderator",
    *,
    start: Moment | None = None,
    end: Moment | None = None,
) -> Moment | None:
    """Let a game rest: nothing is run, and no deadline passes.

    Args:
        home: The home.
        game: The id of the game.
        now: The moment.
        why: What the players are told.
        start: When it begins; None for now.
        end: When it ends by itself; None until somebody lets it go on.

    Returns:
        The deadline of the present ask, if it is known when orders will be due and there is one.

    Raises:
        WrongInput: It rests already or is going to; or the pause ends before it begins, or begins in the
            past.
    """
    with hold_game(home, game) as act:
        saved, first = act.saved, start or now
        refuse_paused(saved, act.notes, now)
        if first < now:
            text = f"{game}: {saved.table.spelled(first)} has passed."
            raise RequestRefused(text, f"To pause it at once: pbem pause {game}")
        if end is not None and end <= first:
            text = f"{game}: a pause ends after it begins, and {saved.table.spelled(end)} is not after"
            raise RequestRefused(f"{text} {saved.table.spelled(first)}.", "Say another --to.")
        due, rows = plan_pause(saved, act.notes, now, MODERATOR, Pause(first, " ".join(why.split()), end))
        home.store.note(rows)
        return due


def refuse_paused(saved: SavedGame, notes: Notes, now: Moment) -> None:
    """Refuse a game that rests already, or is going to.

    Raises:
        RequestRefused: It is so.
    """
    if (known := notes.pause_at(now)) is not None:
        way = "Let it go on" if known.holds(now) else "Take that back"
        told = known.told(saved.table, now)
        raise RequestRefused(f"{saved.name} is {told}.", f"{way}: pbem resume {saved.name}")


def plan_pause(
    saved: SavedGame, notes: Notes, now: Moment, who: str, made: Pause
) -> tuple[Moment | None, tuple[Row, ...]]:
    """Return when orders are due with a new pause, if that is known, and what is noted and told of it."""
    deadline = deadline_in_force(saved, notes)
    moved = deadline if made.end is not None else None
    if made.end is not None and deadline is not None:
        moved = _move_deadline(saved, notes, made.start, made.end, deadline, now)
        if moved != deadline:
            made = made._replace(moved=(saved.turn, deadline, moved))
    is_before = deadline is not None and now < made.start and deadline <= made.start
    known = deadline if is_before else moved
    facts = facts_of(
        "game-paused",
        start=made.start,
        end=made.end,
        due=moved if made.moved else None,
        begun=made.start <= now,
        why=made.why,
    )

    def told_to(seat: Seat) -> dict[str, Json]:
        spelled, is_open = saved.table.spelled, made.end is None and made.holds(now)
        return {
            "holds": made.holds(now),
            "start": spelled(made.start, seat),
            "end": spelled(made.end, seat) if made.end is not None else "",
            "why": made.why,
            **_due_facts(saved, None if is_open else known, seat),
        }

    return moved, (
        note(saved.name, PAUSED, made.noted()),
        *deadline_rows(saved, notes, moved if made.moved else None),
        make_act(now, saved.name, "pause", public=True, who=who, facts=facts),
        *player_notices(saved, now, f"paused {iso(now)}", facts, told_to),
    )


def resume(home: Home, game: str, now: Moment, *, at: Moment | None = None) -> Moment | None:
    """Let a game go on, now or later; return its new deadline, if it has any.

    The players have as much time as they had, and no less than the schedule leaves for a turn.
    A pause that has not begun is taken back.

    Args:
        home: The home.
        game: The id of the game.
        now: The moment.
        at: When it goes on; None for now.

    Raises:
        WrongInput: It is not paused nor going to be, or the moment has passed or comes before the pause.
    """
    with hold_game(home, game) as act:
        saved, notes = act.saved, act.notes
        known = notes.pause_at(now)
        if known is None:
            raise WrongInput(f"{game} is not paused.")
        end = at or now
        if end < now or (at is not None and at <= known.start):
            why, way = "has passed", "Say another --at."
            if end >= now:
                why = f"is not after the pause begins, {saved.table.spelled(known.start)}"
                way = f"Say another --at, or take the pause back: pbem resume {game}"
            raise WrongInput(f"{game}: {saved.table.spelled(end)} {why}.", way)
        deadline = _deadline_without_pause(saved, notes, known)
        moved = deadline
        if deadline is not None and end > known.start:
            moved = _move_deadline(saved, notes, known.start, end, deadline, now)
        home.store.note(_resume_rows(saved, notes, now, known, at, deadline, moved))
    return moved


def _resume_rows(
    saved: SavedGame,
    notes: Notes,
    now: Moment,
    known: Pause,
    at: Moment | None,
    deadline: Moment | None,
    moved: Moment | None,
) -> tuple[Row, ...]:
    """Return what is noted and told of a game that goes on, or will."""
    spelled, left = saved.table.spelled, None
    if at is not None:
        change = (saved.turn, deadline, moved) if deadline and moved and deadline != moved else None
        left = known._replace(end=at, moved=change)
    is_off = at is None and not known.holds(now)
    facts = facts_of("game-resumed", start=at, due=moved, off=is_off)

    def told_to(seat: Seat) -> dict[str, Json]:
        when = spelled(at, seat) if at is not None else ""
        return {"at": when, "is_off": is_off, **_due_facts(saved, moved, seat)}

    return (
        note(saved.name, PAUSED, left.noted() if left is not None else None),
        *deadline_rows(saved, notes, moved),
        make_act(now, saved.name, "resume", public=True, facts=facts),
        *player_notices(saved, now, f"resumed {iso(now)}", facts, told_to),
    )


def _deadline_without_pause(saved: SavedGame, notes: Notes, known: Pause) -> Moment | None:
    """Return the deadline that would be in force if there were no pause; one that was moved since stays."""
    deadline, table = deadline_in_force(saved, notes), table_in_force(saved, notes)
    if known.moved is not None and deadline == known.moved[2]:
        turn, before, _ = known.moved
        if turn == saved.turn or is_single_deadline(saved, notes):
            return before
    is_set = saved.turn in notes.deadlines
    if known.end is None or is_set or deadline is None or deadline <= known.start:
        return deadline
    return next_deadline(
        table, last_run_moment(saved), away=awaited_absences(table, notes)
    )  # it was set round the pause


def _move_deadline(
    saved: SavedGame, notes: Notes, start: Moment, end: Moment, deadline: Moment, now: Moment
) -> Moment:
    """Return what a pause makes of a deadline; one that comes before a pause which is to begin stays."""
    if deadline <= start and start > now:
        return deadline
    return deadline_after_rest(table_in_force(saved, notes), notes, start, end, deadline)


def _due_facts(saved: SavedGame, due: Moment | None, seat: Seat) -> dict[str, Json]:
    """Return for what orders are due and when, in words for a seat; "" if that is not known."""
    return {"label": present_label(saved), "due": saved.table.spelled(due, seat) if due is not None else ""}
