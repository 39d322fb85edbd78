"""When orders of a running game are due, and its pause: as dates, which stay true whenever they are read."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.archive.pages.allowed import Masking
from pbem.core.interface import Json
from pbem.core.labels import START
from pbem.host.run.notes import notes_of
from pbem.host.time.deadlines import deadline_in_force, last_run
from pbem.host.time.pauses import Pause
from pbem.play.config.gamefile import Table
from pbem.play.homes.saved import SavedGame


def due_of(saved: SavedGame, ask: Mapping[str, Json], mask: Masking) -> dict[str, Json]:
    """Return until when a running game waits for orders, as all may know it.

    Args:
        saved: The game.
        ask: Whom it waits for, as its newest report tells all.
        mask: What leaves names out that are not published.

    Returns:
        `label`, what is asked; `at`, the deadline in ISO 8601, and `told`, the same in words with its zone,
        both "" if there is none; and `pause`, in a sentence, or "". Nothing of a game that asks nobody.
    """
    notes, waits_for_players = notes_of(saved.home, saved.name), saved.table.free and ask["label"] == START
    if ask["kind"] == "over" or notes.cancelled is not None or waits_for_players:
        return {}
    deadline, pause = deadline_in_force(saved, notes), notes.pause_at(last_run(saved))
    if pause is not None and pause.end is None and deadline is not None and pause.start <= deadline:
        deadline = None
    return {
        "label": ask["label"],
        "at": deadline.isoformat(timespec="minutes") if deadline is not None else "",
        "told": saved.table.spelled(deadline) if deadline is not None else "",
        "pause": mask.text(_told(saved.table, pause)) if pause is not None else "",
    }


def _told(table: Table, pause: Pause) -> str:
    until = table.spelled(pause.end) if pause.end is not None else "the moderator lets the game go on"
    return f"Pause from {table.spelled(pause.start)} until {until} ({pause.why})."
