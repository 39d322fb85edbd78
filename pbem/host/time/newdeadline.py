"""What all are told of a new deadline: the last one, once, however often it was moved before mails go out."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.notices.newswords import for_reason, now_due
from pbem.host.notices.telling import act_of, name_of, to_all
from pbem.host.run.notes import KNOWN, Notes, deadline_note, note, single_note
from pbem.host.time.deadlines import (
    asked_now,
    clear_of_pause,
    deadline_in_force,
    is_single,
    table_in_force,
    told_alike,
)
from pbem.play.config.schedule import DAY, Span, later
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.journals.kinds import facts_of
from pbem.store.journals.records import Instead, Note, Row, Telling, iso, with_offset
from pbem.text.reports.layout import brief

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
    moved = told_alike(to or later(start, by or DAY, saved.table.named_zone), before)
    if moved <= now:
        text = f"{game}: {saved.table.spelled(moved)} has passed."
        raise WrongInput(text, f"Say until when: pbem {verb} {game} --to MOMENT")
    if clear_of_pause(table_in_force(saved, notes), notes, now, moved) != moved:
        pause = notes.pause_at(now)
        told = pause.told(saved.table, now) if pause is not None else ""
        raise WrongInput(
            f"at {saved.table.spelled(moved)} nothing can be due: {game} is {told}.",
            f"Say a moment after it, or take the pause back: pbem resume {game}",
        )
    return moved


def moved_deadline(
    saved: SavedGame, notes: Notes, moved: Moment, now: Moment, who: str, why: str
) -> tuple[Row, ...]:
    """Return what is noted and told of a new deadline for the present ask, in place of the one before."""
    before = deadline_in_force(saved, notes)
    reason, asked = for_reason(why), now_due(asked_now(saved))
    pause, facts = notes.rest_at(now), facts_of_deadline(saved, moved, before)
    unwritten, known = _unwritten(saved), _known(saved)

    def title(seat: Seat) -> str:
        return f"A new deadline: {brief(saved.table.spelled(moved, seat))} ({asked_now(saved)})"

    def told(since: Moment | None) -> dict[Seat, Telling]:
        def words(seat: Seat) -> str:
            was = saved.table.spelled(since, seat) if since is not None and since != moved else ""
            former = f" They were due {was}." if was else ""
            rests = pause.beside_a_deadline(saved.table, seat) if pause is not None else ""
            return f"{asked[0].upper()}{asked[1:]} {saved.table.spelled(moved, seat)}{reason}.{former}{rests}"

        found = to_all(saved, now, _about(moved, iso(now)), title, words, "deadline", facts=facts)
        return {Seat(one.seat): one for one in found}

    def rows() -> Iterator[Row]:
        for seat, telling in told(before).items():
            if seat not in unwritten or seat not in known:
                known[seat] = before
                yield telling
                continue
            instead = told(known[seat])[seat] if known[seat] != moved else None
            yield Instead(unwritten[seat].name, instead, telling)

    letters = tuple(rows())
    news = f"{asked} {saved.table.spelled_to_all(moved)}{reason}."
    return (
        *_noted(saved, notes, moved),
        act_of(now, saved.name, "extend", news, public=True, who=who, facts=facts),
        *([note(saved.name, KNOWN, [saved.turn, _spelled(known)])] if letters else []),
        *letters,
    )


def facts_of_deadline(saved: SavedGame, moved: Moment, before: Moment | None) -> str:
    """Return the facts of a new deadline for the present ask."""
    return facts_of("deadline-moved", label=asked_now(saved), due=moved, before=before)


def is_in_force(saved: SavedGame, notes: Notes, told: Telling) -> bool:
    """Tell whether the deadline that a notice tells is still the one of the present ask."""
    due = deadline_in_force(saved, notes)
    if due is None or told.turn != saved.turn:
        return False
    return told.name == name_of(saved.name, told.turn, told.seat, told.kind, _about(due, told.at))


def _about(moved: Moment, at: str) -> str:
    """Return what a notice of a new deadline is about, from the moment at which it was moved."""
    return f"new deadline {iso(moved)} {at}"


def deadline_with(saved: SavedGame, notes: Notes, moved: Moment | None) -> tuple[Row, ...]:
    """Return what is noted of a deadline that is told together with something else; None: it stays."""
    if moved is None:
        return ()
    return (*_noted(saved, notes, moved), note(saved.name, KNOWN, None))


def _noted(saved: SavedGame, notes: Notes, moved: Moment) -> Iterator[Note]:
    """Yield the notes of a deadline; one that no schedule sets counts for later turns, too."""
    yield deadline_note(saved.name, saved.turn, moved)
    if is_single(saved, notes):
        yield single_note(saved.name, saved.turn, saved.table.deadline, moved)


def _unwritten(saved: SavedGame) -> dict[Seat, Telling]:
    """Return the newest that each seat is to be told of this turn's deadline, and nobody has written yet."""
    if not saved.home.has_journal:
        return {}
    with saved.home.journal() as db:
        found = [one for _, one in db.untold(saved.name)]
    return {Seat(one.seat): one for one in found if one.turn == saved.turn and one.kind == "deadline"}


def _known(saved: SavedGame) -> dict[Seat, Moment | None]:
    """Return the deadline that each seat knew before the first move that it was not written yet."""
    if not saved.home.has_journal:
        return {}
    with saved.home.journal() as db:
        noted = db.note(saved.name, KNOWN)
    turn, known = json.loads(noted) if noted else (saved.turn, {})
    if turn != saved.turn:
        return {}
    return {Seat(seat): Moment.fromisoformat(text) if text else None for seat, text in known.items()}


def _spelled(known: dict[Seat, Moment | None]) -> dict[str, Json]:
    return {str(seat): with_offset(moment) if moment is not None else "" for seat, moment in known.items()}
