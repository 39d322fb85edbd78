"""Deadlines are moved: by the moderator, by a vote, or because a player is away."""

from __future__ import annotations

import datetime

from pbem.core.events import Seat
from pbem.host.notices.telling import act_of
from pbem.host.run.acting import acting
from pbem.host.run.notes import AWAY, Notes, note, notes_of
from pbem.host.time.deadlines import (
    clear_of_pause,
    deadline_in_force,
    not_waited_for,
    owing_seats,
    table_in_force,
    told_alike,
    waited_for,
)
from pbem.host.time.newdeadline import chosen_deadline, moved_deadline
from pbem.host.time.whens import When
from pbem.play.config.nextdeadline import Absence, next_deadline
from pbem.play.config.schedule import DAY, Span
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.silence import is_left, when_silent
from pbem.store.errors import Declined, WrongInput
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import HOST, MODERATOR, Row, iso
from pbem.text.names.seatnames import near_seat

Moment = datetime.datetime

LONGEST_ABSENCE = Span(days=60)

_AWAY_WHY = "a player is away"


def extend(home: Home, game: str, now: Moment, *, by: Span | None = None, to: Moment | None = None) -> Moment:
    """Move the deadline of the present ask; return the new one.

    Args:
        home: The home.
        game: The id of the game.
        now: The moment.
        by: So much later, from now on if the deadline has passed; a day if nothing is said.
        to: To this moment instead, which may be earlier than before.

    Raises:
        WrongInput: The game has no deadline to extend, or the new one has passed or is in a pause.
    """
    with acting(home, game) as act:
        saved, before = act.saved, deadline_in_force(act.saved, act.notes)
        moved = chosen_deadline(saved, act.notes, now, by, to)
        if moved != before:  # else it was said already
            home.store.note(moved_deadline(saved, act.notes, moved, now, MODERATOR, ""))
    return moved


def time_away(first: When | None, last: When, now: Moment) -> Absence:
    """Return an absence in whole days, or from and to an hour; without a first day it begins now."""
    return Absence(first.begin if first is not None else now, last.end)


def announce_absence(
    home: Home, game: str, seat: Seat, absence: Absence, now: Moment, who: str = MODERATOR
) -> str:
    """Note that a player will be away; return what that means, in words for them.

    Raises:
        Declined: It is over already, ends before it begins, or is too long.
    """
    if not now < absence.end or not absence.start < absence.end:
        raise Declined("an absence ends after it begins, and not in the past.")
    if absence.end - absence.start > LONGEST_ABSENCE:
        text = f"an absence lasts at most {LONGEST_ABSENCE.days} days."
        hint = f"Find somebody who takes the seat over: pbem replace {game} {seat}"
        asked = "For longer, ask the moderator for somebody who takes the seat over."
        raise Declined(text, hint, to_player=asked)
    with acting(home, game) as act:
        saved, notes = act.saved, act.notes
        refuse_strange_seat(saved, seat)
        known = [one for one in notes.away.get(seat, ()) if one.end > now and one != absence]
        kept = sorted([*known, absence], key=lambda one: one.start)[-10:]
        away = note(game, f"{AWAY}{seat}", [[iso(one.start), iso(one.end)] for one in kept])
        told = f"{seat} is away {absence.told_to_host(saved.table, seat)}"
        facts = facts_of("absence-noted", seat=seat, start=absence.start, end=absence.end)
        done = act_of(now, game, "away", told, public=False, who=who, facts=facts)
        means, rows = _effect(saved, notes, seat, absence, now, who)
        home.store.note((away, done, *rows))
        return means


def _effect(
    saved: SavedGame, notes: Notes, seat: Seat, absence: Absence, now: Moment, who: str
) -> tuple[str, tuple[Row, ...]]:
    """Return what an absence means, in words for who announced it, and what is noted for it."""
    deadline = deadline_in_force(saved, notes)
    is_hit = deadline is not None and absence.covers(deadline) and seat in owing_seats(saved, notes)
    if saved.table.absent != "wait":
        hit = f" {_goes_on(saved, seat, deadline, who)}" if is_hit and deadline is not None else ""
        return f"Turns that are missed meanwhile do not count, and nobody is reminded.{hit}", ()
    if not is_hit or deadline is None:
        return "Deadlines of turns to come are not set into that time.", ()
    moved = _deadline_after(saved, notes, absence, deadline, now)
    rows = moved_deadline(saved, notes, moved, now, HOST, _AWAY_WHY)
    return f"The deadline waits: it is now {saved.table.spelled(moved, seat)}.", rows


def _goes_on(saved: SavedGame, seat: Seat, deadline: Moment, who: str) -> str:
    """Say what a deadline that does not wait for a seat does to it; to a moderator also how it would wait."""
    table, game = saved.table, saved.name
    if who != MODERATOR:
        told = f"The deadline {table.spelled(deadline, seat)} falls into it: without orders of yours"
        return f"{told} {when_silent(saved, saved.position, seat)}."
    told = f"The deadline {table.spelled(deadline)} falls into it: without orders"
    if is_left(saved, saved.position, seat):
        return f"{told} the game waits for {seat}."
    return (
        f"{told} `silent: {table.silent[seat]}` answers for {seat}. To let it wait, write `absent: wait` "
        f"into its game.yaml, or: pbem extend {game} --to MOMENT"
    )


def deadline_that_waits(saved: SavedGame, now: Moment) -> tuple[Row, ...]:
    """Return what is noted where `absent: wait` was written after an absence was announced; else nothing."""
    notes = notes_of(saved.home, saved.name)
    absence, deadline = not_waited_for(saved, notes), deadline_in_force(saved, notes)
    if absence is None or deadline is None or notes.rest_at(now) is not None:
        return ()
    moved = _deadline_after(saved, notes, absence, deadline, now)
    return moved_deadline(saved, notes, moved, now, HOST, _AWAY_WHY)


def _deadline_after(
    saved: SavedGame, notes: Notes, absence: Absence, deadline: Moment, now: Moment
) -> Moment:
    """Return when orders are due in place of a deadline that waits for an absence."""
    table, back = table_in_force(saved, notes), max(absence.end, now)
    moved = next_deadline(table, back, away=waited_for(table, notes))
    if not table.schedule.days or moved is None:
        moved = back + DAY
    return told_alike(clear_of_pause(table, notes, now, moved), deadline)


def cancel_absences(home: Home, game: str, seat: Seat, now: Moment, who: str = MODERATOR) -> str:
    """Forget the absences of a seat; return what that means, in words for its player.

    A deadline that was moved for them stays. Given again it changes nothing more, and means the same.
    """
    with acting(home, game) as act:
        refuse_strange_seat(act.saved, seat)
        facts = facts_of("absence-ended", seat=seat)
        done = act_of(now, game, "away", f"{seat} is back", public=False, who=who, facts=facts)
        home.store.note((note(game, f"{AWAY}{seat}", None), done))
        stays = " A deadline that was moved for it stays." if act.saved.table.absent == "wait" else ""
        return f"Turns that are missed count again, and reminders come again.{stays}"


def refuse_strange_seat(saved: SavedGame, seat: Seat) -> None:
    """Refuse a seat that there is not.

    Raises:
        WrongInput: It is so.
    """
    if seat not in saved.start.seats:
        hint = near_seat(seat, saved.start.seats, saved.players.holders())
        raise WrongInput(f"there is no seat {seat!r} in {saved.name}.", hint)
