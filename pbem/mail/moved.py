"""What goes out after a deadline was moved says when orders are due now, whatever its report said."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.deadlines import moved_since
from pbem.host.notes import read_notes
from pbem.play.saved import SavedGame
from pbem.play.saves import read_json
from pbem.store.journal import Journal
from pbem.text.layout import wrapped


def due_instead(saved: SavedGame, seat: Seat, db: Journal) -> str:
    """Return when orders are due, in words for a seat, if its newest report says another moment; else ""."""
    moved = moved_since(saved, read_notes(db, saved.name))
    return "" if moved is None else saved.table.spelled(moved, seat)


def facts_of(saved: SavedGame, turn: int, seat: Seat, due: str = "") -> Mapping[str, Json]:
    """Return the facts of a seat's report of a turn; `due` is the deadline in its place, if it was moved."""
    facts = read_json(saved.turns.at(turn) / "reports" / seat / "report.json")
    return {**facts, "deadline": due} if due else facts


def text_as_due(text: str, due: str) -> str:
    """Return a report word for word, below a sentence that says until when its orders are wanted now."""
    if not due:
        return text
    said = f"The deadline was moved after this report was made. Orders are due {due}, whatever it says below."
    return f"{wrapped(said)}\n\n{text}"


def form_as_due(saved: SavedGame, turn: int, seat: Seat, due: str) -> str:
    """Return the form of a seat's report, with the deadline in force in its place; "" if there is none."""
    place = saved.turns.at(turn) / "reports" / seat / "orders.yaml"
    form = place.read_text() if place.exists() else ""
    was = str(facts_of(saved, turn, seat)["deadline"]) if form and due else ""
    spelled = r"\s+(?:#+ )?".join(re.escape(word) for word in was.split())
    return re.sub(spelled, lambda _: due, form) if spelled else form


def newest_form(saved: SavedGame, seat: Seat, db: Journal) -> str:
    """Return the form of a seat's newest report, with the deadline in force; "" if the game is over."""
    return form_as_due(saved, saved.turn, seat, due_instead(saved, seat, db))
