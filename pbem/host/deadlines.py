"""When orders are due: as the last turn promised, as the moderator moved it, or as `game.yaml` says."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from zoneinfo import ZoneInfo

from pbem.core.interface import Json
from pbem.host.notes import Notes
from pbem.play import saves
from pbem.play.gamefile import Table
from pbem.play.nextdeadline import Absence, next_deadline
from pbem.play.saved import SavedGame
from pbem.play.schedule import deadline_after
from pbem.store.errors import WrongInput
from pbem.store.place import Place

Moment = datetime.datetime


def deadline_in_force(saved: SavedGame, notes: Notes) -> Moment | None:
    """Return when the orders for the present ask are due; None: they may take their time.

    A deadline counts once, for the ask that was open before it: one before the last turn is none.
    """
    if notes.deadline is not None and notes.deadline[0] == saved.turn:
        return notes.deadline[1].astimezone(ZoneInfo(saved.table.schedule.zone))
    last, table = last_run(saved), saved.table
    if table.deadline is not None and table.deadline > last:
        return table.deadline
    if not table.schedule.days:
        return None
    return promised(saved.record) or deadline_after(table.schedule, last)


def closing(saved: SavedGame, notes: Notes) -> Moment | None:
    """Return until when orders for the present ask count: the deadline and the grace after it."""
    deadline = deadline_in_force(saved, notes)
    return None if deadline is None else deadline + saved.table.schedule.grace


def waited_for(table: Table, notes: Notes) -> list[Absence]:
    """Return the absences that deadlines wait for, if the game is such a one."""
    if table.absent != "wait":
        return []
    return [one for seat, found in notes.away.items() if seat not in table.bots for one in found]


def deadline_of_new_turn(saved: SavedGame, notes: Notes, now: Moment) -> Moment | None:
    """Return the deadline that goes with a turn that is made now."""
    undone = saved.turns.taken_back(saved.turn + 1)
    kept = promised(_record(undone[-1].place / "turn.json")) if undone else None
    return next_deadline(saved.table, now, away=waited_for(saved.table, notes), kept=kept)


def _record(place: Place) -> Mapping[str, Json]:
    try:
        return saves.read_json(place)
    except WrongInput:  # a damaged turn may be taken back
        return {}


def promised(record: Mapping[str, Json]) -> Moment | None:
    """Return the deadline that a turn set by the game's schedule, or None."""
    text = record.get("deadline")
    return Moment.fromisoformat(text) if isinstance(text, str) and text else None


def last_run(saved: SavedGame) -> Moment:
    """Return the moment of the newest turn."""
    return Moment.fromisoformat(str(saved.record["at"]))
