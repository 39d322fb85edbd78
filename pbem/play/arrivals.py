"""Who came into a seat since the newest turn: somebody else than whom its reports name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from pbem.core.events import Seat
from pbem.play import saves
from pbem.play.gamefile import A_BOT, NOBODY
from pbem.store.errors import WrongInput

if TYPE_CHECKING:
    from pbem.play.saved import SavedGame

NAMES: Final = "names:"
"""Before a seat: the names that its player has had, as the journal notes them, if there was more than one."""


def arrived(saved: SavedGame) -> frozenset[Seat]:
    """Return the seats that missed turns under another player than the one who has them now.

    Whoever is called otherwise, and is the same person, has not arrived.
    """
    missed = saved.position.attendance.missed
    if not missed:
        return frozenset()
    try:
        facts = saves.read_json(saved.turns.at(saved.turn) / "reports" / saves.SPECTATOR / "report.json")
    except WrongInput:  # the turn is damaged, as the gate says
        return frozenset()
    rows = facts.get("players")
    named = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    before = {str(row.get("seat")): str(row.get("name", "")) for row in named}
    return frozenset(seat for seat in missed if _is_another(saved, seat, before.get(seat, "")))


def names_before(saved: SavedGame, seat: Seat) -> tuple[str, ...]:
    """Return the names that the present player of a seat had before."""
    if not saved.home.has_journal:
        return ()
    with saved.home.journal() as db:
        noted = db.note(saved.name, f"{NAMES}{seat}")
    return tuple(map(str, json.loads(noted))) if noted else ()


def _is_another(saved: SavedGame, seat: Seat, before: str) -> bool:
    if before in ("", NOBODY, A_BOT, saved.players.holder(seat)):
        return False
    return before not in names_before(saved, seat)
