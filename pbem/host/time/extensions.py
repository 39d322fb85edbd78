"""Deadlines are moved by the moderator, a vote, an absence, a pause, an undo, or a game that is brought back.

All players are told, and who owes orders is reminded.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from pbem.core.events import Seat
from pbem.core.interface import Json, Outcome
from pbem.host.notices.queue import make_act, notice_to_player, notice_words, player_notices, telling_name
from pbem.host.run.losses import Aside
from pbem.host.run.notes import AWAY, KNOWN, Notes, deadline_note, hold_game, note, notes_of, single_note
from pbem.host.time.dates import WrittenTime
from pbem.host.time.deadlines import (
    awaited_absences,
    deadline_in_force,
    is_single_deadline,
    match_zone,
    move_past_pause,
    overlooked_absence,
    owing_seats,
    present_label,
    reminder_start,
    table_in_force,
)
from pbem.play.config.gamefile import Absence, next_deadline
from pbem.play.config.schedule import DAY, Span, add_span
from pbem.play.homes.home import Home
from pbem.play.homes.saved import SavedGame
from pbem.play.submissions.gate import is_left_unanswered, silence_clause
from pbem.store.errors import RequestRefused, WrongInput
from pbem.store.records import (
    HOST,
    MODERATOR,
    Note,
    NoticeReplacement,
    QueuedNotice,
    Row,
    facts_of,
    iso,
    iso_with_offset,
)
from pbem.text.names import near_seat
from pbem.text.reports.layout import brief_deadline

if TYPE_CHECKING:
    from pbem.store.journal import Journal

Moment = datetime.datetime


def chosen_deadline(
    saved: SavedGame, notes: Notes, now: Moment, by: Span | None, to: Moment | None, verb: str = "extend"
) -> Moment:
    """Return the deadline of the present ask as a moderator wants it.

    Args:
        saved: The game.
        notes: What is noted of it.
        now: The moment.
        by: So much later, from now on if the deadline has passed; a day if nothing is said.
        to: This moment instead.
        verb: The verb that moves it, which is named in what is refused.

    Raises:
        WrongInput: The game has no deadline to move, or the new one has passed or is in a pause.
    """
    before, game = deadline_in_force(saved, notes), saved.name
    if to is None and before is None:
        raise WrongInput(f"{game} has no deadline now.", f"Set one: pbem {verb} {game} --to MOMENT")
    start = max(before or now, now.replace(second=0, microsecond=0))
    moved = match_zone(to or add_span(start, by or DAY, saved.table.deadline_zone), before)
    if moved <= now:
        text = f"{game}: {saved.table.spelled(moved)} has passed."
        raise WrongInput(text, f"Say until when: pbem {verb} {game} --to MOMENT")
    if move_past_pause(table_in_force(saved, notes), notes, now, moved) != moved:
        pause = notes.pause_at(now)
        told = pause.told(saved.table, now) if pause is not None else ""
        raise WrongInput(
            f"at {saved.table.spelled(moved)} nothing can be due: {game} is {told}.",
            f"Say a moment after it, or take the pause back: pbem resume {game}",
        )
    return moved


Why: TypeAlias = Literal["", "vote", "absence"]

WHYS: Final[Mapping[Why, str]] = {"": "", "vote": "the players voted for it", "absence": "a player is away"}
"""Why a deadline is moved, if its moderator did not do it, in words."""


def rows_of_moved_deadline(
    saved: SavedGame, notes: Notes, moved: Moment, now: Moment, who: str, why: Why
) -> tuple[Row, ...]:
    """Return what is noted and told of a new deadline for the present ask, in place of the one before."""
    before = deadline_in_force(saved, notes)
    pause, facts = notes.rest_at(now), facts_of_deadline(saved, moved, before, why)
    unwritten, known = _queued_deadline_notices(saved), _known_deadlines(saved)

    def told(since: Moment | None) -> dict[Seat, QueuedNotice]:
        def one(seat: Seat) -> dict[str, Json]:
            due = saved.table.spelled(moved, seat)
            was = saved.table.spelled(since, seat) if since is not None and since != moved else ""
            rests = pause.pause_clause(saved.table, seat) if pause is not None else ""
            more = {"before": was, "rests": rests, "why": WHYS[why]}
            return {"label": present_label(saved), "due": due, "in_short": brief_deadline(due), **more}

        found = player_notices(saved, now, _deadline_topic(moved, iso(now)), facts, one, kind="deadline")
        return {Seat(one.seat): one for one in found}

    def rows() -> Iterator[Row]:
        for seat, telling in told(before).items():
            if seat not in unwritten or seat not in known:
                known[seat] = before
                yield telling
                continue
            instead = told(known[seat])[seat] if known[seat] != moved else None
            yield NoticeReplacement(unwritten[seat].name, instead, telling)

    letters = tuple(rows())
    return (
        *_deadline_notes(saved, notes, moved),
        make_act(now, saved.name, "extend", public=True, who=who, facts=facts),
        *([note(saved.name, KNOWN, [saved.turn, _moments_json(known)])] if letters else []),
        *letters,
    )


def facts_of_deadline(saved: SavedGame, moved: Moment, before: Moment | None, why: Why = "") -> str:
    """Return the facts of a new deadline for the present ask."""
    return facts_of("deadline-moved", label=present_label(saved), due=moved, before=before, why=why)


def is_deadline_current(saved: SavedGame, notes: Notes, told: QueuedNotice) -> bool:
    """Tell whether the deadline that a notice tells is still the one of the present ask."""
    due = deadline_in_force(saved, notes)
    if due is None or told.turn != saved.turn:
        return False
    return told.name == telling_name(
        saved.name, told.turn, told.seat, told.kind, _deadline_topic(due, told.at)
    )


def _deadline_topic(moved: Moment, at: str) -> str:
    """Return what a notice of a new deadline is about, from the moment at which it was moved."""
    return f"new deadline {iso(moved)} {at}"


def deadline_rows(saved: SavedGame, notes: Notes, moved: Moment | None) -> tuple[Row, ...]:
    """Return what is noted of a deadline that is told together with something else; None: it stays."""
    if moved is None:
        return ()
    return (*_deadline_notes(saved, notes, moved), note(saved.name, KNOWN, None))


def _deadline_notes(saved: SavedGame, notes: Notes, moved: Moment) -> Iterator[Note]:
    """Yield the notes of a deadline; one that no schedule sets counts for later turns, too."""
    yield deadline_note(saved.name, saved.turn, moved)
    if is_single_deadline(saved, notes):
        yield single_note(saved.name, saved.turn, saved.table.deadline, moved)


def _queued_deadline_notices(saved: SavedGame) -> dict[Seat, QueuedNotice]:
    """Return the newest that each seat is to be told of this turn's deadline, and nobody has written yet."""
    if not saved.home.has_journal:
        return {}
    with saved.home.journal() as db:
        found = [one for _, one in db.untold(saved.name)]
    return {Seat(one.seat): one for one in found if one.turn == saved.turn and one.kind == "deadline"}


def _known_deadlines(saved: SavedGame) -> dict[Seat, Moment | None]:
    """Return the deadline that each seat knew before the first move that it was not written yet."""
    if not saved.home.has_journal:
        return {}
    with saved.home.journal() as db:
        noted = db.note(saved.name, KNOWN)
    turn, known = json.loads(noted) if noted else (saved.turn, {})
    if turn != saved.turn:
        return {}
    return {Seat(seat): Moment.fromisoformat(text) if text else None for seat, text in known.items()}


def _moments_json(known: dict[Seat, Moment | None]) -> dict[str, Json]:
    return {
        str(seat): iso_with_offset(moment) if moment is not None else "" for seat, moment in known.items()
    }


LONGEST_ABSENCE = Span(days=60)


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
    with hold_game(home, game) as act:
        saved, before = act.saved, deadline_in_force(act.saved, act.notes)
        moved = chosen_deadline(saved, act.notes, now, by, to)
        if moved != before:  # else it was said already
            home.store.note(rows_of_moved_deadline(saved, act.notes, moved, now, MODERATOR, ""))
    return moved


def make_absence(first: WrittenTime | None, last: WrittenTime, now: Moment) -> Absence:
    """Return an absence in whole days, or from and to an hour; without a first day it begins now."""
    return Absence(first.start_moment if first is not None else now, last.end)


def announce_absence(
    home: Home, game: str, seat: Seat, absence: Absence, now: Moment, who: str = MODERATOR
) -> str:
    """Note that a player will be away; return what that means, in words for them.

    Raises:
        RequestRefused: It is over already, ends before it begins, or is too long.
    """
    if not now < absence.end or not absence.start < absence.end:
        raise RequestRefused("an absence ends after it begins, and not in the past.")
    if absence.end - absence.start > LONGEST_ABSENCE:
        text = f"an absence lasts at most {LONGEST_ABSENCE.days} days."
        hint = f"Find somebody who takes the seat over: pbem replace {game} {seat}"
        asked = "For longer, ask the moderator for somebody who takes the seat over."
        raise RequestRefused(text, hint, to_player=asked)
    with hold_game(home, game) as act:
        saved, notes = act.saved, act.notes
        refuse_strange_seat(saved, seat)
        known = [one for one in notes.away.get(seat, ()) if one.end > now and one != absence]
        kept = sorted([*known, absence], key=lambda one: one.start)[-10:]
        away = note(game, f"{AWAY}{seat}", [[iso(one.start), iso(one.end)] for one in kept])
        facts = facts_of("absence-noted", seat=seat, start=absence.start, end=absence.end)
        done = make_act(now, game, "away", public=False, who=who, facts=facts)
        means, rows = _absence_effect(saved, notes, seat, absence, now, who)
        home.store.note((away, done, *rows))
        return means


def _absence_effect(
    saved: SavedGame, notes: Notes, seat: Seat, absence: Absence, now: Moment, who: str
) -> tuple[str, tuple[Row, ...]]:
    """Return what an absence means, in words for who announced it, and what is noted for it."""
    deadline = deadline_in_force(saved, notes)
    is_hit = deadline is not None and absence.covers(deadline) and seat in owing_seats(saved, notes)
    if saved.table.absent != "wait":
        hit = f" {_no_wait_text(saved, seat, deadline, who)}" if is_hit and deadline is not None else ""
        return f"Turns that are missed meanwhile do not count, and nobody is reminded.{hit}", ()
    if not is_hit or deadline is None:
        return "Deadlines of turns to come are not set into that time.", ()
    moved = _deadline_after(saved, notes, absence, deadline, now)
    rows = rows_of_moved_deadline(saved, notes, moved, now, HOST, "absence")
    return f"The deadline waits: it is now {saved.table.spelled(moved, seat)}.", rows


def _no_wait_text(saved: SavedGame, seat: Seat, deadline: Moment, who: str) -> str:
    """Say what a deadline that does not wait for a seat does to it; to a moderator also how it would wait."""
    table, game = saved.table, saved.name
    if who != MODERATOR:
        told = f"The deadline {table.spelled(deadline, seat)} falls into it: without orders of yours"
        return f"{told} {silence_clause(saved, saved.position, seat)}."
    told = f"The deadline {table.spelled(deadline)} falls into it: without orders"
    if is_left_unanswered(saved, saved.position, seat):
        return f"{told} the game waits for {seat}."
    return (
        f"{told} `silent: {table.silent[seat]}` answers for {seat}. To let it wait, write `absent: wait` "
        f"into its game.yaml, or: pbem extend {game} --to MOMENT"
    )


def waiting_deadline_rows(saved: SavedGame, now: Moment) -> tuple[Row, ...]:
    """Return what is noted where `absent: wait` was written after an absence was announced; else nothing."""
    notes = notes_of(saved.home, saved.name)
    absence, deadline = overlooked_absence(saved, notes), deadline_in_force(saved, notes)
    if absence is None or deadline is None or notes.rest_at(now) is not None:
        return ()
    moved = _deadline_after(saved, notes, absence, deadline, now)
    return rows_of_moved_deadline(saved, notes, moved, now, HOST, "absence")


def _deadline_after(
    saved: SavedGame, notes: Notes, absence: Absence, deadline: Moment, now: Moment
) -> Moment:
    """Return when orders are due in place of a deadline that waits for an absence."""
    table, back = table_in_force(saved, notes), max(absence.end, now)
    moved = next_deadline(table, back, away=awaited_absences(table, notes))
    if not table.schedule.days or moved is None:
        moved = back + DAY
    return match_zone(move_past_pause(table, notes, now, moved), deadline)


def cancel_absences(home: Home, game: str, seat: Seat, now: Moment, who: str = MODERATOR) -> str:
    """Forget the absences of a seat; return what that means, in words for its player.

    A deadline that was moved for them stays. Given again it changes nothing more, and means the same.
    """
    with hold_game(home, game) as act:
        refuse_strange_seat(act.saved, seat)
        facts = facts_of("absence-ended", seat=seat)
        done = make_act(now, game, "away", public=False, who=who, facts=facts)
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


@dataclass(frozen=True, slots=True)
class Reminder:
    """Somebody who owes orders.

    Attributes:
        game: The id of the game.
        seat: The seat.
        player: Its player.
        label: The ask.
        due: When the orders are due, in the player's zone.
        about: What the reminder is about: a seat is reminded of a deadline once.
        then: What becomes of the seat if it stays silent; the end of a sentence.
    """

    game: str
    seat: Seat
    player: str
    label: str
    due: str
    about: str
    then: str


def reminders(saved: SavedGame, now: Moment) -> list[Reminder]:
    """Return who owes orders of a game and should be told now; players who are away should not."""
    notes, ask = notes_of(saved.home, saved.name), saved.ask
    if isinstance(ask, Outcome) or notes.cancelled is not None or notes.rest_at(now) is not None:
        return []
    deadline = deadline_in_force(saved, notes)
    start = None if deadline is None else reminder_start(saved, deadline)
    if deadline is None or start is None or not start <= now < deadline:
        return []
    return [
        Reminder(
            saved.name,
            seat,
            saved.players.holder(seat),
            ask.label,
            saved.table.spelled(deadline, seat),
            iso(deadline),
            silence_clause(saved, saved.position, seat),
        )
        for seat in owing_seats(saved, notes)
        if seat not in saved.table.free and not notes.is_away(seat, now)
    ]


def queue_reminders(
    home: Home, db: Journal, game: str, now: Moment, aside: Aside | None = None
) -> list[Reminder]:
    """Queue the reminders of a game that are due; return those that are new.

    Args:
        home: The home.
        db: Its journal.
        game: The id of the game.
        now: The moment.
        aside: Told of a reminder that cannot be made; the other seats get theirs. None: what is wrong is
            raised.
    """
    saved, new = SavedGame(home, game), []
    for one in reminders(saved, now):
        try:
            if _queue(saved, db, now, one):
                new.append(one)
        except Exception as wrong:
            if aside is None:
                raise
            aside(f"{game}: {one.seat} is not reminded", wrong)
    return new


def is_reminder_due(saved: SavedGame, told: QueuedNotice, now: Moment) -> bool:
    """Tell whether a reminder that was to be sent would be made now, too."""
    return any(
        told.name == one.name for due in reminders(saved, now) for one in _reminder_tellings(saved, now, due)
    )


def _queue(saved: SavedGame, db: Journal, now: Moment, one: Reminder) -> bool:
    return any(db.tell(telling) for telling in _reminder_tellings(saved, now, one))


def _reminder_tellings(saved: SavedGame, now: Moment, one: Reminder) -> tuple[QueuedNotice, ...]:
    facts, asked = facts_of("reminder", label=one.label, due=one.about), f"{one.label} {one.about}"
    told: dict[str, Json] = {
        **{"game": one.game, "player": one.player, "label": one.label, "then": one.then},
        **{"due": one.due, "in_short": brief_deadline(one.due)},
    }
    words = notice_words(saved.home, "reminder", told)
    return notice_to_player(saved, now, one.seat, "reminder", asked, *words, facts=facts)
