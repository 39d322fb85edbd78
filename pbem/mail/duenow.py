"""A report as it is mailed: where its deadline was moved after it was made, with the one that is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.deadlines import moved_since_report
from pbem.play import saves
from pbem.play.pages import pages_of_report
from pbem.play.reporting import form_of
from pbem.play.saved import SavedGame
from pbem.play.templates import template_faults
from pbem.text.report import BRIEF_BOARD, PLOTS, Report

_MOVED: Final = """\
The deadline was moved after this report was made. Orders are due
{}, whatever it says below."""
"""Above the text, which stays word for word, so that it can be checked with `--report`."""


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


def due_now(saved: SavedGame, turn: int, seat: Seat) -> str:
    """Return when orders are due, in words for a seat, if that was changed after its report; else ""."""
    newest = saved.home.turns(saved.name).newest()
    return moved_since_report(saved.home, saved.name, seat) if turn == newest else ""


def as_mailed(saved: SavedGame, turn: int, seat: Seat) -> Shown:
    """Return a seat's report of a turn as it is mailed now: page and form tell the deadline in force.

    Raises:
        WrongInput: It is damaged, or a template fails.
    """
    folder = saved.turns.at(turn) / "reports" / seat
    facts, form = saves.read_json(folder / "report.json"), folder / "orders.yaml"
    pages = pages_of_report(saved, turn, seat, ("report.html", BRIEF_BOARD, PLOTS))
    due = due_now(saved, turn, seat)
    if not due:
        return Shown(
            facts, (folder / "report.txt").read_text(), form.read_text() if form.exists() else "", pages
        )
    facts = {**facts, "deadline": due}
    anew = Report(saved.environment, facts)
    with template_faults():
        text = f"{_MOVED.format(due)}\n\n{(folder / 'report.txt').read_text()}"
        return Shown(facts, text, anew.form, {**pages, "report.html": anew.html})


def form_as_mailed(saved: SavedGame, seat: Seat) -> str:
    """Return the form of a seat's newest report with the deadline that is in force; "" if the game is over.

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    form = form_of(saved, seat)
    due = due_now(saved, saved.turn, seat) if form else ""
    if not due:
        return form
    facts = saves.read_json(saved.turns.at(saved.turn) / "reports" / seat / "report.json")
    with template_faults():
        return Report(saved.environment, {**facts, "deadline": due}).form
