"""A report as it is mailed: where its deadline was moved after it was made, with the one that is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.deadlines import moved_since_report
from pbem.host.notes import read_notes
from pbem.play import saves
from pbem.play.duenow import file_due, report_due, text_due
from pbem.play.pages import pages_of_report
from pbem.play.reporting import form_of
from pbem.play.saved import SavedGame
from pbem.play.templates import template_faults
from pbem.store.journal import Journal
from pbem.text.report import BRIEF_BOARD, PLOTS


@dataclass(frozen=True, slots=True)
class Shown:
    """A report as it is mailed.

    Attributes:
        facts: What it is made of.
        text: It as text.
        form: The form to fill in; "" if nothing more is asked.
        pages: Its page and pictures, by name.
    """

    facts: dict[str, Json]
    text: str
    form: str
    pages: Mapping[str, str]


def due_now(saved: SavedGame, seat: Seat, db: Journal) -> str:
    """Return when orders are due, in words for a seat, if that was changed after its report; else ""."""
    if saved.turn != saved.turns.newest():
        return ""
    return moved_since_report(saved, read_notes(db, saved.name), seat)


def as_mailed(saved: SavedGame, seat: Seat, due: str) -> Shown:
    """Return a seat's report of the newest turn as it is mailed now.

    Args:
        saved: The game.
        seat: The seat.
        due: When orders are due, in words, if that was changed after the report; else "".

    Raises:
        WrongInput: It is damaged, or a template fails.
    """
    folder = saved.turns.at(saved.turn) / "reports" / seat
    facts, text = saves.read_json(folder / "report.json"), (folder / "report.txt").read_text()
    if not due:
        pages = pages_of_report(saved, saved.turn, seat, ("report.html", BRIEF_BOARD, PLOTS))
        return Shown(facts, text, form_of(saved, seat), pages)
    pages = pages_of_report(saved, saved.turn, seat, (BRIEF_BOARD, PLOTS))
    anew = report_due(saved, seat, due)
    with template_faults():
        pages = {**pages, "report.html": anew.html}
        return Shown({**facts, "deadline": due}, text_due(text, due), anew.form, pages)


def form_as_mailed(saved: SavedGame, seat: Seat, db: Journal) -> str:
    """Return the form of a seat's newest report with the deadline that is in force; "" if the game is over.

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    form = form_of(saved, seat)
    due = due_now(saved, seat, db) if form else ""
    return file_due(saved, seat, "orders.yaml", due) if due else form
