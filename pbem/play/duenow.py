"""The newest report with another deadline than it was made with, because that was moved since."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from pbem.core.events import Seat
from pbem.play import saves
from pbem.play.formowner import own_form
from pbem.play.pages import page_of_report
from pbem.play.saved import SavedGame
from pbem.play.templates import template_faults
from pbem.text.report import Report

_MOVED: Final = """\
The deadline was moved after this report was made. Orders are due
{}, whatever it says below."""
"""Above the text, which stays word for word, so that it can be checked with `--report`."""


def text_due(text: str, due: str) -> str:
    """Return the text of a report with another deadline, told above it."""
    return f"{_MOVED.format(due)}\n\n{text}"


def file_due(saved: SavedGame, reader: str, name: str, due: str) -> str:
    """Return a file of a reader's report of the newest turn with another deadline; pictures tell none.

    Raises:
        WrongInput: The report is damaged, or a template fails.
    """
    telling = files_due(saved, reader, (name,), due)
    return telling[name] if telling else page_of_report(saved, saved.turn, reader, name)


def files_due(saved: SavedGame, reader: str, names: Collection[str], due: str) -> dict[str, str]:
    """Return those of some files of a reader's newest report that tell the deadline, with another one.

    Raises:
        WrongInput: The report is damaged, or a template fails.
    """
    folder = saved.turns.at(saved.turn) / "reports" / reader
    facts = {**saves.read_json(folder / "report.json"), "deadline": due, "key_asked": saved.table.key}
    report = Report(saved.environment, facts)
    made: dict[str, Callable[[], str]] = {
        "report.txt": lambda: text_due((folder / "report.txt").read_text(), due),
        "report.json": lambda: report.json,
        "report.html": lambda: report.html,
        "orders.yaml": lambda: own_form(saved, Seat(reader), report.form),
    }
    with template_faults():
        return {name: make() for name, make in made.items() if name in names}
