"""When orders are due, who owes them, and what becomes of those that come after the deadline.

A deadline is moved in `host.time.extensions`.
"""

from __future__ import annotations

import datetime

from pbem.core.book import OPEN, find_owing_seats
from pbem.core.events import Seat
from pbem.core.interface import Ask, Outcome
from pbem.host.run.notes import TRIED, Notes, note, turn_and_moment
from pbem.play.config.gamefile import Absence, GameTable, next_deadline, promised, seat_with_player
from pbem.play.config.schedule import DAY, MINUTE, deadline_after, round_up_to_minute, zone_of
from pbem.play.homes import saves
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import LodgedOrders, read_lodged_orders
from pbem.play.turn.running import waiting_seats_note
from pbem.store.records import Note

Moment = datetime.datetime


def deadline_in_force(saved: SavedGame, notes: Notes) -> Moment | None:
    """Return when the orders for the present ask are due; None: they may take their time.

    A deadline counts once, for the ask that was open before it: one before the last turn is none.
    """
    last = last_run_moment(saved)
    if (moved := _moved_deadline_after(saved, notes, saved.turn, last)) is not None:
        return moved
    table = table_in_force(saved, notes)
    if table.deadline is not None and table.deadline > last:
        return move_past_pause(table, notes, last, table.deadline)
    if not table.schedule.days:
        return None
    return promised(saved.record) or deadline_after(table.schedule, last)


def _moved_deadline_after(saved: SavedGame, notes: Notes, turn: int, made: Moment) -> Moment | None:
    """Return what the deadline of a turn's ask was moved to, if that is after the turn is made."""
    moved = notes.deadlines.get(turn)
    if moved is None or moved <= made:
        return None
    return moved.astimezone(zone_of(zone)) if (zone := saved.table.deadline_zone) else moved


def match_zone(moved: Moment, before: Moment | None) -> Moment:
    """Return a new deadline in the zone of the one before it, so that both are told in one."""
    return moved if before is None else moved.astimezone(before.tzinfo)


def table_in_force(saved: SavedGame, notes: Notes) -> GameTable:
    """Return the moderator's file of a game, with its single deadline as it was moved since.

    A deadline that the moderator has written since takes the place of one that was moved.
    """
    written = saved.table.deadline
    moved = [
        moment
        for turn, (said, moment) in sorted(notes.singles.items())
        if turn <= saved.turn and said == written
    ]
    return saved.table._replace(deadline=moved[-1]) if moved else saved.table


def is_single_deadline(saved: SavedGame, notes: Notes) -> bool:
    """Tell whether the deadline of the present ask, moved or not, is none that the schedule sets."""
    table = table_in_force(saved, notes)
    return not table.schedule.days or (table.deadline is not None and table.deadline > last_run_moment(saved))


def closing_moment(saved: SavedGame, notes: Notes) -> Moment | None:
    """Return until when orders for the present ask count: the deadline and the grace after it."""
    deadline = deadline_in_force(saved, notes)
    return None if deadline is None else deadline + saved.table.schedule.grace


def is_closed(saved: SavedGame, notes: Notes, now: Moment) -> bool:
    """Tell whether the deadline of the present ask has passed, and the grace after it."""
    until = closing_moment(saved, notes)
    return until is not None and until <= now


def awaited_absences(table: GameTable, notes: Notes) -> list[Absence]:
    """Return the absences that deadlines wait for, if the game is such a one."""
    if table.absent != "wait":
        return []
    return [one for seat, found in notes.away.items() if seat not in table.bots for one in found]


def overlooked_absence(saved: SavedGame, notes: Notes) -> Absence | None:
    """Return an absence into which the present deadline falls though it should wait for it, if there is one.

    That is so, for example, where `absent: wait` was written into the game's file after a player who owes
    orders had announced to be away. A deadline that was moved for this ask stays where somebody has put it.
    """
    deadline = deadline_in_force(saved, notes)
    if deadline is None or saved.table.absent != "wait" or saved.turn in notes.deadlines or notes.cancelled:
        return None
    found = {
        seat: one
        for seat, away in notes.away.items()
        for one in sorted(away, key=lambda one: one.end)  # of several, the one that ends last
        if one.covers(deadline)
    }
    owing = owing_seats(saved, notes) if found else ()
    return max((found[seat] for seat in owing if seat in found), key=lambda one: one.end, default=None)


def deadline_of_new_turn(saved: SavedGame, notes: Notes, now: Moment) -> Moment | None:
    """Return the deadline that goes with a turn that is made now."""
    if (
        moved := _moved_deadline_after(saved, notes, saved.turn + 1, now)
    ) is not None:  # before it was taken back
        return moved
    undone = saved.again.get(saved.turn + 1)
    kept = promised(saves.record_of_undone(undone.place)) if undone else None
    table = table_in_force(saved, notes)
    found = next_deadline(table, now, away=awaited_absences(table, notes), kept=kept)
    pause = notes.pause_at(now)
    if found is None or pause is None or pause.end is None or found <= pause.start:
        return found
    if found == table.deadline and found >= pause.end:  # it was moved when the pause was made
        return found
    return _first_after_pause(table, notes, max(pause.start, now), pause.end, found)


def deadline_after_rest(
    table: GameTable, notes: Notes, start: Moment, end: Moment, deadline: Moment
) -> Moment:
    """Return what a pause, or an end that is taken back, makes of a deadline that the players know.

    They have as much time as they had when it began, with a schedule and without one, to the next full
    minute. Less than the schedule leaves for a turn becomes the time until its next deadline. A rest of
    less than a minute moves nothing.

    Args:
        table: The moderator's file of the game.
        notes: What is noted of it.
        start: When the rest begins.
        end: When it ends.
        deadline: When orders would be due without it; one that had passed before it gives way to the next.
    """
    if deadline <= start:
        return next_deadline(table, end) or match_zone(end + DAY, deadline)
    if end - start < MINUTE and deadline > end:  # nobody missed anything
        return deadline
    left = deadline.astimezone(datetime.UTC) - start.astimezone(datetime.UTC)
    moved = round_up_to_minute(end.astimezone(datetime.UTC) + left).astimezone(deadline.tzinfo)
    unwritten = table._replace(deadline=None)
    return next_deadline(unwritten, end, away=awaited_absences(table, notes), kept=moved) or moved


def _first_after_pause(
    table: GameTable, notes: Notes, start: Moment, end: Moment, deadline: Moment
) -> Moment:
    """Return a deadline that is about to be set, or if it is too near to the end of a pause, a later one."""
    if table.schedule.days and deadline > start:
        moved = next_deadline(table, end, away=awaited_absences(table, notes), kept=deadline)
        if moved is not None:
            return moved
    return deadline_after_rest(table, notes, start, end, deadline)


def move_past_pause(table: GameTable, notes: Notes, now: Moment, deadline: Moment) -> Moment:
    """Return a deadline that is about to be set, or a later one if the game is paused then."""
    pause = notes.pause_at(now)
    if pause is None or pause.end is None or not pause.start < deadline < pause.end:
        return deadline
    return _first_after_pause(table, notes, max(pause.start, now), pause.end, deadline)


def present_label(saved: SavedGame) -> str:
    """Return the label of the present ask; "" of a game that is over."""
    return getattr(saved.ask, "label", "")


def last_run_moment(saved: SavedGame) -> Moment:
    """Return the moment of the newest turn."""
    return Moment.fromisoformat(str(saved.record["at"]))


def moved_since_report(saved: SavedGame, notes: Notes, seat: Seat | None = None) -> str:
    """Return when orders are due, in words for a seat, if it was changed since the newest reports; or ""."""
    if notes.cancelled is not None or saved.turn not in notes.deadlines or isinstance(saved.ask, Outcome):
        return ""
    moved = deadline_in_force(saved, notes)
    return "" if moved is None or moved == promised(saved.record) else saved.table.spelled(moved, seat)


def reminder_start(saved: SavedGame, deadline: Moment) -> Moment | None:
    """Return from when on those who owe orders by a deadline are reminded; None: never.

    Never before half of their time is over, so that no reminder comes along with the report itself.
    """
    before, last = saved.table.schedule.remind, last_run_moment(saved)
    return None if before is None else max(deadline - before, last + (deadline - last) / 2)


def is_late(saved: SavedGame, notes: Notes, received: Moment, now: Moment) -> bool:
    """Tell whether orders came too late for the present ask, so that they must wait for its run.

    What counts is when the host received them, not what the mail says. Until the run they are not looked
    at, so that they cannot take the place of orders that came in time; afterwards they count for what is
    asked then, which is the same ask if the run could not be made. While a game is paused no deadline passes.
    For a turn that was taken back the moderator waits for orders, and runs it by name: nothing is late.

    Args:
        saved: The game.
        notes: What is noted of it.
        received: When the host received the mail.
        now: The moment; a day after a deadline nobody waits for its run any more.
    """
    until = closing_moment(saved, notes)
    if until is None or received <= until or now > until + DAY or saved.turn + 1 in saved.again:
        return False
    pause = notes.rest_at(now)
    if notes.cancelled is not None or (pause is not None and pause.start < until):
        return False
    return notes.tried != (saved.turn, deadline_in_force(saved, notes))


def tried_run_notes(saved: SavedGame, notes: Notes, now: Moment) -> tuple[Note, ...]:
    """Return the note that the run of a deadline was tried, so that what came late is looked at."""
    deadline = deadline_in_force(saved, notes)
    if deadline is not None and is_closed(saved, notes, now):
        return (note(saved.name, TRIED, turn_and_moment(saved.turn, deadline)),)
    return ()


def owing_seats(saved: SavedGame, notes: Notes, found: LodgedOrders | None = None) -> tuple[Seat, ...]:
    """Return the seats that have nothing to answer the present ask with, in seating order.

    Args:
        saved: The game.
        notes: What is noted of it; held orders are none.
        found: What was lodged, if that is known already.
    """
    ask = saved.ask
    if not isinstance(ask, Ask):
        return ()
    found = found or read_lodged_orders(saved, held=notes.held)
    is_open = ask.label == OPEN  # words that came along with a seal were no secret, and do not count
    orders = {
        seat: one
        for seat, one in found.orders.items()
        if seat not in notes.held and (one.fresh or not is_open)
    }
    waiting = find_owing_seats(
        saved.opening,
        saved.position.game,
        ask,
        orders,
        bots=saved.players.bots.keys(),
        forced=saved.start.forced,
    )
    return tuple(seat for seat in saved.start.seats if seat in waiting)


def owing_in_words(saved: SavedGame, notes: Notes, now: Moment) -> tuple[str, str]:
    """Return whom a game waits for, and to say behind it who would rather wait for the deadline, or "".

    Of who is away now, or when orders are due, it is said too.
    """
    found = read_lodged_orders(saved, held=notes.held)
    owing, asked = owing_seats(saved, notes, found), saved.ask.seats if isinstance(saved.ask, Ask) else ()
    waits = {seat for seat, one in found.orders.items() if one.wait and seat in asked and seat not in owing}
    due, named = deadline_in_force(saved, notes), dict[Seat, str]()
    for seat in saved.start.seats:
        away = (one for one in notes.away.get(seat, ()) if one.covers(now) or (due and one.covers(due)))
        told = "".join(f", away {one.told_to_host(saved.table, seat)}" for one in away)
        named[seat] = seat_with_player(seat, f"{saved.players.holder(seat)}{told}")
    owe, would = (", ".join(named[seat] for seat in named if seat in seats) for seats in (owing, waits))
    patient = waiting_seats_note(would)
    return owe or "nobody", patient and f"; {patient}"
