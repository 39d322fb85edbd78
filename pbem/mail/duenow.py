"""A report as it is mailed: with the deadline in force and the players of now, also if they changed since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pbem.core.events import Seat
from pbem.core.interface import Json
from pbem.host.deadlines import moved_since_report
from pbem.host.notes import read_notes
from pbem.play import saves
from pbem.play.duenow import file_due, text_due
from pbem.play.gamefile import NOBODY
from pbem.play.pages import pages_of_report
from pbem.play.reporting import form_of
from pbem.play.saved import SavedGame
from pbem.play.templates import template_faults
from pbem.store.journal import Journal
from pbem.text.layout import wrapped
from pbem.text.report import BRIEF_BOARD, PLOTS, Report

_PLAYED: Final = "{} plays {} now; the report below, which was made before, says {}."
"""Above the text, where a seat has another player, or its player another name."""


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
    players, changes = _players_now(saved, facts)
    if not due and not changes:
        pages = pages_of_report(saved, saved.turn, seat, ("report.html", BRIEF_BOARD, PLOTS))
        return Shown(facts, text, form_of(saved, seat), pages)
    facts = {**facts, "players": players, **({"deadline": due} if due else {})}
    pages = pages_of_report(saved, saved.turn, seat, (BRIEF_BOARD, PLOTS))
    text = "\n\n".join([*(wrapped(one) for one in changes), text])
    anew = Report(saved.environment, facts)
    with template_faults():
        pages = {**pages, "report.html": anew.html}
        return Shown(facts, text_due(text, due) if due else text, anew.form, pages)


def _players_now(saved: SavedGame, facts: Mapping[str, Json]) -> tuple[list[Json], list[str]]:
    """Return a report's rows of players with the names of now, and what to say of those that changed."""
    listed, rows, changes = facts["players"], list[Json](), list[str]()
    assert isinstance(listed, list), "every report has them"
    for row in listed:
        assert isinstance(row, dict), "a seat and a name"
        seat, before = Seat(str(row["seat"])), str(row["name"])
        now = saved.players.holder(seat) if saved.turn == saved.turns.newest() else before
        if before not in (now, NOBODY):
            changes.append(_PLAYED.format(now, seat, before))
        rows.append({**row, "name": now if before != NOBODY else before})
    return rows, changes


def form_as_mailed(saved: SavedGame, seat: Seat, db: Journal) -> str:
    """Return the form of a seat's newest report with the deadline that is in force; "" if the game is over.

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    form = form_of(saved, seat)
    due = due_now(saved, seat, db) if form else ""
    return file_due(saved, seat, "orders.yaml", due) if due else form
