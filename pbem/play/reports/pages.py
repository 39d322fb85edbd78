"""The page and the pictures of a committed report: made of its facts, or as an older version kept them."""

from __future__ import annotations

from pbem.play.config.templates import template_faults
from pbem.play.homes import saves
from pbem.play.homes.saved import SavedGame
from pbem.store.errors import WrongInput
from pbem.store.place import Place
from pbem.text.reports.report import PAGES, Report


def page_of_report(saved: SavedGame, turn: int, reader: str, name: str) -> str:
    """Return what a turn does not keep of a report.

    Args:
        saved: The game.
        turn: A turn that it has.
        reader: A seat, or the spectator.
        name: One of `text.reports.report.PAGES`, or BRIEF_BOARD.

    Returns:
        The file's text; "" for a picture that there is not.

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    return pages_of_report(saved, turn, reader, (name,))[name]


def pages_of_report(
    saved: SavedGame, turn: int, reader: str, names: tuple[str, ...] = PAGES
) -> dict[str, str]:
    """Return several of them by name, "" for a picture that there is not; see `page_of_report`."""
    folder = saved.turns.at(turn) / "reports" / reader
    kept = {name: place.read_text() for name in names if (place := folder / name).exists()}
    if len(kept) == len(names):
        return kept
    report = Report(saved.environment, saves.read_json(folder / "report.json"))
    return {name: kept[name] if name in kept else _made(report, name, folder) for name in names}


def with_key_line(saved: SavedGame, seat: str, form: str) -> str:
    """Return a form of the newest turn with a line for the key, if that is asked for since it was made.

    Raises:
        WrongInput: A template fails, or the report is damaged.
    """
    if not form or not saved.table.key or "\nkey:" in form:
        return form
    facts = saves.read_json(saved.turns.at(saved.turn) / "reports" / seat / "report.json")
    with template_faults():
        return Report(saved.environment, {**facts, "key_asked": True}).form


def _made(report: Report, name: str, folder: Place) -> str:
    try:
        with template_faults():
            return report.page(name)
    except WrongInput:
        if (folder / "report.html").exists():  # an older version kept it, and knew no such picture
            return ""
        raise
